import { join } from 'node:path'
import { openCache } from '../fair/cache.ts'
import type { Asker, Desk } from '../fair/desk.ts'
import { openThread } from '../fair/thread.ts'
import { datasetFiles } from '../published/liveManifest.ts'
import type { PublishedFile, PublishedManifest } from '../published/manifest.ts'
import { BYTES, JOIN, KEEP, type Kept } from './columns.ts'
import type { ReadDataset } from './datasets.ts'
import type { FilesWanted, ReadColumns } from './readDataset.ts'

/** The columns of levels of 60 sessions; ladders and curves of about 30. */
const LEVELS_MAX_BYTES = 24 * 1024 * 1024
const OTHERS_MAX_BYTES = 128 * 1024 * 1024
const SCRIPT = join(import.meta.dirname, 'readThread.ts')

/** What sessions have published, read when it is first asked for and then kept in memory. */
export type Sessions = {
  /**
   * A dataset of a session, of a running one as far as its manifest goes; null where the session
   * has none. In the turns of who asks; fails with DamagedFile, and as a desk's lane does.
   */
  readonly read: <Name extends ReadDataset>(
    manifest: PublishedManifest,
    dataset: Name,
    asker: Asker,
  ) => Promise<Kept[Name] | null>
  readonly close: () => Promise<void>
}

type Entry = { readonly files: readonly string[]; readonly kept: Kept[ReadDataset] }

/** Opens the reader of a data folder; its thread starts with the first question. */
export function openSessions(dataFolder: string, desk: Desk): Sessions {
  const levels = openCache<Entry>(LEVELS_MAX_BYTES)
  const others = openCache<Entry>(OTHERS_MAX_BYTES)
  const thread = openThread<FilesWanted, ReadColumns>({ script: SCRIPT, workerData: null })
  const cacheOf = (dataset: ReadDataset) => (dataset === 'levels' ? levels : others)

  const load = async (wanted: FilesWanted): Promise<Entry> => {
    const { date, dataset } = wanted
    const before = cacheOf(dataset).get(`${date} ${dataset}`)
    const names = wanted.files.map(({ file }) => file)
    const isLonger = before?.files.every((file, index) => file === names[index]) ?? false
    const files = isLonger ? wanted.files.slice(before!.files.length) : wanted.files
    if (isLonger && files.length === 0) return before!
    const added = KEEP[dataset](await thread.ask({ ...wanted, files }))
    const kept = isLonger ? (JOIN[dataset] as Join)(before!.kept, added) : added
    const entry = { files: names, kept }
    cacheOf(dataset).put(`${date} ${dataset}`, entry, (BYTES[dataset] as Weigh)(kept))
    return entry
  }
  const lane = desk.lane<FilesWanted, Entry>({
    budget: 1,
    serve: async ([wanted]) => [await load(wanted!)],
  })
  return {
    read: async (manifest, dataset, asker) => {
      const { folder, files } = datasetFiles(dataFolder, manifest, dataset)
      if (files.length === 0) return null
      const { session_date: date } = manifest
      const known = cacheOf(dataset).get(`${date} ${dataset}`)
      if (known && isSame(known.files, files)) return known.kept as never
      const input = { date, dataset, folder, files: files.map(entryOf) }
      const key = [dataset, ...files.map(({ file }) => file)].join(' ')
      return (await lane.ask({ key, cost: 1, input }, asker)).kept as never
    },
    close: async () => {
      await lane.close()
      await thread.close()
    },
  }
}

type Join = (kept: Kept[ReadDataset], added: Kept[ReadDataset]) => Kept[ReadDataset]
type Weigh = (kept: Kept[ReadDataset]) => number

const isSame = (names: readonly string[], files: readonly PublishedFile[]): boolean =>
  names.length === files.length && files.every(({ file }, index) => file === names[index])

const entryOf = ({ file, bytes, sha256 }: PublishedFile): PublishedFile => ({ file, bytes, sha256 })
