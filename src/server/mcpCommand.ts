import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { openAreas } from '../accounts/area.ts'
import type { CommandContext } from '../accounts/commandContext.ts'
import { ARCHIVE_AREA } from '../archive/area.ts'
import { monotonicMs, systemClock } from '../core/clock.ts'
import { UsageError } from '../core/command.ts'
import type { Input } from '../core/commandRow.ts'
import { Refusal } from '../core/disk/refusal.ts'
import { openCatalog } from '../data/published/catalog.ts'
import { LAB_AREA } from '../lab/area.ts'
import { LEVELS_AREA } from '../levels/area.ts'
import { LAB_SERVER } from '../mcp/labServer.ts'
import { openLines } from '../mcp/lines.ts'
import { ORDERS_SERVER } from '../mcp/ordersServer.ts'
import { createServer } from '../mcp/protocol.ts'
import type { ToolAsks } from '../mcp/tool.ts'
import { ORDERS_AREA } from '../orders/area.ts'
import type { Config } from '../platform/config.ts'
import { NO_NOTICES, openNotices } from '../platform/notices/notices.ts'
import { openRequestScheduler, type RequestScheduler } from '../platform/pool/requestScheduler.ts'
import { webhookTools } from '../platform/webhooks/tools.ts'
import { POSITIONS_AREA } from '../positions/area.ts'
import type { ServerStore } from './accountStore.ts'
import type { Asks, ServedArea } from './areas.ts'
import type { MCP } from './commandRows.ts'

const SERVERS = { orders: ORDERS_SERVER, lab: LAB_SERVER } as const

/** The areas whose operations tools call: each of them, as a tool may call any. */
const TOOL_AREAS: Readonly<Record<keyof ToolAsks, ServedArea>> = {
  archive: ARCHIVE_AREA,
  lab: LAB_AREA,
  levels: LEVELS_AREA,
  orders: ORDERS_AREA,
  positions: POSITIONS_AREA,
}

/** Runs `tapefold mcp` until its input ends and every request is done. */
export async function mcpCommand(
  { words, account }: Input<typeof MCP>,
  { config, openAccounts, openNoAccounts }: CommandContext<ServerStore>,
): Promise<void> {
  const [name] = words
  if (name !== 'orders' && name !== 'lab') {
    throw new UsageError('mcp takes the name of a server: mcp orders, or mcp lab.')
  }
  const accounts = await (account === undefined ? openNoAccounts() : openAccounts())
  const known = account === undefined ? null : (await accounts.listAccounts()).map(({ id }) => id)
  if (known && !known.includes(account!)) {
    await accounts.close()
    throw new Refusal(`there is no account ${account}; "tapefold account list" shows them.`)
  }
  const { areas, asks } = openAreas<RequestScheduler, ServerStore, Asks>(
    Object.values(TOOL_AREAS),
    commandDeps(config, accounts),
  )
  const requester = account === undefined ? null : { account }
  const reportError = (error: unknown) => process.stderr.write(`tapefold: ${String(error)}\n`)
  const factory = createServer(SERVERS[name], () => ({
    asks,
    requester,
    nowMs: systemClock.nowMs,
    refusal: null,
    onFault: reportError,
  }))
  const lines = openLines(process.stdin, process.stdout)
  const served = serveStdio(factory, { transport: lines, onerror: reportError })
  await lines.ended
  await served.close()
  await Promise.all(areas.map(({ open }) => open.close?.()))
  await accounts.close()
}

function commandDeps(config: Config, accounts: ServerStore) {
  const { dataFolder, sharesPrints, publishGraceMs, isLive } = config
  const { nowMs } = systemClock
  const log = { info: () => {}, error: () => {} }
  return {
    dataFolder,
    accounts,
    log,
    nowMs,
    elapsedMs: nowMs,
    isLive,
    sharesPrints,
    publishGraceMs,
    isWarmed: false,
    isReplay: false,
    alarmEveryMs: 60_000,
    judgedForMs: undefined,
    publicUrl: null,
    oauthIssuer: null,
    model: config.model,
    faults: () => [],
    catalog: openCatalog({ dataFolder, nowMs, log }),
    notices: openNotices(NO_NOTICES, monotonicMs),
    webhooks: webhookTools(config),
    scheduler: openRequestScheduler(),
  }
}
