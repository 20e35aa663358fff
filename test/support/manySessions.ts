// Data folders with thousands of published sessions, whose files are named and not there: what is
// done for each session of a folder shows in them, and nothing else.

import { sha256 } from '../../src/core/disk/files.ts'
import { addDays, findTradingSession, type SessionDate } from '../../src/core/market/calendar.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { buildInputs } from '../../src/data/published/carried.ts'
import {
  type PublishedManifest,
  writeManifest as writePublished,
} from '../../src/data/published/manifest.ts'
import { computeRevision } from '../../src/data/published/publish.ts'
import { tapeDataset, writeTapeManifest } from '../../src/data/tape/manifest.ts'

/** Bytes and rows that every file of such a session claims to have. */
const SIZE = { bytes: 1_000, rows: 10 }
const FORMS = ['json', 'gzip', 'brotli', 'csv', 'parquet', 'arrow'] as const
const IMPORTED = ['prints', 'quotes', 'spots', 'open_interest'] as const

/** The last trading days up to one, oldest first. */
export function lastSessions(count: number, last: SessionDate): SessionDate[] {
  const dates: SessionDate[] = []
  for (let date = last; dates.length < count; date = addDays(date, -1)) {
    if (findTradingSession(date)) dates.push(date)
  }
  return dates.reverse()
}

/** Puts a batch of each dataset on the tape of a session, without its file. */
function writeTape(dataFolder: string, date: SessionDate): void {
  const batches = IMPORTED.map(name => {
    const hash = sha256(`${date} ${name}`)
    const { name: dataset } = tapeDataset(name)
    return {
      dataset,
      file: `${dataset}/session=${date}/${hash.slice(0, 16)}.parquet`,
      rows: SIZE.rows,
      sha256: hash,
      source: { file: `${name}.parquet`, sha256: hash },
      format: name,
      simulated: true,
      counts: {
        read: 10,
        imported: 10,
        already_there: 0,
        rejected: 0,
        skipped: 0,
        quarantined: {},
      },
    }
  })
  writeTapeManifest(dataFolder, { format: 1, session_date: date, batches })
}

/** Publishes a session by its manifest alone, or a new revision of it. */
export function publishNamed(
  dataFolder: string,
  date: SessionDate,
  { codeVersion, edition = 0 }: { readonly codeVersion: string; readonly edition?: number },
): PublishedManifest {
  const entry = (name: string, extension: string) => {
    const hash = sha256(`${date} ${name} ${edition}`)
    const file = `${name}/session=${date}/${hash.slice(0, 16)}.${extension}`
    return { file, sha256: hash, ...SIZE }
  }
  const datasets = Object.fromEntries(
    PUBLISHED_DATASETS.map(({ name }) => [name, entry(name, 'parquet')]),
  )
  const ledger = Object.fromEntries(
    FORMS.map(form => [form, { ...entry('ledger', form), etag: `"${date}-${form}"` }]),
  )
  const manifest: PublishedManifest = {
    format: 1,
    session_date: date,
    symbol: 'SPX',
    simulated: true,
    revision: computeRevision({ datasets, ledger }),
    asof: '16:15:00',
    code_version: codeVersion,
    min_premium_usd: 100_000,
    minutes: { expected: 405, present: 405, missing: [] },
    datasets,
    ledger,
    inputs: buildInputs(dataFolder, date),
    tape: { used: SIZE.rows },
    tape_newest: Object.fromEntries(IMPORTED.map(name => [name, `${date}T20:15:00.000Z`])),
    tape_grade: { grade: 'good', reasons: [] },
    summary: { orders: 1, open: 5_000, close: 5_010, flip_close: 4_990 },
  }
  writePublished(dataFolder, manifest)
  return manifest
}

/** Publishes many sessions in a row, each from its tape and the one before, oldest first. */
export function publishMany(
  dataFolder: string,
  dates: readonly SessionDate[],
  codeVersion: string,
): void {
  for (const date of dates) {
    writeTape(dataFolder, date)
    publishNamed(dataFolder, date, { codeVersion })
  }
}
