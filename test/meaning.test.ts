// docs/meaning.md defines every rule, remark and reason that the code gives, and no other.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GAMMA_NULL_REASONS, SIDE_REASONS } from '../src/orders/orderFields.ts'
import { tableUnder } from './support/pages.ts'

const PAGE = 'docs/meaning.md'

/** The words that a table defines, each with a sentence. */
function definedBy(head: string): string[] {
  return tableUnder(PAGE, head).map(row => {
    const [, word, text] = /^\| `([\w ]+)` \| ([^|]{10,}) \|$/.exec(row) ?? []
    expect(text, row).toBeDefined()
    return word!
  })
}

const read = (file: string) => readFileSync(file, 'utf8').replace(/^\s*--.*$/gm, '')
const wordsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, w]) => w!)

/** The files that give an order its rule. */
const RULE_FILES = ['found_prints', 'joined_prints', 'order_members', 'repeated_fill_prints']

test('the rules are those that the fold writes', () => {
  const texts = RULE_FILES.map(name => read(`sql/fold/${name}.sql`))
  const written = texts.flatMap(text => wordsIn(text, /'([a-z_]+)'/g))
  const passes = wordsIn(
    readFileSync('pipelines/build/fold.ts', 'utf8'),
    /pass\([\d_]+, '([^']+)'/g,
  )
  expect(passes.length).toBeGreaterThan(0)
  const rules = new Set([...written, ...passes])
  expect(definedBy('| rule | the order is |').toSorted()).toEqual([...rules].toSorted())
})

test('no other file gives an order its rule', () => {
  const writes = /^[^\n]*('\w|concat_ws)[^\n]* as fold_rule/m
  const files = globSync('sql/*/*.sql').filter(file => writes.test(read(file)))
  const names = files.map(file => /(\w+)\.sql$/.exec(file)![1]!)
  expect(names.toSorted()).toEqual(RULE_FILES)
})

test('the flags are those that an order can have', () => {
  const flags = wordsIn(read('sql/fold/parent_orders.sql'), /case when [^\n]* then '(\w+)' end/g)
  expect(definedBy('| flag | meaning |')).toEqual(flags)
})

test('the reasons of no side and of no gamma are those of the schema', () => {
  expect(definedBy('| reason of no side | meaning |')).toEqual([...SIDE_REASONS])
  expect(definedBy('| reason of no gamma | meaning |')).toEqual([...GAMMA_NULL_REASONS])
})

test('the reasons of the schema, in their order, are those that the models write', () => {
  const models = ['order_signs', 'order_sides'].map(name => read(`sql/fold/${name}.sql`))
  const written = models.flatMap(text => wordsIn(text, /then\s+'(\w+)'/g))
  expect(written).toEqual([...SIDE_REASONS])
  const priced = wordsIn(read('sql/book/leg_gammas.sql'), /then\s+'(\w+)'/g)
  expect(new Set(['no_side', ...priced])).toEqual(new Set(GAMMA_NULL_REASONS))
})

test('the reasons of no flip are those of a minute, and that of none', () => {
  const reasons = wordsIn(read('sql/levels/expiry_levels.sql'), /then '(\w+)'/g)
  const reported = reasons
    .slice(reasons.indexOf('no_spot'), reasons.indexOf('no_root') + 1)
    // an order is placed in the book of all expiries
    .filter(reason => reason !== 'no_expiry')
  expect(definedBy('| reason of no flip | meaning |')).toEqual([...reported, 'no_level'])
  expect(read('sql/ledger/order_versions.sql')).toContain("coalesce(level_reason, 'no_level')")
})
