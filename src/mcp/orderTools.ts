import { z } from 'zod'
import { counted } from '../core/text/counts.ts'
import { type DetailedOrder, ORDER_SORTS, type OrderSearch } from '../orders/ask.ts'
import { shown } from '../platform/http/request.ts'
import { atLeast, cursor, day as dayArgument, dayOr, minuteOr } from './arguments.ts'
import { cursorAt, readPosition } from './cursor.ts'
import { OrderRow, orderRow, rowOf } from './ledgerRows.ts'
import { cutByRows } from './size.ts'
import { argument, defineTool, ToolError } from './tool.ts'
import { asofWords, orderWords } from './words.ts'

/** Tools over the orders of a ledger: search, and one order with its evidence. */

const ROWS = { max: 50, usual: 20 } as const

export const FIND = defineTool({
  name: 'orders_find',
  title: 'Find orders',
  description:
    'Orders of a session that match, sorted: by dealer gamma (effect), time, premium, contracts ' +
    'or nearness to the flip. With asof only what was known before that minute.',
  input: {
    day: dayOr('the newest'),
    asof: minuteOr('by now'),
    kind: argument(
      z.string().min(1).max(60).optional(),
      'a structure such as iron_condor',
      'others: single, vertical, butterfly, calendar; left out: any',
    ),
    side: argument(
      z.enum(['bought', 'sold', 'none']).optional(),
      'bought, sold or none, such as bought',
      'what the customer did with the first leg; none: nobody can tell',
    ),
    exp: argument(z.iso.date().optional(), 'an expiry written YYYY-MM-DD, such as 2026-10-16'),
    min_premium: atLeast('net premium, $M'),
    min_gamma: atLeast('dealer gamma without sign, $M per point'),
    sort: argument(
      z.enum(ORDER_SORTS).optional(),
      `${ORDER_SORTS.slice(0, -1).join(', ')} or ${ORDER_SORTS.at(-1)}, such as premium`,
      'left out: effect',
    ),
    limit: argument(
      z.int().min(1).max(ROWS.max).optional(),
      `a whole number from 1 to ${ROWS.max}, such as ${ROWS.usual}`,
      `left out: ${ROWS.usual}`,
    ),
    cursor,
  },
  output: {
    day: z.string(),
    asof: z.string().nullable(),
    simulated: z.boolean().nullable(),
    orders: z.array(OrderRow),
    note: z.string().nullable(),
  },
  respond: async ({ cursor: given, limit = ROWS.usual, ...question }, { asks, requester }) => {
    const { day = null, asof = null, kind = null } = question
    const search: Omit<OrderSearch, 'start' | 'count'> = {
      kind,
      side: question.side ?? null,
      exp: question.exp ?? null,
      minPremium: question.min_premium ?? null,
      minGamma: question.min_gamma ?? null,
      sort: question.sort ?? 'effect',
    }
    const wanted = { day, asof, requester: requester ?? { account: '' } }
    const find = (start: number, many: number) =>
      asks.orders.searchLedger(wanted, { ...search, start, count: many })
    // with a cursor, one row is enough to check its revision before the page is queried
    const found = await find(0, given === undefined ? limit : 1)
    const { content: first, note, day: of } = found
    if (first === null) return { ...NOTHING, day: of, summary: note, note }
    if (kind !== null && first.matched === 0 && !first.kinds.includes(kind)) {
      throw new ToolError(unknownKind(kind, first.kinds))
    }
    const listed = { revision: first.revision, question: { ...search, day: of, asof } }
    const start = readPosition(given, listed)
    const page = given === undefined ? first : (await find(start, limit)).content!
    if (page.revision !== first.revision)
      readPosition(given, { ...listed, revision: page.revision })
    const { matched: total, simulated } = page
    const best = first.orders[0]
    const one = best === undefined ? '' : `; first by ${search.sort}: ${orderWords(best)}`
    const whole = `${total} of ${counted(page.total, 'order')} match`
    const summary = `On ${of}, ${asofWords(page.asof)}, ${whole}${one} (an estimate).`
    return cutByRows(page.orders.map(orderRow), orders => ({
      summary,
      total,
      day: of,
      asof: page.asof,
      simulated,
      note: page.note ?? null,
      orders: [...orders],
      next_cursor: cursorAt(listed, { at: start + orders.length, total }),
    }))!
  },
})

const NOTHING = { total: 0, next_cursor: null, asof: null, simulated: null, orders: [] }

const unknownKind = (kind: string, kinds: readonly string[]): string =>
  `kind is ${shown(kind)}; give one of this session, such as ${kinds[0] ?? 'single'}: ` +
  `${kinds.slice(0, 30).join(', ')}.`

const known = z.number().nullable()
const text = z.string().nullable()
const Leg = z.strictObject({
  root: z.string(),
  expiry: z.string(),
  strike: z.number(),
  option_type: z.string(),
  ratio: z.number(),
  contracts: z.number(),
  customer_sign: z.int().describe('1 bought, -1 sold, 0 nobody can tell.'),
  average_price: known,
  implied_vol: known,
  gamma: known,
})
const Print = z.strictObject({
  sequence: z.number(),
  leg_number: z.int(),
  printed_et: z.string(),
  size: z.number(),
  exchange: text,
  condition: text,
  price: known,
  best_bid: known,
  best_ask: known,
})
const Revision = z.strictObject({
  visible_et: z.string(),
  superseded_et: z.string(),
  superseded_by: z.string(),
  structure: z.string(),
  legs_text: z.string(),
  contracts: z.number(),
  sign: z.number(),
  gamma: known,
})

export const GET = defineTool({
  name: 'orders_get',
  title: 'One order and its evidence',
  description:
    'One order with its legs, the prints it was rebuilt from (total counts them) and how it was ' +
    'known before.',
  input: {
    day: dayArgument,
    oid: argument(
      z.string().regex(/^[\w-]{1,60}$/),
      'an oid of orders_find, such as 20261014-124812345678-1',
    ),
  },
  output: {
    day: z.string(),
    simulated: z.boolean(),
    order: OrderRow,
    legs: z.array(Leg),
    prints: z.array(Print),
    revisions: z.array(Revision),
    revisions_total: z.int(),
    note: text,
  },
  respond: async ({ day, oid }, { asks }) => {
    const found = await asks.orders.findOrder({ day, mayBeOpen: true }, oid)
    if (found === null) {
      const give = 'give an oid that orders_find answers for that day'
      throw new ToolError(`oid is ${shown(oid)}, of which ${day} has no order; ${give}.`)
    }
    return formatOrder(day, found)
  },
})

/** Maximum number of revisions returned, the newest ones. */
const REVISIONS_MAX = 10

function formatOrder(day: string, { order, simulated, note, ...facts }: DetailedOrder) {
  const total = facts.prints.length
  const revisions = facts.revisions.slice(-REVISIONS_MAX).map(one => rowOf(Revision, one))
  const legs = facts.legs.map(leg => ({ ...rowOf(Leg, leg), expiry: String(leg.expiry) }))
  const prints = facts.prints.map(print => {
    return { ...rowOf(Print, print), sequence: Number(print.sequence) }
  })
  const from = `rebuilt from ${counted(total, 'print')}`
  const summary = `On ${day}, ${orderWords(order)}, ${from} (side and gamma are an estimate).`
  const cut = cutByRows(prints, some => ({
    summary,
    total,
    next_cursor: null,
    day,
    simulated,
    order: orderRow(order),
    legs,
    prints: [...some],
    revisions,
    revisions_total: facts.revisions.length,
    note: note ?? null,
  }))
  if (cut !== null) return cut
  throw new ToolError(`the order ${order.oid} has too many legs to be told in one answer.`)
}
