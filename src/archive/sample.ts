import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { DamagedFile, readStamp } from '../data/published/damagedFile.ts'
import { SampleIndex, sampleFolder } from '../data/published/sample.ts'
import { viewOverFile } from '../data/published/views.ts'
import { damagedDay } from '../platform/http/damaged.ts'
import { datasetError } from './errors.ts'
import { snapshotFiles } from './snapshotRoutes.ts'
import { openProof, type Snapshots, type TreeFile } from './snapshots.ts'

/** One simulated session that anybody may download: `tapefold sample` makes it. */

/** Path of the sample; it needs no key. */
export const SAMPLE_PATH = '/snapshots/sample'

/** Maximum calls of the sample per address and minute: all of its files, and some again. */
export const SAMPLE_MINUTE_CALLS = 120

/** The files of the sample, over HTTP. */
export function sampleFiles(dataFolder: string): RequestHandler {
  const folder = sampleFolder(dataFolder)
  const proof = openProof(folder)
  const prove = async (found: TreeFile) => {
    try {
      await proof(found)
    } catch (cause) {
      // the published session of that day is another one: its files are not damaged
      throw cause instanceof DamagedFile ? Object.assign(damagedDay(cause.date), { cause }) : cause
    }
  }
  const snapshots = openSample(folder)
  return snapshotFiles({ snapshots, path: SAMPLE_PATH, folder, prove, audience: 'public' })
}

/** Opens the sample of a folder; it is read again when it was made again. */
function openSample(folder: string): Snapshots {
  const path = join(folder, 'index.json')
  let last: { readonly stamp: string; readonly text: string; readonly index: SampleIndex } | null =
    null
  const read = () => {
    if (!existsSync(path)) {
      const message = 'this server has no sample; its operator makes it with tapefold sample.'
      throw datasetError('not_found', { message })
    }
    const stamp = readStamp(path)
    if (last?.stamp !== stamp) {
      const text = readFileSync(path, 'utf8')
      last = { stamp, text, index: SampleIndex.parse(JSON.parse(text)) }
    }
    return last
  }
  return {
    index: () => read().text,
    sums: () =>
      read()
        .index.files.map(({ file, sha256 }) => `${sha256}  ${file}\n`)
        .join(''),
    views: base =>
      read()
        .index.files.map(({ dataset, file }) => `${viewOverFile(dataset, `${base}${file}`)}\n`)
        .join(''),
    manifest: () => null,
    find: name => {
      const entry = read().index.files.find(({ file }) => file === name)
      return entry ? { entry, day: entry.day, simulated: true } : null
    },
  }
}
