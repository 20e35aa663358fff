import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderArchive } from '../../src/archive/render.ts'
import type { LevelRow } from '../../src/archive/rows.ts'
import {
  manifestPath,
  PublishedManifest,
  publishedFolder,
  writeManifest,
} from '../../src/data/published/manifest.ts'
import { wireLedger } from '../../src/orders/wire.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from './published.ts'

const LEVEL = {
  minute_et: '09:31',
  spot: 5900.25,
  flip: 5890.5,
  flip_lo: 5880,
  flip_hi: 5900,
  call_wall: 6000,
  put_wall: 5800,
  net_gamma_musd_per_point: -857.4123,
  reason: null,
}
const LEVELS: readonly LevelRow[] = ['measured', 'oi', 'vol'].map(book_basis => ({
  book_basis,
  ...LEVEL,
}))

/**
 * Publishes a session of one minute with its archive, and with files of datasets that are any
 * bytes: what sends them does not read them.
 */
export async function publishArchived(
  dataFolder: string,
  day: string,
  datasets: Readonly<Record<string, Buffer>> = {},
): Promise<PublishedManifest> {
  const input = ledgerInput(VARIED_ORDERS, { day })
  await publishLedger(dataFolder, input)
  const written = PublishedManifest.parse(
    JSON.parse(readFileSync(manifestPath(dataFolder, day), 'utf8')),
  )
  const forms = await renderArchive({
    levels: LEVELS,
    ledger: wireLedger(input),
    revision: written.revision,
    profiles: {
      book_basis: ['measured'],
      minute_et: ['09:31'],
      index_point: [5900],
      dealer_gamma_musd_per_point: [-857.4123],
    },
  })
  const index = (folder: string, data: Uint8Array, extension: string) =>
    placeFile(dataFolder, { folder, day, extension }, data)
  const archive = Object.fromEntries(
    Object.entries(forms).map(([name, { data, extension, etag }]) => [
      name,
      { ...index('archive', data, extension), etag },
    ]),
  )
  const files = Object.fromEntries(
    Object.entries(datasets).map(([name, data]) => [
      name,
      { ...index(name, data, 'parquet'), rows: 1 },
    ]),
  )
  const summary = { orders: VARIED_ORDERS.length, open: 5900.25, close: 5900.25, flip_close: null }
  const manifest = { ...written, datasets: files, archive, summary }
  writeManifest(dataFolder, manifest)
  return manifest
}

/** Writes bytes as the publisher does, named by their hash; returns how a manifest names them. */
export function placeFile(
  dataFolder: string,
  { folder, day, extension }: { folder: string; day: string; extension: string },
  data: Uint8Array,
): { file: string; bytes: number; sha256: string } {
  const sha256 = createHash('sha256').update(data).digest('hex')
  const file = `${folder}/session=${day}/${sha256.slice(0, 16)}.${extension}`
  const path = join(publishedFolder(dataFolder), file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, data)
  return { file, bytes: data.byteLength, sha256 }
}
