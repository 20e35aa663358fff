import {
  type CommandContext,
  withAccount,
  withAccounts,
} from '../../src/accounts/commandContext.ts'
import type { ALERT } from '../../src/alerts/command/rows.ts'
import { openMinutes } from '../../src/alerts/finding/readMinutes.ts'
import { type Preview, type PreviewDeps, previewDay } from '../../src/alerts/preview.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { tradingDayArgument } from '../../src/core/days.ts'
import { alignColumns } from '../../src/data/published/analyst.ts'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { openJudge } from '../../src/positions/marketValues.ts'
import type { ServerStore } from '../../src/server/accountStore.ts'
import { openPositionsAt } from './positions.ts'

/** Runs `tapefold alert preview`. */
export async function alertPreviewCommand(
  { words, account, json, data }: Input<typeof ALERT, 'alert preview'>,
  context: CommandContext<ServerStore>,
): Promise<void> {
  const request = { day: tradingDayArgument(words[0]), accountId: account ?? null }
  const preview = (accounts: ServerStore) =>
    withDeps(data, accounts, request.accountId, deps => previewDay(deps, request))
  const previewed = await (account === undefined
    ? withAccounts({ openAccounts: context.openNoAccounts }, preview)
    : withAccount(context, account, preview))
  process.stdout.write(json ? `${JSON.stringify(previewed, null, 1)}\n` : previewText(previewed))
}

/** Opens the inputs of a preview, and closes them afterwards. */
async function withDeps<T>(
  dataFolder: string,
  accounts: ServerStore,
  accountId: string | null,
  work: (deps: PreviewDeps) => Promise<T>,
): Promise<T> {
  const log = { error: () => {} }
  const { nowMs } = systemClock
  const catalog = openCatalog({ dataFolder, nowMs, log })
  const reader = await openMinutes({ dataFolder, reportDamage: catalog.reportDamage })
  const judge = openJudge(dataFolder)
  const say = { info: () => {}, error: () => {} }
  const judgeAt = openPositionsAt({ catalog, judge, nowMs, say })
  const storedPositions = (await accounts.alertingPositions()).filter(
    one => one.accountId === accountId,
  )
  // with the current settings, whenever these were saved
  const positions = storedPositions.map(one => ({ ...one, updatedAtMs: 0 }))
  try {
    return await work({
      catalog,
      reader,
      accounts,
      positionsAt: (minute, { manifest }) => judgeAt(positions, { manifest, minute }),
    })
  } finally {
    reader.close()
    await judge.close()
  }
}

/** A line an event, then what the session does not say. */
function previewText({ day, until, events, note, unknown }: Preview): string {
  if (note !== undefined) return `${note}\n`
  const rows = events.map(({ t, type, text }) => [t, type, text])
  const count = events.length === 1 ? '1 event' : `${events.length} events`
  const table = rows.length === 0 ? '' : `${alignColumns([['ET', 'event', 'text'], ...rows])}\n`
  const why = unknown === undefined ? '' : `${unknown}\n`
  return `${table}${count} on ${day} up to ${until} ET\n${why}`
}
