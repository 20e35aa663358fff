import { type Database, openDatabase } from '../core/engine/database.ts'
import { filePaths } from '../core/engine/paths.ts'
import { wallTimeEt } from '../core/market/calendar.ts'
import { columnTypes } from '../data/dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../data/dictionary/dictionary.ts'
import { verifiedFiles } from '../data/published/knownLedgers.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import type { DetailedOrder, OrderLeg, OrderPrint, OrderRevision, PayoffLine } from './ask.ts'

/** Details of one order in addition to its ledger row. */
export type Evidence = Pick<
  DetailedOrder,
  'legs' | 'prints' | 'revisions' | 'flipReason' | 'conventionFlip' | 'payoff'
>

/** Datasets with the query for the rows of one order; of `prints` those of its sequences. */
const WANTED = [
  { name: 'orders', rows: 'views/order_rows' },
  { name: 'order_prints', rows: 'views/order_rows' },
  { name: 'prints', rows: 'views/order_tape' },
  { name: 'legs', rows: 'views/order_rows' },
  { name: 'revisions', rows: 'views/order_rows' },
  { name: 'revision_legs', rows: 'views/order_rows' },
] as const

export type EvidenceQuestion = {
  readonly id: string
  /** False: prices of prints are left out. */
  readonly hasPrices: boolean
  /** Only data known before this instant; null: all. UTC milliseconds. */
  readonly knownBeforeMs: number | null
}

/**
 * Reads the legs of an order, its prints and its earlier versions from the files of its session.
 * Fails with DamagedFile.
 */
export async function readEvidence(
  dataFolder: string,
  manifest: PublishedManifest,
  { id, hasPrices, knownBeforeMs }: EvidenceQuestion,
): Promise<Evidence> {
  const db = await openDatabase({ threads: 1, memoryLimit: '1GB' })
  try {
    for (const { name, rows } of WANTED) {
      const { columns } = PUBLISHED_DATASETS.find(dataset => dataset.name === name)!
      await db.run(`create table ledger.${name} (${columnTypes(columns)})`)
      const files = await verifiedFiles(dataFolder, manifest, name)
      if (files.length > 0) await db.add(rows, { files: filePaths(files), id }, `ledger.${name}`)
    }
    const known = { known_before_ms: knownBeforeMs }
    const prints = await db.query('views/evidence_prints', known)
    const legs = await db.query('views/evidence_legs')
    const versions = await db.query('views/evidence_revisions', known)
    const hidden = hasPrices ? {} : { price: null, best_bid: null, best_ask: null }
    const hiddenOfLeg = hasPrices ? {} : { average_price: null }
    const selectLegs = (revision: unknown) =>
      legs.flatMap(({ revision_number, ...leg }) =>
        revision_number === revision ? [{ ...leg, ...hiddenOfLeg } as OrderLeg] : [],
      )
    const current = versions.at(-1) as CurrentVersion | undefined
    const payoff = current ? await readPayoff(db, { dataFolder, manifest, current }) : []
    return {
      flipReason: current?.flip_null_reason ?? null,
      conventionFlip: current?.convention_flip ?? null,
      payoff,
      prints: prints.map(({ printed_us, ...print }) => {
        return { ...print, printed_et: timeEt(Number(printed_us)), ...hidden } as OrderPrint
      }),
      legs: selectLegs(current?.revision_number),
      revisions: versions.slice(0, -1).map(version => {
        const { visible_us, superseded_us, flip_null_reason, convention_flip, ...rest } = version
        const { minute_et: _, ...revision } = rest
        const [visible_et, superseded_et] = [visible_us, superseded_us].map(us =>
          timeEt(Number(us)),
        )
        const withLegs = { ...revision, legs: selectLegs(revision.revision_number) }
        return { ...withLegs, visible_et, superseded_et } as unknown as OrderRevision
      }),
    }
  } finally {
    db.close()
  }
}

type CurrentVersion = {
  readonly minute_et: string
  readonly revision_number: number
  readonly flip_null_reason: string | null
  readonly convention_flip: number | null
}

type Published = { readonly dataFolder: string; readonly manifest: PublishedManifest }

/** Returns the value of an order over the index at three times; none where forwards are not stored. */
async function readPayoff(
  db: Database,
  { dataFolder, manifest, current }: Published & { readonly current: CurrentVersion },
): Promise<readonly PayoffLine[]> {
  const { columns } = PUBLISHED_DATASETS.find(({ name }) => name === 'forwards')!
  const files = await verifiedFiles(dataFolder, manifest, 'forwards')
  if (files.length === 0) return []
  await db.run(`create table ledger.forwards (${columnTypes(columns)})`)
  const wanted = { files: filePaths(files), minute: current.minute_et }
  await db.add('views/minute_rows', wanted, 'ledger.forwards')
  const { revision_number } = current
  return (await db.query('views/order_payoff', { revision_number })) as PayoffLine[]
}

/** 'HH:MM:SS.ffffff' ET of microseconds since 1970. */
function timeEt(us: number): string {
  const { minute, second } = wallTimeEt(Math.floor(us / 1000))
  return `${minute}:${second}.${String(us % 1_000_000).padStart(6, '0')}`
}
