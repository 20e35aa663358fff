import { closeSync, globSync, openSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import { damagedFiles, sha256File } from '../../src/core/disk/files.ts'
import { liveFolder, readLiveManifest } from '../../src/data/published/liveManifest.ts'
import { publishedFiles, publishedFolder, readManifest } from '../../src/data/published/manifest.ts'
import { readTapeManifest } from '../../src/data/tape/manifest.ts'

/**
 * Whatever happened: every manifest of a data folder is whole and names whole files, and no reader
 * who looks for files by their names finds a half one.
 */
export async function expectReadable(dataFolder: string, date: string): Promise<void> {
  const published = readManifest(dataFolder, date)
  if (published) {
    const files = publishedFiles(published)
    expect(await damagedFiles(publishedFolder(dataFolder), files)).toEqual([])
  }
  const live = readLiveManifest(dataFolder, date)
  const liveFiles = Object.values(live?.live.files ?? {}).flat()
  expect(await damagedFiles(liveFolder(dataFolder), liveFiles)).toEqual([])
  for (const key of [date, 'rates']) {
    const { batches } = readTapeManifest(dataFolder, key)
    expect(await damagedFiles(join(dataFolder, 'tape'), batches)).toEqual([])
  }
  for (const file of globSync('{published,live,tape}/**/*.parquet', { cwd: dataFolder })) {
    const path = join(dataFolder, file)
    if (!file.startsWith('tape/')) {
      expect(await sha256File(path), file).toContain(basename(file).match(/[0-9a-f]{16}/)![0])
    }
    expect([findEdge(path, 'first'), findEdge(path, 'last')], file).toEqual(['PAR1', 'PAR1'])
  }
}

/** The first or last four bytes of a file, by which a whole Parquet file is known. */
function findEdge(path: string, edge: 'first' | 'last'): string {
  const bytes = Buffer.alloc(4)
  const file = openSync(path, 'r')
  readSync(file, bytes, 0, 4, edge === 'first' ? 0 : statSync(path).size - 4)
  closeSync(file)
  return bytes.toString('latin1')
}
