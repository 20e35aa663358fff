import { csvText } from '../core/disk/csv.ts'
import type { GeoItem } from './item.ts'

/** Items in the format of the API. */

export type WireItem = ReturnType<typeof itemWire>

export function itemWire(item: GeoItem) {
  return {
    id: item.id,
    kind: item.kind,
    week: item.week,
    date: item.date,
    country: item.country,
    code: item.code,
    label: item.label,
    events: item.events,
    mentions: item.mentions,
    goldstein: item.goldstein === null ? null : Math.round(item.goldstein * 100) / 100 + 0,
    url: item.url,
    source: item.source,
    known_at: utcText(item.knownMs),
    updated_at: utcText(item.updatedMs),
    session: item.session,
    minute: item.minute,
  }
}

/** An instant, such as 2026-10-14T12:30:00Z. */
export const utcText = (atMs: number): string =>
  `${new Date(Math.floor(atMs / 1000) * 1000).toISOString().slice(0, 19)}Z`

const NAMES = [
  'id',
  'kind',
  'week',
  'date',
  'country',
  'code',
  'label',
  'events',
  'mentions',
  'goldstein',
  'url',
  'source',
  'known_at',
  'updated_at',
  'session',
  'minute',
] as readonly (keyof WireItem)[]

/** Items as CSV: the columns are the fields of the JSON, in the same order. */
export const itemsCsv = (items: readonly GeoItem[]): string =>
  csvText([NAMES, ...items.map(itemWire).map(item => NAMES.map(name => item[name]))], '\n')

const NOTE =
  'Events are machine-coded news: counts of what was reported, not of what happened. ' +
  'Releases are dates of published statistics.'

/** Note on every list. */
export const formatNote = (isSimulated: boolean): string =>
  isSimulated ? `SIMULATED: nothing in it was reported. ${NOTE}` : NOTE
