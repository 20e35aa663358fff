import { expect, test } from 'vitest'
import { after, reuseFoldDb } from '../../support/fold.ts'
import { readVectors } from '../../support/shared.ts'

type Cancels = {
  name: string
  rows: [number, string, number, number][]
  keep: number[]
  orphan_cancels: number[]
}
type Bursts = {
  name: string
  rows: [number, string, number, number, number][]
  parents: number[][]
}

const { cancels, single_leg }: { cancels: Cancels[]; single_leg: Bursts[] } =
  readVectors('tape_cases')

test.each(cancels)('$name', async ({ rows, keep, orphan_cancels }) => {
  const db = await reuseFoldDb()
  await db.addPrints(
    rows.map(([sequence, condition, size, price]) => ({
      sequence,
      condition,
      size,
      price,
      printed_at: after(sequence * 1_000_000),
    })),
  )
  await db.fold()
  const dispositions = await db.all('fold.print_fates', 'sequence')
  const withFate = (disposition: string) =>
    dispositions.filter(row => row.fate === disposition).map(row => row.sequence as number)
  expect(withFate('kept')).toEqual(keep)
  expect(withFate('cancel_without_target')).toEqual(orphan_cancels)
  expect(dispositions).toHaveLength(rows.length)
})

test.each(single_leg)('$name', async ({ rows, parents }) => {
  const db = await reuseFoldDb()
  await db.addPrints(
    rows.map(([ts, condition, price, size, side], sequence) => ({
      sequence,
      condition,
      size,
      price,
      printed_at: after(ts),
      // the side of the vector: at the ask, at the bid, in the middle
      best_bid: price - 0.1 * (1 + side),
      best_ask: price + 0.1 * (1 - side),
    })),
  )
  await db.fold()
  expect(await db.parents()).toEqual(parents)
})
