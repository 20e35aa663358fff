// Generated settings: nothing of good ones is lost, and what is wrong with others is named.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ENTRY_FIELDS, LIST_ROWS, USUAL_LIST } from '../../src/alerts/catalogue.ts'
import type { AlertField } from '../../src/alerts/fields.ts'
import { ALERT_BOOKS, LIST_TYPES } from '../../src/alerts/kinds.ts'
import { LINE_FIELDS } from '../../src/alerts/lineFields.ts'
import { RULE_FIELDS } from '../../src/alerts/ruleFields.ts'
import { findRefusal, goodEntry, goodLine, goodRule, respondTo } from '../support/alerts.ts'
import { listComplaints } from '../support/openapi.ts'
import { runs } from '../support/runs.ts'

const REQUEST = '/paths/~1api~1alerts/post/requestBody/content/application~1json/schema'
const RUNS = { seed: 20261126, numRuns: runs(2_000) }
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

/** The part of a response that may be sent again. */
const again = (part: string, returned: object) => {
  const { id: _, armed, fired_at, ...rest } = returned as Record<string, unknown>
  if (part === 'line') expect([armed, fired_at]).toEqual([true, null])
  return rest
}

test.each([
  ['entry', 'set', goodEntry],
  ['line', 'add', goodLine],
  ['rule', 'add', goodRule],
] as const)(
  'a good %s is taken, and sending its response back gives the same one',
  (part, op, good) => {
    fc.assert(
      fc.property(good, sent => {
        const body = plain({ op, [part]: sent })
        expect(listComplaints(REQUEST, body)).toBe('[]')
        const first = respondTo(body)[part]!
        const second = respondTo({ op, [part]: again(part, first) })[part]!
        expect(again(part, second)).toEqual(again(part, first))
        // the response is the request; a null is the default, or no condition
        for (const [name, value] of Object.entries(body[part])) {
          const returned = (first as unknown as Record<string, unknown>)[name]
          if (value === null) continue
          const sorted = Array.isArray(value) ? value.toSorted() : synonym(value)
          expect(Array.isArray(returned) ? returned.toSorted() : returned, name).toEqual(sorted)
        }
      }),
      RUNS,
    )
  },
)

const synonym = (value: unknown) =>
  value === 'vol' ? 'volume' : value === 'oi' ? 'open_interest' : value

test('an update or a set of nothing changes nothing, whatever was there', () => {
  fc.assert(
    fc.property(goodEntry, sent => {
      const entry = plain(sent)
      const first = respondTo({ op: 'set', entry }).entry!
      const stored = { list: JSON.stringify([first]), lines: [], rules: [] }
      const { type, book } = first
      expect(respondTo({ op: 'set', entry: { type, book } }, stored).entry).toEqual(first)
      const nulls = Object.fromEntries(Object.keys(first).map(name => [name, null]))
      const usual = USUAL_LIST.find(one => one.type === type && one.book === book)
      expect(respondTo({ op: 'set', entry: { ...nulls, type, book } }, stored).entry).toEqual(usual)
    }),
    RUNS,
  )
})

/** Values that a field does not take: of other types, and just outside of its range. */
function wrongValues({ type, min, max, unit, isRequired }: AlertField): fc.Arbitrary<unknown> {
  const others: unknown[] = [
    {},
    [[]],
    [1],
    '',
    ' ',
    '\u200b',
    '\u202ea',
    'SPXW',
    'a\nb',
    '\ud800',
    'x'.repeat(200),
  ]
  const numbers: unknown[] = type === 'number' || type === 'whole' ? ['1'] : [0, 1, -1, 1.5]
  const near =
    typeof min === 'number' && type !== 'text'
      ? [min - 0.01, Number(max) + 0.01, 1e300, ...(type === 'whole' ? [min + 0.5] : [])]
      : ['9:30', '24:00', '16:16', '09:29']
  const points = unit === 'pt' && typeof min === 'number' ? [min + 0.001] : []
  const texts = type === 'text' ? ['SPXW', '9:30', '24:00', '16:16', '09:29'] : []
  const all = [...others, ...numbers, ...near, ...points, ...(isRequired ? [null] : [])]
  const wrong = all.filter(value => !texts.includes(value as string))
  return fc.constantFrom(...(type === 'yes_no' ? wrong : [...wrong, true]))
}

const CASES = [
  ...LIST_ROWS.map(({ type, parameters }) => {
    const fields = [...ENTRY_FIELDS.slice(1), ...parameters]
    return { part: 'entry', op: 'set', base: { type }, fields }
  }),
  { part: 'line', op: 'add', base: { kind: 'price', price: 6000 }, fields: LINE_FIELDS },
  { part: 'rule', op: 'add', base: { name: 'x', wall_within: 5 }, fields: RULE_FIELDS },
]

test('a wrong value names its field, the value that was seen and a good one', () => {
  const wrong = fc
    .constantFrom(...CASES)
    .chain(one => fc.record({ one: fc.constant(one), field: fc.constantFrom(...one.fields) }))
    .chain(({ one, field }) =>
      wrongValues(field).map(value => ({ ...one, name: field.name, value })),
    )
  fc.assert(
    fc.property(wrong, ({ part, op, base, name, value }) => {
      const refusal = findRefusal({ op, [part]: { ...base, [name]: value } })
      expect(refusal).toMatch(new RegExp(`^invalid: ${part}\\.${name}(\\[0\\])? is `))
      expect(refusal).toMatch(/; (give|only SPX has a book here, give) .+\.$/)
    }),
    { ...RUNS, numRuns: runs(6_000) },
  )
})

test('an unknown field is named with those that there are', () => {
  const known = new Set(
    CASES.flatMap(({ fields }) => ['id', 'type', 'armed', ...fields.map(({ name }) => name)]),
  )
  const names = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' })
  const unknown = names.filter(name => !known.has(name) && name !== 'side' && name !== 'fired_at')
  fc.assert(
    fc.property(fc.constantFrom(...CASES), unknown, ({ part, op, base, fields }, name) => {
      const refusal = findRefusal({ op, [part]: { ...base, [name]: null } })
      expect(refusal).toMatch(new RegExp(`^invalid: ${part}\\..* is unknown; the fields are `, 's'))
      for (const field of fields) expect(refusal).toContain(field.name)
    }),
    RUNS,
  )
})

test('no field of the settings is called side, and none takes one', () => {
  for (const { part, op, base, fields } of CASES) {
    expect(fields.map(({ name }) => name)).not.toContain('side')
    const refusal = findRefusal({ op, [part]: { ...base, side: 'buy' } })
    expect(refusal).toBe(
      `invalid: ${part}.side is not taken: an alert never says or asks which way a customer ` +
        'traded; leave it out.',
    )
    const words = JSON.stringify(fields).toLowerCase()
    expect(words).not.toMatch(/\b(buy|sell|bought|sold|buyer|seller|sign)\b/)
  }
})

test('the usual list has each type of each book once, three of them on', () => {
  const pairs = USUAL_LIST.map(({ type, book }) => `${type} ${book}`)
  const wanted = ALERT_BOOKS.flatMap(book => LIST_TYPES.map(type => `${type} ${book}`))
  expect(pairs).toEqual(wanted)
  const on = USUAL_LIST.filter(entry => entry.on).map(({ type, book }) => `${type} ${book}`)
  expect(on).toEqual(['flip_cross measured', 'wall_break measured', 'regime_change measured'])
})

test('every usual value lies in its own range', () => {
  for (const { type, parameters } of LIST_ROWS) {
    for (const { name, default: usual } of parameters) {
      const entry = { type, [name]: usual }
      expect(respondTo({ op: 'set', entry }).entry).toMatchObject(entry)
    }
  }
  for (const [part, fields, base] of [
    ['line', LINE_FIELDS, { kind: 'price', price: 1 }],
    ['rule', RULE_FIELDS, { name: 'x', wall_within: 5 }],
  ] as const) {
    for (const { name, example } of fields) {
      const ofLevel = ['level', 'book', 'offset'].includes(name) && part === 'line'
      const where = ofLevel ? { kind: 'level', level: 'flip' } : base
      expect(findRefusal({ op: 'add', [part]: { ...where, [name]: example } }), name).toBe('taken')
    }
  }
})
