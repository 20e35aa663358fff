import { openDatabase } from '../engine/database.ts'
import { listOf } from '../engine/rows.ts'
import type { OfferedOrder, OrderLeg, OrderPrint, OrderRevision } from '../http/offers.ts'
import { wallTimeEt } from '../market/calendar.ts'
import { columnTypes } from '../published/datasets.ts'
import { PUBLISHED_DATASETS } from '../published/dictionary.ts'
import { soundFiles } from '../published/known.ts'
import type { PublishedManifest } from '../published/manifest.ts'

/** What is known of one order beside its row of the ledger. */
export type Evidence = Pick<OfferedOrder, 'legs' | 'prints' | 'revisions'>

/** Rows of one order; of `prints` those of its sequences. */
const WANTED = [
  { name: 'order_prints', rows: 'views/order_rows' },
  { name: 'prints', rows: 'views/order_tape' },
  { name: 'legs', rows: 'views/order_rows' },
  { name: 'revisions', rows: 'views/order_rows' },
] as const

/**
 * The legs of an order, its prints and how it was known before, from the files of its session.
 * Without `hasPrices` no price of a print is read. Fails with DamagedFile.
 */
export async function readEvidence(
  dataFolder: string,
  manifest: PublishedManifest,
  { id, hasPrices }: { readonly id: string; readonly hasPrices: boolean },
): Promise<Evidence> {
  const db = await openDatabase({ threads: 1, memoryLimit: '1GB' })
  try {
    for (const { name, rows } of WANTED) {
      const { columns } = PUBLISHED_DATASETS.find(dataset => dataset.name === name)!
      await db.run(`create table ledger.${name} (${columnTypes(columns)})`)
      const files = await soundFiles(dataFolder, manifest, name)
      if (files.length > 0) await db.add(rows, { files: listOf(files), id }, `ledger.${name}`)
    }
    const prints = await db.query('views/evidence_prints')
    const legs = await db.query('views/evidence_legs')
    const revisions = await db.query('views/evidence_revisions')
    const hidden = hasPrices ? {} : { price: null, best_bid: null, best_ask: null }
    const hiddenOfLeg = hasPrices ? {} : { average_price: null }
    return {
      prints: prints.map(({ printed_us, ...print }) => {
        return { ...print, printed_et: timeEt(Number(printed_us)), ...hidden } as OrderPrint
      }),
      legs: legs.map(leg => ({ ...leg, ...hiddenOfLeg }) as OrderLeg),
      revisions: revisions.map(({ visible_us, superseded_us, ...revision }) => {
        const [visible_et, superseded_et] = [visible_us, superseded_us].map(us =>
          timeEt(Number(us)),
        )
        return { ...revision, visible_et, superseded_et } as OrderRevision
      }),
    }
  } finally {
    db.close()
  }
}

/** 'HH:MM:SS.ffffff' ET of microseconds since 1970. */
function timeEt(us: number): string {
  const { minute, second } = wallTimeEt(Math.floor(us / 1000))
  return `${minute}:${second}.${String(us % 1_000_000).padStart(6, '0')}`
}
