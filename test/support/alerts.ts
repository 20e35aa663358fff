// Alert settings as clients send them, for tests without a server.

import fc from 'fast-check'
import { LIST_ROWS } from '../../src/alerts/catalogue.ts'
import { decideAlerts } from '../../src/alerts/decide.ts'
import type { AlertField } from '../../src/alerts/fields.ts'
import { LINE_FIELDS } from '../../src/alerts/lineFields.ts'
import { parseAlertChange } from '../../src/alerts/parse.ts'
import { RULE_FIELDS } from '../../src/alerts/ruleFields.ts'
import type { StoredAlerts } from '../../src/alerts/store/types.ts'
import type { AlertsChanged } from '../../src/alerts/wire.ts'
import { ApiError } from '../../src/platform/http/error.ts'

export const NOTHING_SET: StoredAlerts = { list: null, lines: [], rules: [] }

/** Body of an event where an account has set these. */
export const respondTo = (body: unknown, stored = NOTHING_SET): AlertsChanged =>
  JSON.parse(decideAlerts(parseAlertChange(JSON.stringify(body)), stored, 1).response)

/** Code and message of the refusal, or 'taken'. */
export function findRefusal(body: unknown, stored = NOTHING_SET): string {
  try {
    respondTo(body, stored)
  } catch (error) {
    if (error instanceof ApiError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'taken'
}

/** Points of the index: hundredths. */
const hundredths = (min: number, max: number) =>
  fc.integer({ min: Math.ceil(min * 100), max: Math.floor(max * 100) }).map(cents => cents / 100)

const findMinute = (at: number) =>
  `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`

const text = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: max })
    .filter(message => /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Cf}]+$/u.test(message))
    .filter(message => /[\p{L}\p{N}\p{P}\p{S}]/u.test(message) && [...message].length <= max)

/** A value that a field takes, by the ranges of its row. */
function goodValue({ type, unit, min, max, values = [] }: AlertField): fc.Arbitrary<unknown> {
  const [low, high] = [Number(min), Number(max)]
  switch (type) {
    case 'number': {
      const number =
        unit === 'pt' ? hundredths(low, high) : fc.double({ min: low, max: high, noNaN: true })
      return values.length === 0 ? number : fc.oneof(number, fc.constantFrom(...values))
    }
    case 'whole':
      return fc.integer({ min: low, max: high })
    case 'yes_no':
      return fc.boolean()
    case 'choice':
      return fc.constantFrom(...values)
    case 'choices':
      return fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 })
    case 'text':
      return text(high)
    default:
      return fc.integer({ min: 9 * 60 + 30, max: 16 * 60 + 15 }).map(findMinute)
  }
}

const listFields = (fields: readonly AlertField[]) =>
  fc.record(
    Object.fromEntries(
      fields.map(field => {
        const good = goodValue(field)
        return [field.name, field.isRequired ? good : fc.option(good, { freq: 6 })]
      }),
    ),
    { requiredKeys: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name) },
  )

const book = fc.constantFrom('measured', 'volume', 'vol', 'open_interest', 'oi', null)

/** Entries of every type; certain in the measured book alone. */
export const goodEntry = fc
  .constantFrom(...LIST_ROWS)
  .chain(({ type, parameters }) =>
    fc
      .tuple(listFields(parameters), fc.record({ book, on: fc.boolean() }, { requiredKeys: [] }))
      .map(([fields, common]): Record<string, unknown> => ({ type, ...common, ...fields })),
  )
  .map(entry => (/^(vol|o)/.test(String(entry.book)) ? { ...entry, certain: undefined } : entry))

const named = (fields: readonly AlertField[], names: readonly string[]) =>
  fields.filter(({ name }) => names.includes(name))
const [index] = named(LINE_FIELDS, ['price'])
const [level] = named(LINE_FIELDS, ['level'])
const common = listFields(named(LINE_FIELDS, ['mode', 'direction', 'note']))

export const goodLine = fc.oneof(
  fc.tuple(common, goodValue(index!)).map(([fields, price]): Record<string, unknown> => {
    return { kind: 'price', price, ...fields }
  }),
  fc
    .tuple(common, goodValue(level!), listFields(named(LINE_FIELDS, ['offset'])), book)
    .map(([fields, on, offset, whose]): Record<string, unknown> => {
      return { kind: 'level', level: on, book: whose, ...offset, ...fields }
    }),
)

/** Rules with every range the right way round. */
export const goodRule = listFields(RULE_FIELDS).map(sent => {
  const rule: Record<string, unknown> = { ...sent }
  for (const [low, high] of [
    ['dte_min', 'dte_max'],
    ['from_t', 'to_t'],
  ] as const) {
    const [a, b] = [rule[low], rule[high]] as (string | number | null | undefined)[]
    if ((a ?? null) !== null && (b ?? null) !== null && a! > b!) [rule[low], rule[high]] = [b, a]
  }
  if ((rule.wall_within ?? null) === null) delete rule.wall
  return rule
})
