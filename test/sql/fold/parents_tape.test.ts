import { expect, test } from 'vitest'
import { reuseFoldDb } from '../../support/fold.ts'
import { BUSY, CALM, NOISY, type TapeShape, tapeOfParents } from '../../support/parentsTape.ts'

/** Adjusted Rand index over the prints of parents of 50 contracts and more. */
async function findScore(shape: TapeShape): Promise<Record<string, number>> {
  const db = await reuseFoldDb()
  const prints = tapeOfParents(shape)
  await db.run(
    `create table truth as
     select unnest(from_json($prints, '[{"sequence":"bigint","parent":"integer","us":"bigint",
       "expiry":"date","strike":"double","option_type":"varchar","size":"integer",
       "cents":"integer","condition":"varchar"}]'), recursive := true)`,
    {
      prints: JSON.stringify(
        prints.map((print, index) => ({
          sequence: index + 1,
          parent: print.parent,
          us: print.printedUs,
          expiry: print.expiry,
          strike: print.strike,
          option_type: print.optionType,
          size: print.size,
          cents: print.cents,
          condition: print.condition,
        })),
      ),
    },
  )
  await db.run(
    `insert into tape.prints by name
     select * exclude (parent, us, cents), date '2026-10-13' as session_date, 'SPXW' as root,
       timestamp '2026-10-13 13:30:00' + to_microseconds(us) as printed_at,
       cents / 100.0 as price, printed_at as known_at
     from truth`,
  )
  await db.fold()
  await db.run(
    `create table labels as
     select parent as truth, order_id as pred
     from truth join fold.order_prints using (sequence)
     where parent in (select parent from truth group by parent having sum(size) >= 50)`,
  )
  const [score] = await db.rows(`from fold_metrics('labels')`)
  return score as Record<string, number>
}

test.each([
  ['a calm tape', CALM, 0.99],
  ['a calm tape with millisecond stamps', { ...CALM, stampUs: 1_000 }, 0.985],
  ['a busy tape', BUSY, 0.98],
  ['a noisy tape', NOISY, 0.97],
] as const)('%s folds into its known parents', async (_, shape, floor) => {
  const score = await findScore({ ...shape, parents: 2_000 })
  expect(score.adjusted_rand_index).toBeGreaterThanOrEqual(floor)
  expect(score.pair_precision).toBeGreaterThanOrEqual(0.99)
})
