import { noAccount } from '../../src/accounts/arguments.ts'
import { openMinutes } from '../../src/alerts/finding/readMinutes.ts'
import { type Preview, type PreviewDeps, previewDay } from '../../src/alerts/preview.ts'
import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { tradingDayArgument } from '../../src/core/days.ts'
import { alignColumns } from '../../src/data/published/analyst.ts'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { openJudge } from '../../src/positions/marketValues.ts'
import {
  openAccountStore,
  openNoAccounts,
  type ServerStore,
} from '../../src/server/accountStore.ts'
import { openPositionsAt } from '../watch/positions.ts'
import { accountsAddress, asRefusal, writeOutput } from './command.ts'

const USAGE = `usage: tapefold alert preview DAY [--account ACCOUNT] [--json] [--data DIR]

Lists what an account would have been told on a day, and when, if it had set what it sets now before
the session began. Nothing is written and nothing is sent.

  --account ACCOUNT   whose settings and positions; without it, the usual list
  --json              each event with the body that would have been sent
`

/** Runs `alert preview`. Fails with one sentence. */
export async function runAlertPreview(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    usage: USAGE,
    allowPositionals: true,
    options: {
      data: { type: 'string', default: 'data' },
      account: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const [day, ...others] = positionals
  if (day === undefined || others.length > 0) {
    throw new UsageError('alert preview takes one day: alert preview 2026-10-15.')
  }
  const request = { day: tradingDayArgument(day), accountId: values.account ?? null }
  const accounts = await (request.accountId === null
    ? openNoAccounts()
    : openAccountStore(accountsAddress(values.data)))
  try {
    if (request.accountId !== null && !(await accounts.findAccount(request.accountId))) {
      throw noAccount(request.accountId)
    }
    const preview = await withDeps(values.data, accounts, request.accountId, deps =>
      previewDay(deps, request),
    )
    const text = values.json ? `${JSON.stringify(preview, null, 1)}\n` : previewText(preview)
    writeOutput(undefined, Buffer.from(text))
  } catch (error) {
    throw asRefusal(error)
  } finally {
    await accounts.close()
  }
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
