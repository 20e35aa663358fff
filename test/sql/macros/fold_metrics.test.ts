import { expect, test } from 'vitest'
import { openTestDb } from '../../support/db.ts'
import { readVectors } from '../../support/shared.ts'

type Case = {
  name: string
  truth: number[]
  pred: number[]
  pair_precision: number | null
  pair_recall: number | null
  parent_exact_precision: number
  parent_exact_recall: number
  ari: number
}

const cases: Case[] = readVectors('fold_metrics').cases

test.each(cases)('$name', async entry => {
  const db = await openTestDb()
  await db.run(
    `create table labels as
     select unnest($truth::integer[]) as truth, unnest($pred::integer[]) as pred`,
    { truth: JSON.stringify(entry.truth), pred: JSON.stringify(entry.pred) },
  )
  const [found] = await db.rows(`from fold_metrics('labels')`)
  const close = (name: string, wanted: number | null) => {
    if (wanted === null) expect(found![name]).toBeNull()
    else expect(Math.abs(Number(found![name]) - wanted), name).toBeLessThan(1e-10)
  }
  close('pair_precision', entry.pair_precision)
  close('pair_recall', entry.pair_recall)
  close('parent_exact_precision', entry.parent_exact_precision)
  close('parent_exact_recall', entry.parent_exact_recall)
  close('adjusted_rand_index', entry.ari)
})
