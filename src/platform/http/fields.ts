import { z } from 'zod'
import { MINUTE } from '../../core/market/calendar.ts'
import { CONDITION_MEANINGS, CONDITIONS, UNKNOWN_REASONS } from '../../data/published/condition.ts'

/** Fields shared by the responses of several areas. */

/** A field of a response with its description, such as `numberOrNull('The flip, points.')`. */
export const text = (description: string) => z.string().describe(description)
export const textOrNull = (description: string) => z.string().nullable().describe(description)
export const number = (description: string) => z.number().describe(description)
export const numberOrNull = (description: string) => z.number().nullable().describe(description)
export const whole = (description: string) => z.int().describe(description)
export const wholeOrNull = (description: string) => z.int().nullable().describe(description)
export const shareOrNull = (description: string) =>
  z.number().min(0).max(1).nullable().describe(description)
export const flag = (description: string) => z.boolean().describe(description)
export const flagOrNull = (description: string) => z.boolean().nullable().describe(description)

/** The fields that the schema of a response names, without those that a later version may add. */
export type Named<Schema extends z.ZodType> = {
  readonly [Name in keyof z.infer<Schema> as string extends Name
    ? never
    : Name]: z.infer<Schema>[Name]
}

/** A table of fields: a row each, by name. */
type Fields = Readonly<Record<string, { readonly schema: z.ZodType; readonly example: unknown }>>

export const schemasOf = <Rows extends Fields>(rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof Rows]: Rows[Name]['schema']
  }

export const examplesOf = <Rows extends Fields>(rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([name, { example }]) => [name, example])) as {
    [Name in keyof Rows]: Rows[Name]['example']
  }

/** Describes a parameter, with an example of its text. */
export const param = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example: unknown,
): Schema => schema.meta({ description, param: { example } })

export const Day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ id: 'Day', description: 'An ET trading day.', example: '2026-10-14' })

export const Minute = z.string().regex(MINUTE)

/** Periods of a session without prints. */
export const Gaps = z
  .array(z.looseObject({ from: Minute, to: Minute, minutes: z.int() }))
  .readonly()
  .describe('Minutes in which nothing was printed, both ends included.')

const Condition = z.enum(CONDITIONS)
const Unknown = z.enum(UNKNOWN_REASONS).nullable()
const Second = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)

/** State of the data of a day. */
export const FRESHNESS = {
  condition: Condition.nullable().describe(
    `${CONDITIONS.map(word => `\`${word}\`: ${CONDITION_MEANINGS[word]}`).join('; ')}. Of several that hold, the first of these.`,
  ),
  conditions: z.array(Condition).readonly().describe('Every one that holds, most severe first.'),
  condition_reason: Unknown.describe('Why `condition` is null.'),
  published_at: Second.nullable().describe(
    'UTC instant at which this content of the session was published first.',
  ),
  edition: z
    .int()
    .min(1)
    .nullable()
    .describe('1 for the first content of the session; each other content is one more.'),
  published_reason: Unknown.describe(
    'Why one of the two is null, such as `not_recorded` by older code.',
  ),
  due_at: Second.nullable().describe(
    'UTC instant by which it has to be published: its close, and the time that the operator allows.',
  ),
  due_reason: Unknown.describe('Why `due_at` is null, such as `simulated`.'),
}

/** Example of it. */
export const FRESHNESS_EXAMPLE = {
  condition: 'complete' as const,
  conditions: ['complete' as const],
  condition_reason: null,
  published_at: '2026-10-14T20:41:07Z',
  edition: 1,
  published_reason: null,
  due_at: '2026-10-14T23:15:00Z',
  due_reason: null,
}
