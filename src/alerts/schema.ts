import { z } from 'zod'
import { sentenceNumber } from '../core/text/counts.ts'
import { flag, text, textOrNull } from '../platform/http/fields.ts'
import { FAILURES_UNTIL_OFF } from '../platform/webhooks/delivery.ts'
import { ENTRY_FIELDS, LIST_ROWS, SYMBOL, USUAL_LIST } from './catalogue.ts'
import { responseValue } from './fieldSchema.ts'
import type { AlertField } from './fields.ts'
import { ALERT_BOOKS, LEVEL_KINDS, LIST_TYPES } from './kinds.ts'
import { LINE_FIELDS, LINES_MAX } from './lineFields.ts'
import { RULE_FIELDS, RULES_MAX } from './ruleFields.ts'

/** Schemas of the alerts API's responses, for the OpenAPI file and for tests. */

const described = (fields: readonly AlertField[], name: string): string =>
  `${fields.find(field => field.name === name)!.meaning}.`

const Entry = z
  .union(
    LIST_ROWS.map(({ type, parameters }) =>
      z.looseObject({
        type: z.literal(type),
        book: z.enum(ALERT_BOOKS),
        symbol: z.literal(SYMBOL),
        on: flag('Whether it is told.'),
        ...Object.fromEntries(parameters.map(field => [field.name, responseValue(field)])),
      }),
    ),
  )
  .meta({
    id: 'AlertEntry',
    description: 'An entry of the list, with every parameter of its type.',
    example: USUAL_LIST[0],
  })

const line = (name: string) => ({ description: described(LINE_FIELDS, name) })

const Line = z
  .looseObject({
    id: z.string().regex(/^l_[0-9A-Za-z]+$/),
    kind: z.enum(['price', 'level']).meta(line('kind')),
    price: z.number().optional().meta(line('price')),
    level: z.enum(LEVEL_KINDS).optional().meta(line('level')),
    book: z.enum(ALERT_BOOKS).optional().meta(line('book')),
    offset: z.number().optional().meta(line('offset')),
    mode: z.enum(['once', 'repeat']).meta(line('mode')),
    direction: z.enum(['any', 'above', 'below']).meta(line('direction')),
    note: z.string().nullable().meta(line('note')),
    armed: flag('Whether it waits for its price.'),
    fired_at: textOrNull('When it last fired, ISO 8601 in New York time; null when it has not.'),
  })
  .meta({
    id: 'AlertLine',
    description: 'A line at a price, or at a level and so many points from it.',
    example: {
      id: 'l_7Qd2mX0aZ9Ke',
      kind: 'level',
      level: 'put_wall',
      book: 'measured',
      offset: 10,
      mode: 'repeat',
      direction: 'below',
      note: 'near my short put',
      armed: false,
      fired_at: '2026-11-25T10:37:03-05:00',
    },
  })

const rule = (name: string) => ({ description: described(RULE_FIELDS, name) })

const Rule = z
  .looseObject({
    id: z.string().regex(/^r_[0-9A-Za-z]+$/),
    name: z.string().meta(rule('name')),
    on: z.boolean().meta(rule('on')),
    kinds: z.array(z.string()).optional().meta(rule('kinds')),
    min_premium: z.number().optional().meta(rule('min_premium')),
    min_net: z.number().optional().meta(rule('min_net')),
    min_size: z.int().optional().meta(rule('min_size')),
    gamma: z.enum(['adds', 'removes']).optional().meta(rule('gamma')),
    min_gamma: z.number().optional().meta(rule('min_gamma')),
    dte_min: z.int().optional().meta(rule('dte_min')),
    dte_max: z.int().optional().meta(rule('dte_max')),
    flip_within: z.number().optional().meta(rule('flip_within')),
    flip_is: z.enum(['over', 'under']).optional().meta(rule('flip_is')),
    wall: z.enum(['call_wall', 'put_wall', 'any']).optional().meta(rule('wall')),
    wall_within: z.number().optional().meta(rule('wall_within')),
    from_t: z.string().optional().meta(rule('from_t')),
    to_t: z.string().optional().meta(rule('to_t')),
    min_confidence: z.number().optional().meta(rule('min_confidence')),
  })
  .meta({
    id: 'AlertRule',
    description:
      'Which orders are told: those that every condition holds of. What is absent holds of any; ' +
      'what cannot be known of an order never matches.',
    example: {
      id: 'r_5Xk9bT3nW1Lp',
      name: 'big verticals',
      on: true,
      kinds: ['vertical'],
      min_premium: 2.5,
      wall: 'any',
      wall_within: 15,
    },
  })

const Field = z
  .looseObject({
    name: z.string(),
    meaning: z.string(),
    takes: text('number, whole, yes_no, choice, choices (a list), text or minute.'),
    unit: textOrNull(
      'pt index points, min minutes, musd $M, musd_pt $M per point, days, count, ET.',
    ),
    required: flag('Whether a new one has to name it.'),
    default: z
      .union([z.number(), z.string(), z.boolean(), z.array(z.string())])
      .nullable()
      .describe('Where an account says nothing; null: none.'),
    min: z
      .union([z.number(), z.string()])
      .optional()
      .describe('Of a number or minute; of a text the fewest characters.'),
    max: z.union([z.number(), z.string()]).optional(),
    values: z
      .array(z.string())
      .optional()
      .describe('Of choices; beside a number, what may stand for one.'),
  })
  .meta({ id: 'AlertField', description: 'A field that can be set.' })

const Catalogue = z
  .looseObject({
    types: z
      .array(
        z.looseObject({
          type: z.enum(LIST_TYPES),
          rule: text('When it fires, in words.'),
          on_in: z
            .array(z.enum(ALERT_BOOKS))
            .describe('Books in which it is on where an account has set nothing.'),
          parameters: z.array(Field),
        }),
      )
      .describe('Every event of levels.'),
    entry: z.array(Field).describe('Fields of every entry.'),
    line: z.array(Field).describe('Fields of a line.'),
    rule: z.array(Field).describe('Fields of a rule.'),
  })
  .meta({ id: 'AlertCatalogue', description: 'All that can be set, with units and ranges.' })

const fieldWire = (field: AlertField): z.infer<typeof Field> => {
  const { name, meaning, type, unit, isRequired = false, default: usual, min, max, values } = field
  return {
    name,
    meaning,
    takes: type,
    unit,
    required: isRequired,
    default: usual as z.infer<typeof Field>['default'],
    ...(min === undefined ? {} : { min, max }),
    ...(values === undefined ? {} : { values: [...values] }),
  }
}

/** The catalogue in a response. */
export const catalogue: z.infer<typeof Catalogue> = {
  types: LIST_ROWS.map(({ type, rule: words, on_in, parameters }) => {
    return { type, rule: words, on_in: [...on_in], parameters: parameters.map(fieldWire) }
  }),
  entry: ENTRY_FIELDS.map(fieldWire),
  line: LINE_FIELDS.map(fieldWire),
  rule: RULE_FIELDS.map(fieldWire),
}

const Webhook = z
  .looseObject({
    state: z.enum(['on', 'off']),
    reason: textOrNull('Why it is off; null while it is on.'),
    failed_in_a_row: z
      .int()
      .min(0)
      .describe(`${sentenceNumber(FAILURES_UNTIL_OFF)} switch it off.`),
    since: text('Since when, ISO 8601 in New York time.'),
  })
  .meta({ id: 'AlertWebhook', description: 'Where events go; its address is not told.' })

const max = { lines: LINES_MAX, rules: RULES_MAX }

export const Alerts = z
  .looseObject({
    list: z.array(Entry).describe('Every type of every book; `on` says what is told.'),
    lines: z.array(Line).max(LINES_MAX).describe('Oldest first.'),
    rules: z.array(Rule).max(RULES_MAX).describe('Oldest first.'),
    webhook: Webhook.nullable().describe('Null where no address is saved.'),
    max: z
      .looseObject({ lines: z.int(), rules: z.int() })
      .describe('How many an account may keep.'),
    catalogue: Catalogue,
  })
  .meta({
    id: 'Alerts',
    description: 'What the account wants to be told of, and all that can be set.',
    example: {
      list: USUAL_LIST,
      lines: [Line.meta()!.example],
      rules: [Rule.meta()!.example],
      webhook: null,
      max,
      catalogue,
    },
  })

/** Response of POST. */
export const ChangedAlerts = z
  .looseObject({
    ok: z.literal(true),
    id: text('Of the line, the rule or the event; absent after set.').optional(),
    entry: Entry.optional().describe('As it is now; after set.'),
    line: Line.optional().describe('As it is now; absent after remove.'),
    rule: Rule.optional().describe('As it is now; absent after remove.'),
  })
  .meta({
    id: 'AlertsChanged',
    example: { ok: true, id: 'r_5Xk9bT3nW1Lp', rule: Rule.meta()!.example },
  })
