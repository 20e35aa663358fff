import { noAccount } from '../../src/accounts/arguments.ts'
import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import {
  type GeoReader,
  openGeo,
  readCountries,
  readHealth,
  readItemsCsv,
  readItemsPage,
  readSources,
  readWeeks,
} from '../../src/geo/ask.ts'
import { DAYS_MAX, PAGE_PARAMETERS, readItems, readPage, readWeek } from '../../src/geo/params.ts'
import { removeGeoWebhook, saveGeoWebhook, testGeoWebhook } from '../../src/geo/webhook.ts'
import { webhookTools } from '../../src/platform/webhooks/tools.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import {
  accountsAddress,
  asRefusal,
  environmentConfig,
  runCommand,
  writeOutput,
} from './command.ts'

const USAGE = `usage: tapefold geo items|csv|weeks|countries|health|sources ... [--data DIR]
       tapefold geo webhook save|test|remove ACCOUNT [URL] [--data DIR]

What was reported in the world, by country and week, as the Geo API answers it.

  items      a page of items, newest day first, of any days
  csv        all items of ${DAYS_MAX.export} days at most
  weeks      the weeks of the last 30 days
  countries  how much was reported of each country in a week
  health     up to when each source is known
  sources    whose records they are, and how to cite them
  webhook    where an account is told of new records; the first save prints its secret

  --week W        items, csv, countries: an ISO week, such as 2026-W42
  --from, --to    items, csv: the first day and the last, such as 2026-10-12
  --country LIST  items, csv: ISO 3166, such as UA,IL
  --kind KIND     items, csv: event or release
  --limit N       items: 1 to 1000 (100)
  --cursor C      items: next_cursor of the page before
  --at TIME       as it was known then, such as 2026-10-15T14:00:00Z; left out, now
  --out FILE      writes there instead of to standard output
`

type Values = { readonly [Name in (typeof PAGE_PARAMETERS)[number]]?: string | undefined } & {
  readonly data: string
  readonly at?: string | undefined
  readonly out?: string | undefined
}

/** Runs `tapefold geo`. Fails with one sentence. */
export async function runGeo(args: readonly string[]): Promise<void> {
  const named = Object.fromEntries(
    PAGE_PARAMETERS.map(name => [name, { type: 'string' as const }]),
  ) as Record<(typeof PAGE_PARAMETERS)[number], { type: 'string' }>
  const { values, positionals } = readArguments(args, {
    usage: USAGE,
    allowPositionals: true,
    options: {
      ...named,
      data: { type: 'string', default: 'data' },
      at: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const [verb, ...rest] = positionals
  try {
    if (verb === 'webhook') return writeOutput(values.out, await changeWebhook(rest, values.data))
    if (rest.length > 0) throw new UsageError(`geo ${verb} takes options alone; see --help.`)
    writeOutput(values.out, await runVerb(verb, values))
  } catch (error) {
    throw asRefusal(error)
  }
}

async function runVerb(verb: string | undefined, values: Values): Promise<Buffer> {
  const nowMs = parseInstant(values.at)
  const geo = openGeo(values.data)
  try {
    if (verb === 'csv') return Buffer.from(await renderCsv(geo, values, nowMs))
    return Buffer.from(`${JSON.stringify(await readResponse(verb, geo, values, nowMs), null, 1)}\n`)
  } finally {
    await geo.reader.close()
  }
}

/** Formats each parameter as the API is given it. */
const givenIn = (values: Values) =>
  Object.fromEntries(
    PAGE_PARAMETERS.map(name => [name, values[name] === undefined ? [] : [values[name]]]),
  ) as unknown as Record<(typeof PAGE_PARAMETERS)[number], readonly string[]>

function renderCsv(geo: GeoReader, values: Values, nowMs: number): Promise<string> {
  const range = { access: 'keyed', nowMs, atMs: nowMs, daysMax: DAYS_MAX.export } as const
  return readItemsCsv(geo, readItems(givenIn(values), range), nowMs)
}

function readResponse(verb: string | undefined, geo: GeoReader, values: Values, nowMs: number) {
  const call = { access: 'keyed', nowMs } as const
  switch (verb) {
    case 'items':
      return readItemsPage(geo, readPage(givenIn(values), call))
    case 'weeks':
      return readWeeks(geo, nowMs)
    case 'countries':
      return readCountries(geo, readWeek(givenIn(values).week, call), nowMs)
    case 'health':
      return readHealth(geo, nowMs)
    case 'sources':
      return readSources(geo, nowMs)
    default:
      throw new UsageError(
        'geo takes items, csv, weeks, countries, health, sources or webhook: geo items --week W.',
      )
  }
}

function parseInstant(text: string | undefined): number {
  if (text === undefined) return systemClock.nowMs()
  const atMs = Date.parse(text)
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z$/.test(text) && Number.isFinite(atMs)) return atMs
  throw new UsageError(`--at is ${text}; give a time in UTC, such as 2026-10-15T14:00:00Z.`)
}

async function changeWebhook(words: readonly string[], data: string): Promise<Buffer> {
  const [verb, accountId, address, ...others] = words
  const wanted = verb === 'save' ? 3 : 2
  if (!['save', 'test', 'remove'].includes(verb ?? '') || words.length !== wanted || others[0]) {
    throw new UsageError(
      'geo webhook takes save, test or remove: geo webhook save acc_4fQ8sK2mZx0T ' +
        'https://example.com/geo.',
    )
  }
  const accounts = await openAccountStore(accountsAddress(data))
  try {
    const account = await accounts.findAccount(accountId!)
    if (!account) throw noAccount(accountId!)
    const deps = { accounts, webhooks: webhookTools({ ...environmentConfig(), dataFolder: data }) }
    const request = { account, atMs: systemClock.nowMs() }
    if (verb === 'remove') {
      await removeGeoWebhook(deps, request)
      return Buffer.from('it is removed\n')
    }
    if (verb === 'test') return Buffer.from(`${await testGeoWebhook(deps, request)} is queued\n`)
    const saved = await saveGeoWebhook(deps, { ...request, address: address! })
    if (saved.warning !== null) {
      process.stderr.write(
        `tapefold: ${saved.warning}; it is saved, but see that a test arrives.\n`,
      )
    }
    const secret = saved.newSecret === null ? '' : `its secret is ${saved.newSecret}\n`
    return Buffer.from(`${saved.endpoint.url} is saved, and on\n${secret}`)
  } finally {
    await accounts.close()
  }
}

if (import.meta.main) runCommand(() => runGeo(process.argv.slice(2)))
