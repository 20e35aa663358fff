import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  AUDITS,
  BOOK_MODELS,
  BUILD_MODELS,
  BUILT_QUERIES,
  FOLD,
  LEDGER_MODELS,
  LEVELS_MODELS,
} from '../../../pipelines/build/dag.ts'
import { droppingUnread } from '../../../pipelines/build/drops.ts'
import { buildModels } from '../../../pipelines/build/steps.ts'
import type { Database } from '../../../src/core/engine/database.ts'
import { runs } from '../../support/runs.ts'

const findHeader = (path: string) => readFileSync(`sql/${path}.sql`, 'utf8').split('\nselect')[0]!

/** Tables that a query reads by its header, and those that its views read. */
function listReads(path: string): string[] {
  const text = /^-- reads: (.+)$/m.exec(findHeader(path))?.[1]?.split(', ') ?? []
  return text.flatMap(table => {
    const model = table.replace('.', '/')
    const isView = BUILD_MODELS.includes(model) && findHeader(model).includes('\n-- kind: view\n')
    return isView ? [table, ...listReads(model)] : [table]
  })
}

const REQUESTED = [...AUDITS.map(name => `audit/${name}`), ...BUILT_QUERIES]
const VIEWS = BUILD_MODELS.filter(model => findHeader(model).includes('\n-- kind: view\n'))

/** Tables that a build drops, by the model after which it does. */
async function listDrops(models: readonly string[]): Promise<Map<string, string>> {
  const drops = new Map<string, string>()
  let built = ''
  const db = {
    run: async (sql: string) => void drops.set(/^drop table if exists (.+)$/.exec(sql)![1]!, built),
  } as unknown as Database
  const after = droppingUnread()
  for (const model of models) {
    built = model
    await after(model, db)
  }
  return drops
}

/** The ladder contains no model but its last one. */
const REPORTED = BUILD_MODELS.filter(
  model =>
    !Object.values({ ...FOLD, orders: [], trust: [] })
      .flat()
      .includes(model),
)

test('every model is in the list once, and all of the stages after the tape are', () => {
  expect(new Set(BUILD_MODELS).size).toBe(BUILD_MODELS.length)
  const files = ['fold', 'surface', 'book', 'levels', 'ledger'].flatMap(stage =>
    globSync(`sql/${stage}/*.sql`).map(file => `${stage}/${basename(file, '.sql')}`),
  )
  expect([...BUILD_MODELS].sort()).toEqual(files.sort())
})

test('a model stands behind all that it reads', () => {
  const behind = BUILD_MODELS.flatMap((model, index) =>
    listReads(model)
      .map(table => table.replace('.', '/'))
      .filter(read => BUILD_MODELS.indexOf(read) > index)
      .map(read => `${model} reads ${read}`),
  )
  expect(behind).toEqual([])
})

test('nothing reads a table that was dropped: no later model, no view, no audit', async () => {
  const drops = await listDrops(REPORTED)
  for (const [table, at] of drops) {
    const later = [...REPORTED.slice(REPORTED.indexOf(at) + 1), ...REQUESTED]
    expect(
      later.filter(model => !VIEWS.includes(model) && listReads(model).includes(table)),
    ).toEqual([])
    const published = VIEWS.filter(model => model.startsWith('ledger/'))
    expect(
      published.filter(model => listReads(model).includes(table)),
      table,
    ).toEqual([])
  }
})

test('intermediate tables are dropped unless requested in the end', async () => {
  const drops = await listDrops(REPORTED)
  const stored = [...REQUESTED, ...VIEWS.filter(model => model.startsWith('ledger/'))].flatMap(
    listReads,
  )
  const read = new Set(BUILD_MODELS.flatMap(listReads))
  const wanted = [...read].filter(
    table =>
      /^(fold|surface|book|levels)\./.test(table) &&
      !VIEWS.includes(table.replace('.', '/')) &&
      !stored.includes(table),
  )
  expect(wanted.filter(table => !drops.has(table))).toEqual([])
  // the largest ones, at once
  expect(drops.get('fold.leg_prints')).toBe('fold/quote_trust')
  expect(drops.get('surface.quotes')).toBe('book/bar_points')
  expect(drops.get('book.bar_covariances')).toBe('book/bar_variances')
})

test('a table of which one of two readers is built first stays for the other', async () => {
  const all = await listDrops([...REPORTED].reverse())
  // backwards, the first of the readers is the last that is built
  expect(all.get('book.bar_covariances')).toBe('book/bar_variances')
  expect(all.get('surface.quotes')).toBe('surface/parity_pairs')
  expect(await listDrops(['book/bar_shifts', 'surface/parity_pairs'])).toEqual(new Map())
})

const STAGES = [FOLD.orders, BOOK_MODELS, LEVELS_MODELS, LEDGER_MODELS]

test('two at a time, however long each takes, a model has what it reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...STAGES), fc.scheduler(), async (models, scheduler) => {
      const built = new Set<string>()
      let others = 0
      let most = 0
      const db = { openConnection: async () => ({ close: () => {} }) } as unknown as Database
      const work = scheduler.schedule(Promise.resolve()).then(() =>
        buildModels(db, models, async (_, model) => {
          most = Math.max(most, ++others)
          const lacks = listReads(model).filter(table => {
            const read = table.replace('.', '/')
            return models.includes(read) && read !== model && !built.has(read)
          })
          expect(lacks, model).toEqual([])
          const first = models.findIndex(one => !built.has(one))
          expect(models.indexOf(model) - first, model).toBeLessThan(3)
          await scheduler.schedule(Promise.resolve())
          others -= 1
          built.add(model)
        }),
      )
      await scheduler.waitFor(work)
      expect([...built].sort()).toEqual([...models].sort())
      expect(most).toBeLessThanOrEqual(2)
    }),
    { numRuns: runs(60) },
  )
})

test('a model that fails ends the others, and says why', async () => {
  const built: string[] = []
  const db = { openConnection: async () => ({ close: () => {} }) } as unknown as Database
  const building = buildModels(db, LEVELS_MODELS, async (_, model) => {
    if (model === 'levels/flips') throw new Error('flips are out of hand')
    built.push(model)
  })
  await expect(building).rejects.toThrow('flips are out of hand')
  expect(built).not.toContain('levels/levels')
})
