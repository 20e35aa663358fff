import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { Refusal } from '../core/disk/refusal.ts'
import {
  geoFolder,
  type RecordBatch,
  readWeek,
  type WeekManifest,
  weekVersion,
} from '../data/geo/records.ts'
import { type Week, weekDays } from '../data/geo/weeks.ts'
import { DamagedFile } from '../data/published/damagedFile.ts'
import { ApiError } from '../platform/http/error.ts'
import { openThread } from '../platform/pool/thread.ts'
import { type GeoItem, type ItemRow, toGeoItem } from './item.ts'
import { isShared } from './reference.ts'

/** Request to the thread: the records of a week, as known at an instant. */
export type WeekQuestion = {
  readonly monday: string
  readonly folder: string
  readonly files: readonly Pick<RecordBatch, 'file' | 'sha256'>[]
  readonly version: string
  readonly atMs: number
}

export type WeekRows = {
  /** Instants at which the known data of the week changed, ascending. */
  readonly instants: readonly number[]
  readonly rows: readonly ItemRow[]
}

/** The items of a week, newest day first, and the time span in which they are current. */
export type WeekItems = {
  readonly week: Week
  readonly simulated: boolean
  readonly items: readonly GeoItem[]
  readonly fromMs: number
  readonly untilMs: number
}

export type WeekReader = {
  /** Fails with `damaged`. */
  readonly read: (week: Week, atMs: number) => Promise<WeekItems>
  readonly close: () => Promise<void>
}

/** Maximum number of cached items, of all weeks together. */
const ITEMS_MAX = 200_000
const SCRIPT = join(import.meta.dirname, 'readThread.ts')

/** Reads the weeks of a data folder; the only filter for records that may not be redistributed. */
export function openWeeks(dataFolder: string): WeekReader {
  const thread = openThread<WeekQuestion, WeekRows>({ script: SCRIPT, workerData: null })
  const cache = new LRUCache<string, readonly WeekItems[]>({
    maxSize: ITEMS_MAX,
    sizeCalculation: all => 1 + all.reduce((sum, { items }) => sum + items.length, 0),
  })
  const folder = geoFolder(dataFolder)

  const readWeekItems = async (manifest: WeekManifest, atMs: number): Promise<WeekItems> => {
    const { week, batches } = manifest
    const files = batches.map(({ file, sha256 }) => ({ file, sha256 }))
    const question = { monday: weekDays(week).from, folder, files, atMs }
    const { instants, rows } = await thread.query({ ...question, version: weekVersion(manifest) })
    const items = rows.filter(({ source }) => isShared(source)).map(row => toGeoItem(week, row))
    return {
      week,
      simulated: batches.some(({ simulated }) => simulated),
      items: items.sort(inOrder),
      fromMs: instants.findLast(instant => instant <= atMs) ?? Number.NEGATIVE_INFINITY,
      untilMs: instants.find(instant => instant > atMs) ?? Number.POSITIVE_INFINITY,
    }
  }
  return {
    read: async (week, atMs) => {
      const manifest = readable(() => readWeek(dataFolder, week))
      const key = weekVersion(manifest)
      const known = cache.get(key) ?? []
      const found = known.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)
      if (found) return found
      const read = await readWeekItems(manifest, atMs).catch(failAsDamaged)
      // a growing week is requested at ever later instants
      cache.set(key, [...(cache.get(key) ?? []).slice(-2), read])
      return read
    },
    close: thread.close,
  }
}

/** Newest day first; a total order, independent of the other items. */
export const inOrder = (one: GeoItem, other: GeoItem): number =>
  sortKey(one) < sortKey(other) ? -1 : 1

/** Key that sorts as the items do: newest day first. */
export function sortKey({ date, kind, country, code, source }: GeoItem): string {
  const backwards = date.replaceAll(/\d/g, digit => String(9 - Number(digit)))
  return [backwards, kind, country, code, source].join(' ')
}

function failAsDamaged(cause: unknown): never {
  if (!(cause instanceof DamagedFile)) throw cause
  throw Object.assign(damaged(), { cause })
}

/** Reports an unreadable manifest like a damaged file. */
export function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    throw Object.assign(damaged(), { cause })
  }
}

const damaged = () =>
  new ApiError('damaged', {
    message: 'a file of the records is damaged and has to be repaired; ask again in a minute.',
    headers: { 'retry-after': '60' },
  })
