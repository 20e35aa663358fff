import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { openAreas } from '../../src/accounts/area.ts'
import { ARCHIVE_AREA } from '../../src/archive/area.ts'
import { monotonicMs, systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { LAB_AREA } from '../../src/lab/area.ts'
import { LEVELS_AREA } from '../../src/levels/area.ts'
import { LAB_SERVER } from '../../src/mcp/labServer.ts'
import { openLines } from '../../src/mcp/lines.ts'
import { ORDERS_SERVER } from '../../src/mcp/ordersServer.ts'
import { createServer } from '../../src/mcp/protocol.ts'
import type { ToolAsks } from '../../src/mcp/tool.ts'
import { ORDERS_AREA } from '../../src/orders/area.ts'
import { NO_NOTICES, openNotices } from '../../src/platform/notices/notices.ts'
import {
  openRequestScheduler,
  type RequestScheduler,
} from '../../src/platform/pool/requestScheduler.ts'
import { webhookTools } from '../../src/platform/webhooks/tools.ts'
import { POSITIONS_AREA } from '../../src/positions/area.ts'
import {
  openAccountStore,
  openNoAccounts,
  type ServerStore,
} from '../../src/server/accountStore.ts'
import type { Asks, ServedArea } from '../../src/server/areas.ts'
import { accountsAddress, environmentConfig, runCommand } from './command.ts'

const USAGE = `usage: tapefold mcp orders|lab [--account ACCOUNT] [--data DIR]

Serves the tools of an MCP server on standard input and output, for an assistant that starts the
command itself: those of orders, levels and positions, or those of LAB. It reads the data folder:
it needs no key, and counts no calls.

  --account ACCOUNT  whose positions or ideas they are; without it there are none
`

const SERVERS = { orders: ORDERS_SERVER, lab: LAB_SERVER } as const

/** The areas whose operations tools call: each of them, as a tool may call any. */
const TOOL_AREAS: Readonly<Record<keyof ToolAsks, ServedArea>> = {
  archive: ARCHIVE_AREA,
  lab: LAB_AREA,
  levels: LEVELS_AREA,
  orders: ORDERS_AREA,
  positions: POSITIONS_AREA,
}

/** Runs `tapefold mcp` until its input ends and every request is done. Fails with one sentence. */
async function runMcp(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    usage: USAGE,
    allowPositionals: true,
    options: { data: { type: 'string', default: 'data' }, account: { type: 'string' } },
  })
  const [name = ''] = positionals
  if (positionals.length !== 1 || (name !== 'orders' && name !== 'lab')) {
    throw new UsageError('mcp takes the name of a server: mcp orders, or mcp lab.')
  }
  const { account } = values
  const accounts = await (account === undefined
    ? openNoAccounts()
    : openAccountStore(accountsAddress(values.data)))
  const known = account === undefined ? null : (await accounts.listAccounts()).map(({ id }) => id)
  if (known && !known.includes(account!)) {
    await accounts.close()
    throw new Refusal(`there is no account ${account}; "tapefold account list" shows them.`)
  }
  const { areas, asks } = openAreas<RequestScheduler, ServerStore, Asks>(
    Object.values(TOOL_AREAS),
    commandDeps(values.data, accounts),
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

function commandDeps(dataFolder: string, accounts: ServerStore) {
  const config = { ...environmentConfig(), dataFolder }
  const { sharesPrints, publishGraceMs, isLive } = config
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

if (import.meta.main) runCommand(() => runMcp(process.argv.slice(2)))
