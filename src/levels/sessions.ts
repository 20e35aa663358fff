import { join } from 'node:path'
import type { MinuteEt } from '../core/market/calendar.ts'
import { datasetFiles } from '../data/published/liveManifest.ts'
import type { PublishedFile, PublishedManifest } from '../data/published/manifest.ts'
import { openCache } from '../platform/pool/cache.ts'
import type { Requester, RequestScheduler } from '../platform/pool/requestScheduler.ts'
import { openThread } from '../platform/pool/thread.ts'
import { type DatasetStore, STORES, type StoredColumns } from './columns.ts'
import type { ReadDataset } from './datasets.ts'
import type { FilesWanted, ReadColumns } from './readDataset.ts'

/** The columns of levels of 60 sessions; ladders and curves of about 30. */
const LEVELS_MAX_BYTES = 24 * 1024 * 1024
const OTHERS_MAX_BYTES = 128 * 1024 * 1024
const SCRIPT = join(import.meta.dirname, 'readThread.ts')

/** Published data of sessions, read on first use and then cached in memory. */
export type Sessions = {
  /**
   * Returns a dataset of a session, of a running one up to its manifest; null when the session has
   * none. With a minute, its rows alone. Scheduled fairly by requester. Fails with DamagedFile, and
   * as the request scheduler does.
   */
  readonly read: <Name extends ReadDataset>(
    manifest: PublishedManifest,
    dataset: Name,
    requester: Requester,
    minute?: MinuteEt | null,
  ) => Promise<StoredColumns[Name] | null>
  readonly close: () => Promise<void>
}

type Entry = { readonly files: readonly string[]; readonly stored: StoredColumns[ReadDataset] }

/** Opens the reader of a data folder; its thread starts with the first request. */
export function openSessions(dataFolder: string, scheduler: RequestScheduler): Sessions {
  const levels = openCache<Entry>(LEVELS_MAX_BYTES)
  const others = openCache<Entry>(OTHERS_MAX_BYTES)
  const thread = openThread<FilesWanted, ReadColumns>({ script: SCRIPT, workerData: null })
  const chooseCache = (dataset: ReadDataset) => (dataset === 'levels' ? levels : others)

  const load = async (wanted: FilesWanted): Promise<Entry> => {
    const { dataset, minute } = wanted
    const before = chooseCache(dataset).get(cacheKey(wanted))
    const names = wanted.files.map(({ file }) => file)
    const isLonger =
      (minute === null && before?.files.every((file, index) => file === names[index])) ?? false
    const files = isLonger ? wanted.files.slice(before!.files.length) : wanted.files
    if (isLonger && files.length === 0) return before!
    const {
      from,
      join: append,
      bytes,
    } = STORES[dataset] as DatasetStore<StoredColumns[ReadDataset]>
    const added = from(await thread.query({ ...wanted, files }))
    const stored = isLonger ? append(before!.stored, added) : added
    const entry = { files: names, stored }
    chooseCache(dataset).put(cacheKey(wanted), entry, bytes(stored))
    return entry
  }
  const queue = scheduler.openQueue<FilesWanted, Entry>({
    budget: 1,
    serve: async ([wanted]) => [await load(wanted!)],
  })
  return {
    read: async (manifest, dataset, requester, minute = null) => {
      const { folder, files } = datasetFiles(dataFolder, manifest, dataset)
      if (files.length === 0) return null
      const { session_date: date } = manifest
      const input = { date, dataset, folder, files: files.map(toEntry), minute }
      const known = chooseCache(dataset).get(cacheKey(input))
      if (known && isSame(known.files, files)) return known.stored as never
      const key = [dataset, minute, ...files.map(({ file }) => file)].join(' ')
      return (await queue.submit({ key, cost: 1, input }, requester)).stored as never
    },
    close: async () => {
      await queue.close()
      await thread.close()
    },
  }
}

const cacheKey = ({ date, dataset, minute }: Pick<FilesWanted, 'date' | 'dataset' | 'minute'>) =>
  [date, dataset, minute].join(' ')

const isSame = (names: readonly string[], files: readonly PublishedFile[]): boolean =>
  names.length === files.length && files.every(({ file }, index) => file === names[index])

const toEntry = ({ file, bytes, sha256 }: PublishedFile): PublishedFile => ({ file, bytes, sha256 })
