import { neighbourSession, wallTimeEt } from '../core/market/calendar.ts'
import { readWeek, recordedWeeks } from '../data/geo/records.ts'
import { endOfWeekMs, toWeek, type Week, weekDays } from '../data/geo/weeks.ts'
import { ApiError } from '../platform/http/error.ts'
import { cursorAfter } from './cursor.ts'
import { type GeoItem, sessionsBetween } from './item.ts'
import { oldestFreeDay, type WantedItems, type WantedPage } from './params.ts'
import { COUNTRIES, isShared, SHARED_SOURCES } from './reference.ts'
import { openWeeks, readable, sortKey, type WeekItems, type WeekReader } from './weekItems.ts'
import { formatNote, itemsCsv, itemWire, utcText } from './wire.ts'

/** Queries of public records: values in, values out. */

/** The records of a data folder. A response as of an instant contains nothing known later. */
export type GeoReader = { readonly dataFolder: string; readonly reader: WeekReader }

/** Opens the records of a data folder; close its reader after use. */
export const openGeo = (dataFolder: string): GeoReader => {
  return { dataFolder, reader: openWeeks(dataFolder) }
}

type Days = { readonly from: string; readonly to: string }

/** Yields weeks with records in a range of days, newest first, with their items of those days. */
async function* weekly(geo: GeoReader, days: Days, atMs: number): AsyncGenerator<WeekItems> {
  const weeks = recordedWeeks(geo.dataFolder)
  const wanted = weeks.filter(week => week >= toWeek(days.from) && week <= toWeek(days.to))
  for (const week of wanted.reverse()) {
    const read = await geo.reader.read(week, atMs)
    const items = read.items.filter(({ date }) => date >= days.from && date <= days.to)
    yield { ...read, items }
  }
}

const isWanted = ({ country, kind }: GeoItem, wanted: WantedItems): boolean =>
  (wanted.kind === null || wanted.kind === kind) &&
  (wanted.countries === null || wanted.countries.includes(country))

async function allItems(geo: GeoReader, wanted: WantedItems, atMs: number) {
  const parts: (readonly GeoItem[])[] = []
  let isSimulated = false
  for await (const week of weekly(geo, wanted, atMs)) {
    parts.push(week.items.filter(item => isWanted(item, wanted)))
    isSimulated ||= week.simulated
  }
  return { items: parts.flat(), isSimulated }
}

/** Returns a page of items, newest day first. Fails with `damaged`, as all queries do. */
export async function readItemsPage(geo: GeoReader, page: WantedPage) {
  const { limit, after, atMs, question, ...wanted } = page
  const found: GeoItem[] = []
  let isSimulated = false
  for await (const week of weekly(geo, wanted, atMs)) {
    isSimulated ||= week.simulated
    const here = week.items.filter(item => isWanted(item, wanted))
    for (const item of here) if (after === null || sortKey(item) > after) found.push(item)
    if (found.length > limit) break
  }
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1)! : null
  return {
    from: wanted.from,
    to: wanted.to,
    as_of: utcText(atMs),
    simulated: isSimulated,
    note: formatNote(isSimulated),
    items: items.map(itemWire),
    next_cursor: last && cursorAfter({ atMs, after: sortKey(last) }, question),
  }
}

/** Returns all items as CSV. */
export async function readItemsCsv(
  geo: GeoReader,
  wanted: WantedItems,
  atMs: number,
): Promise<string> {
  return itemsCsv((await allItems(geo, wanted, atMs)).items)
}

/** Lists the weeks of the days available without a key, newest first. */
export async function readWeeks(geo: GeoReader, nowMs: number) {
  const newest = await newestKnown(geo, nowMs)
  const weeks = []
  const days = { from: oldestFreeDay(nowMs), to: '9999-12-31' }
  for await (const week of weekly(geo, days, nowMs)) {
    if (week.items.length > 0) weeks.push(weekWire(week, days.from, newest))
  }
  return { as_of: utcText(nowMs), weeks }
}

/** Counts the reports of each country in a week, most events first. */
export async function readCountries(
  geo: GeoReader,
  { week, ...days }: Days & { readonly week: Week },
  nowMs: number,
) {
  const { items, isSimulated } = await allItems(geo, { ...days, ...EVERYTHING }, nowMs)
  const groups = [...Map.groupBy(items, ({ country }) => country)]
  const countries = groups.map(([country, own]) => {
    return { country, name: COUNTRIES.get(country) ?? country, ...countItems(own) }
  })
  countries.sort((a, b) => b.events - a.events || (a.country < b.country ? -1 : 1))
  const head = { ...days, as_of: utcText(nowMs), simulated: isSimulated }
  return { week, ...head, note: formatNote(isSimulated), countries }
}

const EVERYTHING = { countries: null, kind: null } as const

/** Returns the time up to which each source is known. */
export async function readHealth(geo: GeoReader, nowMs: number) {
  const { sources } = await readSources(geo, nowMs)
  const sourceStates = sources.map(({ source, newest_known_at }) => ({ source, newest_known_at }))
  return { as_of: utcText(nowMs), sources: sourceStates }
}

/** Lists the sources of the records, with their licences. */
export async function readSources(geo: GeoReader, nowMs: number) {
  const newest = await newestKnown(geo, nowMs)
  const sources = SHARED_SOURCES.map(row => {
    const atMs = newest.get(row.source)
    return { ...row, newest_known_at: atMs === undefined ? null : utcText(atMs) }
  })
  return { sources }
}

/** Returns the releases of a session from some days, as known at an instant, in time order. */
async function readReleases(
  geo: GeoReader,
  { session, ...days }: Days & { readonly session: string },
  nowMs: number,
) {
  const wanted = { ...days, countries: null, kind: 'release' } as const
  const { items, isSimulated } = await allItems(geo, wanted, nowMs)
  const own = items.filter(item => item.session === session)
  const ordered = own.toSorted((a, b) => a.knownMs - b.knownMs || (a.id < b.id ? -1 : 1))
  return { releases: ordered, isSimulated }
}

/** Queries of public records for other areas. */
export type GeoAsk = {
  /** Current releases during a session; null when they cannot be read. */
  readonly readReleases: (day: string) => Promise<readonly SessionRelease[] | null>
}

/** Published statistics. */
export type SessionRelease = {
  readonly label: string
  /** ISO 3166. */
  readonly country: string
  /** Time of release, ET: 'HH:MM', with its day when that is not the session's. */
  readonly time: string
  readonly known_at: string
  /** First minute whose levels could include it; null outside of their hours. */
  readonly minute: string | null
  readonly url: string | null
  readonly simulated: boolean
}

/** Opens the queries for other areas over the records of a data folder. */
export const openGeoAsk = (geo: GeoReader, nowMs: () => number): GeoAsk => ({
  readReleases: async day => {
    const days = { from: neighbourSession(day, -1).date, to: day, session: day }
    try {
      const { releases, isSimulated } = await readReleases(geo, days, nowMs())
      return releases.map(({ label, country, minute, url, knownMs }) => ({
        label,
        country,
        minute,
        url,
        simulated: isSimulated,
        known_at: utcText(knownMs),
        time: timeOn(day, knownMs),
      }))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'damaged') return null
      throw error
    }
  },
})

/** The minute of an instant in New York, with its day if that differs. */
function timeOn(day: string, atMs: number): string {
  const { date, minute } = wallTimeEt(atMs)
  return date === day ? minute : `${date} ${minute}`
}

/** Sums counts: events count 0 when none is reported; mentions are null when none was counted. */
function countItems(items: readonly GeoItem[]) {
  const mentions = items.map(item => item.mentions).filter(count => count !== null)
  return {
    items: items.length,
    releases: items.filter(({ kind }) => kind === 'release').length,
    events: items.reduce((sum, { events }) => sum + (events ?? 0), 0),
    mentions: mentions.length === 0 ? null : mentions.reduce((sum, count) => sum + count, 0),
  }
}

/** A week; it is complete once each of its sources is known beyond its end. */
function weekWire(
  { week, items, simulated }: WeekItems,
  oldest: string,
  newest: ReadonlyMap<string, number>,
) {
  const days = weekDays(week)
  const endMs = endOfWeekMs(week)
  const sources = [...new Set(items.map(({ source }) => source))]
  return {
    week,
    from: days.from < oldest ? oldest : days.from,
    to: days.to,
    ...countItems(items),
    countries: new Set(items.map(({ country }) => country)).size,
    complete: sources.every(source => (newest.get(source) ?? 0) >= endMs),
    simulated,
    sessions: sessionsBetween(days.from, days.to),
  }
}

type NewestReader = { readonly dataFolder: string; readonly reader: Pick<WeekReader, 'read'> }

/** Returns the newest instant of each shareable source among all that is known at an instant. */
async function newestKnown(
  { dataFolder, reader }: NewestReader,
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const newest = new Map<string, number>()
  const raise = (source: string, atMs: number) => {
    if (isShared(source)) newest.set(source, Math.max(newest.get(source) ?? atMs, atMs))
  }
  for (const week of recordedWeeks(dataFolder)) {
    const { batches } = readable(() => readWeek(dataFolder, week))
    let isDivided = false
    for (const [source, { from, to }] of batches.flatMap(({ known }) => Object.entries(known))) {
      if (to <= nowMs) raise(source, to)
      else if (from <= nowMs) isDivided = true
    }
    // a part of a batch lies in the future: its records show how far the source is known
    if (!isDivided) continue
    for (const { source, updatedMs } of (await reader.read(week, nowMs)).items) {
      raise(source, updatedMs)
    }
  }
  return newest
}
