import { z } from 'zod'
import type { WireOrder } from '../orders/schema.ts'

/** An order as tools return it: fields of the Orders API, by their names there. */

const known = z.number().nullable()
const text = z.string().nullable()

const FIELDS = {
  oid: z.string(),
  t: z.string().describe('ET minute.'),
  kind: z.string(),
  legs: z.string(),
  lg: z
    .array(z.array(z.union([z.number(), z.string()])))
    .describe('Legs [strike, C or P, sign]: 1 customer bought, -1 sold, 0 nobody can tell.'),
  exp: text,
  size: known,
  contracts: known,
  net: known.describe('Premium, $M.'),
  g: known.describe('Dealer gamma it added, $M per point; null: g_null says why.'),
  g_null: text,
  flip: known.describe('Points to the flip; null: not known.'),
  side: text.describe('Index over or under the flip.'),
  flip_convention: known.describe('Points to the flip of the convention: calls +, puts -.'),
  side_convention: text,
  p: known.describe('Probability that the customer bought the first leg.'),
  confidence: known.describe('That these prints are one order.'),
}

export const OrderRow = z.strictObject(FIELDS)

/** Returns the fields of a row that its schema has; one that is absent is null. */
export const rowOf = <Row extends z.ZodObject>(schema: Row, row: object) =>
  Object.fromEntries(
    Object.keys(schema.shape).map(name => [name, (row as Record<string, unknown>)[name] ?? null]),
  ) as z.infer<Row>

export const orderRow = (order: WireOrder) => rowOf(OrderRow, order)

/** Short form, for results that are mainly about something else. */
export const BriefRow = z.strictObject({
  oid: FIELDS.oid,
  t: z.string(),
  kind: z.string(),
  legs: z.string(),
  net: known,
  g: known,
})

export const briefRow = (order: WireOrder) => rowOf(BriefRow, order)
