import { z } from 'zod'
import { text, textOrNull } from '../platform/http/fields.ts'
import { ENTRY_FIELDS, LIST_ROWS } from './catalogue.ts'
import { inputValue } from './fieldSchema.ts'
import { type AlertField, formatAdvice } from './fields.ts'
import { LINE_FIELDS } from './lineFields.ts'
import { RULE_FIELDS } from './ruleFields.ts'

/** OpenAPI schemas of the changes of alerts, built from the catalogue. */

/** Schema of a field's values; a null is its default. */
function toInputSchema(field: AlertField): z.ZodType {
  const { meaning, isRequired, default: usual } = field
  const value = isRequired ? inputValue(field) : inputValue(field).nullable()
  const own = usual === null ? '' : ` By default ${JSON.stringify(usual)}.`
  return value.optional().describe(`${meaning}: ${formatAdvice(field)}.${own}`)
}

const toShape = (fields: readonly AlertField[]) =>
  Object.fromEntries(fields.map(field => [field.name, toInputSchema(field)]))

const ENTRY_INPUTS = LIST_ROWS.map(({ type, parameters }) =>
  z.strictObject({ ...toShape([...ENTRY_FIELDS, ...parameters]), type: z.literal(type) }),
)

const EntryInput = z
  .union(ENTRY_INPUTS)
  .meta({ id: 'AlertEntryInput', description: 'An entry of the list, and what changes of it.' })

const id = text('Needed by update; not by add.').optional()

const LineInput = z
  .strictObject({ id, ...toShape(LINE_FIELDS) })
  .meta({ id: 'AlertLineInput', description: 'A line to add, or what changes of one.' })

const RuleInput = z
  .strictObject({ id, ...toShape(RULE_FIELDS) })
  .meta({ id: 'AlertRuleInput', description: 'A rule to add, or what changes of one.' })

const changing = z.enum(['add', 'update'])

export const AlertsChangeInput = z
  .union([
    z.strictObject({ op: z.literal('set'), entry: EntryInput }),
    z.strictObject({ op: changing, line: LineInput }),
    z.strictObject({ op: changing, rule: RuleInput }),
    z.strictObject({ op: z.enum(['remove', 'arm']), id: z.string() }),
    z.strictObject({
      op: z.literal('test'),
      position: textOrNull('Id of a position: its own webhook is tested.').optional(),
    }),
    z.strictObject({
      op: z.literal('redeliver'),
      id: text('Of an event.'),
    }),
  ])
  .meta({
    id: 'AlertsChange',
    description: 'One change of the alerts of an account, or an event to be sent.',
  })
