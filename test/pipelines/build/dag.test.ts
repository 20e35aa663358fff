import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { AUDITS, LAST_READS, LEDGER_MODELS, LEDGER_STEPS } from '../../../pipelines/build/dag.ts'
import { editionModels } from '../../../pipelines/build/editions.ts'
import { foldModels, ORDER_STEPS } from '../../../pipelines/build/fold.ts'
import {
  BOOK_MODELS,
  BOOK_STEPS,
  LEVELS_MODELS,
  SURFACE_MODELS,
} from '../../../pipelines/build/surface.ts'

/** What a build runs, in the order in which it is first run. */
const STEPS = [
  ...foldModels,
  ...editionModels,
  ...SURFACE_MODELS,
  ...BOOK_MODELS,
  ...LEVELS_MODELS,
  ...LEDGER_MODELS,
  ...AUDITS.map(name => `audit/${name}`),
]

const readsOf = (path: string): string[] =>
  /^-- reads: (.+)$/m.exec(readFileSync(`sql/${path}.sql`, 'utf8'))?.[1]?.split(', ') ?? []

test.each(Object.entries(LAST_READS))(
  'nothing after %s reads what is dropped there',
  (step, tables) => {
    const at = STEPS.indexOf(step)
    expect(at).toBeGreaterThanOrEqual(0)
    for (const later of STEPS.slice(at + 1)) {
      expect(
        readsOf(later).filter(table => tables.includes(table)),
        later,
      ).toEqual([])
    }
  },
)

test.each([...ORDER_STEPS, ...BOOK_STEPS, ...LEDGER_STEPS].filter(branches => branches.length > 1))(
  'no branch with %s reads what another one makes or drops',
  (...branches) => {
    for (const branch of branches) {
      const others = branches.filter(other => other !== branch).flat()
      const theirs = others.flatMap(model => [
        model.replace('/', '.'),
        ...(LAST_READS[model] ?? []),
      ])
      for (const model of branch) {
        expect(
          readsOf(model).filter(table => theirs.includes(table)),
          model,
        ).toEqual([])
      }
    }
  },
)

test('every model of the stages after the fold is in exactly one list', () => {
  for (const stage of ['surface', 'book', 'levels', 'ledger']) {
    const files = globSync(`sql/${stage}/*.sql`).map(file => `${stage}/${basename(file, '.sql')}`)
    expect(STEPS.filter(step => step.startsWith(`${stage}/`)).sort()).toEqual(files.sort())
  }
})
