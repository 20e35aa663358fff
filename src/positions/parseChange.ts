import { z } from 'zod'
import { invalid, readObject, readOp, seenAs, shownName } from '../platform/http/changeBody.ts'
import { CONDITIONS } from './catalogue.ts'
import { ALERT_CHANNELS, POSITION_KINDS } from './kinds.ts'

/** Changes that a client sends of its positions. A null stands for a field's default. */

const OPS = ['add', 'update', 'remove'] as const

const strike = z.number().nullish().describe('Index points, a multiple of 5; null: none.')

const ConditionInput = z.strictObject({
  id: z.string().describe('A condition of the catalogue.'),
  on: z.boolean().nullish().describe('Whether it counts; true by default.'),
  threshold: z.number().nullish().describe("In the condition's unit and range."),
})

export const PositionInput = z
  .strictObject({
    id: z.string().optional().describe('Needed by update and remove; not by add.'),
    kind: z.enum(POSITION_KINDS).optional(),
    legs: z
      .strictObject({ lp: strike, sp: strike, sc: strike, lc: strike })
      .optional()
      .describe('The strikes of the kind, rising. An update takes some of them.'),
    entry: z.string().optional().describe('ET minute, 09:31 to 15:59.'),
    conditions: z
      .array(ConditionInput)
      .max(CONDITIONS.length)
      .nullish()
      .describe('Those that are not as by default; in an update, those that change.'),
    label: z
      .strictObject({ caution: z.int().nullish(), skip: z.int().nullish() })
      .nullish()
      .describe('1 <= caution <= skip <= conditions that count.'),
    alert: z
      .strictObject({
        channel: z.enum(ALERT_CHANNELS).nullish(),
        url: z.string().max(2048).nullish().describe('https://, a public host.'),
        before: z.int().min(0).max(385).nullish(),
        state: z.enum(['on', 'off']).nullish().describe('As it is answered; it changes nothing.'),
      })
      .nullish(),
    session: z.string().nullish().describe('A trading day, YYYY-MM-DD.'),
  })
  .meta({ id: 'PositionInput', description: 'A position to add, or what changes of one.' })

export type PositionInput = z.infer<typeof PositionInput>

export const ChangeInput = z
  .strictObject({ op: z.enum(OPS), position: PositionInput })
  .meta({ id: 'PositionChange', description: 'One change of the positions of an account.' })

export type ChangeInput = z.infer<typeof ChangeInput>

const strikeAdvice = 'a strike such as 5950'

/** A valid value of each field, used in refusals. */
const ADVICE: Readonly<Record<string, string>> = {
  position:
    'an object such as {"kind": "put_spread", "legs": {"lp": 5930, "sp": 5950}, "entry": "10:30"}',
  'position.id': 'the id that add answered, such as "p_4fQ8sK2mZx0T"',
  'position.kind': `one of ${POSITION_KINDS.join(', ')}`,
  'position.legs': 'an object of strikes such as {"lp": 5930, "sp": 5950}',
  'position.legs.lp': strikeAdvice,
  'position.legs.sp': strikeAdvice,
  'position.legs.sc': strikeAdvice,
  'position.legs.lc': strikeAdvice,
  'position.entry': 'an ET minute such as "10:30"',
  'position.conditions': `a list of at most ${CONDITIONS.length}, each condition once, \
such as [{"id": "gap", "on": false}]`,
  'position.conditions[]': 'an object such as {"id": "gap", "on": true, "threshold": 0.6}',
  'position.conditions[].id': 'one of the catalogue, such as "gap"',
  'position.conditions[].on': 'true or false',
  'position.conditions[].threshold': 'a number, such as 0.6',
  'position.label': 'an object such as {"caution": 3, "skip": 5}',
  'position.label.caution': 'a whole number such as 3',
  'position.label.skip': 'a whole number such as 5',
  'position.alert': 'an object such as {"channel": "email", "before": 30}',
  'position.alert.channel': `one of ${ALERT_CHANNELS.join(', ')}`,
  'position.alert.url': 'an address of at most 2,048 characters such as "https://example.com/hook"',
  'position.alert.before': 'whole minutes from 0 to 385, such as 30',
  'position.alert.state': 'on or off as it is answered, or leave it out',
  'position.session': 'a trading day such as "2026-10-14"',
}

const EXAMPLE = '{"op": "remove", "position": {"id": "p_4fQ8sK2mZx0T"}}'

/** Parses a change. Fails with `bad_json`, `bad_op` or `invalid`, in this order. */
export function parseChange(text: string): ChangeInput {
  const body = readObject(text, EXAMPLE)
  readOp(body, OPS)
  const parsed = ChangeInput.safeParse(body)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  // a mistyped name explains why another field is missing
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!
  throw invalid(formatSentence(issue, body))
}

function formatSentence(issue: z.core.$ZodIssue, body: unknown): string {
  const name = formatPath(issue.path)
  const pattern = name.replaceAll(/\[\d+\]/g, '[]')
  if (issue.code === 'unrecognized_keys') {
    const inside = name === '' ? '' : `${name}.`
    const [key] = issue.keys as [string]
    return `${inside}${shownName(key)} is unknown; ${describeFields(pattern)}.`
  }
  return `${seenAs(name, valueAt(body, issue.path))}; give ${ADVICE[pattern]}.`
}

const formatPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`
    return name === '' ? String(part) : `${name}.${String(part)}`
  }, '')

/** Returns the fields of an object in a body. */
function describeFields(pattern: string): string {
  if (pattern === '') return 'the fields are op, position'
  const inside = Object.keys(ADVICE)
    .filter(name => name.startsWith(`${pattern}.`))
    .map(name => name.slice(pattern.length + 1))
  return `the fields are ${inside.filter(name => !/[.[]/.test(name)).join(', ')}`
}

const valueAt = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown>)?.[part], body)
