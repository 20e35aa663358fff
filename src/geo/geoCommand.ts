import { type CommandContext, type CommandWork, withAccount } from '../accounts/commandContext.ts'
import type { Account, AccountStore } from '../accounts/types.ts'
import { systemClock } from '../core/clock.ts'
import { UsageError } from '../core/command.ts'
import type { Input } from '../core/commandRow.ts'
import { writeOutput } from '../core/disk/files.ts'
import { DAYS_MAX } from '../data/geo/weeks.ts'
import { type WebhookTools, webhookTools } from '../platform/webhooks/tools.ts'
import {
  type GeoReader,
  openGeo,
  readCountries,
  readHealth,
  readItemsCsv,
  readItemsPage,
  readSources,
  readWeeks,
} from './ask.ts'
import type { GEO } from './commandRows.ts'
import { PAGE_PARAMETERS, readItems, readPage, readWeek } from './params.ts'
import { removeGeoWebhook, saveGeoWebhook, testGeoWebhook } from './webhook.ts'

type Run<Name extends string> = CommandWork<typeof GEO, Name>

type Values = Input<typeof GEO, 'geo weeks'> & {
  readonly [Name in (typeof PAGE_PARAMETERS)[number]]?: string | undefined
}

/** Each parameter as the API is given it. */
const givenIn = (values: Values) =>
  Object.fromEntries(
    PAGE_PARAMETERS.map(name => [name, values[name] === undefined ? [] : [values[name]]]),
  ) as unknown as Record<(typeof PAGE_PARAMETERS)[number], readonly string[]>

/** Writes the text of a query at an instant. */
async function printText(
  { at, data, out }: Values,
  read: (geo: GeoReader, nowMs: number) => Promise<string>,
): Promise<void> {
  const nowMs = parseInstant(at)
  const geo = openGeo(data)
  try {
    writeOutput(out, Buffer.from(await read(geo, nowMs)))
  } finally {
    await geo.reader.close()
  }
}

const printJson = (
  values: Values,
  read: (geo: GeoReader, nowMs: number) => Promise<object>,
): Promise<void> =>
  printText(values, async (geo, nowMs) => `${JSON.stringify(await read(geo, nowMs), null, 1)}\n`)

/** Runs `tapefold geo items`. */
export const geoItemsCommand: Run<'geo items'> = input =>
  printJson(input, async (geo, nowMs) =>
    readItemsPage(geo, readPage(givenIn(input), { access: 'keyed', nowMs })),
  )

/** Runs `tapefold geo csv`. */
export const geoCsvCommand: Run<'geo csv'> = input =>
  printText(input, async (geo, nowMs) => {
    const range = { access: 'keyed', nowMs, atMs: nowMs, daysMax: DAYS_MAX.export } as const
    return readItemsCsv(geo, readItems(givenIn(input), range), nowMs)
  })

/** Runs `tapefold geo weeks`. */
export const geoWeeksCommand: Run<'geo weeks'> = input =>
  printJson(input, async (geo, nowMs) => readWeeks(geo, nowMs))

/** Runs `tapefold geo countries`. */
export const geoCountriesCommand: Run<'geo countries'> = input =>
  printJson(input, async (geo, nowMs) =>
    readCountries(geo, readWeek(givenIn(input).week, { access: 'keyed', nowMs }), nowMs),
  )

/** Runs `tapefold geo health`. */
export const geoHealthCommand: Run<'geo weeks'> = input =>
  printJson(input, async (geo, nowMs) => readHealth(geo, nowMs))

/** Runs `tapefold geo sources`. */
export const geoSourcesCommand: Run<'geo weeks'> = input =>
  printJson(input, async (geo, nowMs) => readSources(geo, nowMs))

function parseInstant(text: string | undefined): number {
  if (text === undefined) return systemClock.nowMs()
  const atMs = Date.parse(text)
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z$/.test(text) && Number.isFinite(atMs)) return atMs
  throw new UsageError(`--at is ${text}; give a time in UTC, such as 2026-10-15T14:00:00Z.`)
}

type WebhookDeps = { readonly accounts: AccountStore; readonly webhooks: WebhookTools }
type WebhookRequest = { readonly account: Account; readonly atMs: number }

const changeWebhook = (
  { words, out }: Input<typeof GEO, 'geo webhook test'>,
  context: CommandContext,
  change: (deps: WebhookDeps, request: WebhookRequest) => Promise<string>,
): Promise<void> =>
  withAccount(context, words[0], async (accounts, account) => {
    const deps = { accounts, webhooks: webhookTools(context.config) }
    writeOutput(out, Buffer.from(await change(deps, { account, atMs: context.nowMs() })))
  })

/** Runs `tapefold geo webhook save`. */
export const geoWebhookSaveCommand: Run<'geo webhook save'> = (input, context) => {
  const [account, address] = input.words
  return changeWebhook({ ...input, words: [account] }, context, async (deps, request) => {
    const { endpoint, warning, newSecret } = await saveGeoWebhook(deps, { ...request, address })
    if (warning !== null) {
      process.stderr.write(`tapefold: ${warning}; it is saved, but see that a test arrives.\n`)
    }
    return `${endpoint.url} is saved, and on\n${newSecret === null ? '' : `its secret is ${newSecret}\n`}`
  })
}

/** Runs `tapefold geo webhook test`. */
export const geoWebhookTestCommand: Run<'geo webhook test'> = (input, context) =>
  changeWebhook(
    input,
    context,
    async (deps, request) => `${await testGeoWebhook(deps, request)} is queued\n`,
  )

/** Runs `tapefold geo webhook remove`. */
export const geoWebhookRemoveCommand: Run<'geo webhook test'> = (input, context) =>
  changeWebhook(input, context, async (deps, request) => {
    await removeGeoWebhook(deps, request)
    return 'it is removed\n'
  })
