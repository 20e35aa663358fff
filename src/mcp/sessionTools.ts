import { z } from 'zod'
import { counted } from '../core/text/counts.ts'
import { number, textOrNull } from '../platform/http/fields.ts'
import { cursor, dayOr } from './arguments.ts'
import { cursorAt, readPosition } from './cursor.ts'
import { BriefRow, briefRow } from './ledgerRows.ts'
import { cutByRows } from './size.ts'
import { defineTool, type ToolDeps, ToolError } from './tool.ts'
import { asofWords, figure, orderWords, premium } from './words.ts'

/** Tools over the list of sessions, and the summary of one. */

const PAGE_ROWS = 60
const known = z.number().nullable()

export const SESSIONS = defineTool({
  name: 'orders_sessions',
  title: 'Sessions that have a ledger',
  description:
    'Days with a ledger of large SPX options orders, newest first, with open, close and flip of ' +
    'those that are finished.',
  input: { from: dayOr('the first'), to: dayOr('the newest'), cursor },
  output: {
    sessions: z.array(
      z.strictObject({
        day: z.string(),
        finished: z.boolean(),
        grade: textOrNull('Of the tape: good, doubtful, bad.'),
        orders: known,
        open: known,
        close: known,
        flip_close: known.describe('The flip at the close, points.'),
        simulated: z.boolean().nullable(),
      }),
    ),
  },
  respond: async ({ from = '', to = '9999', cursor: given }, deps) => {
    const rows = (await sessionRows(deps)).filter(({ row }) => row.day >= from && row.day <= to)
    const revision = rows.map(one => `${one.row.day} ${one.revision}`).join()
    const listed = { revision, question: { from, to } }
    const start = readPosition(given, listed)
    const total = rows.length
    const page = rows.slice(start, start + PAGE_ROWS).map(({ row }) => row)
    const newest = rows[0]?.row
    const oldest = rows.at(-1)?.row.day
    const ordersText =
      newest?.orders == null ? '' : ` with ${counted(newest.orders, 'order')}, an estimate`
    const state = newest?.finished ? 'is finished' : 'is not finished'
    const summary = newest
      ? `${counted(total, 'session')} since ${oldest}; the newest, ${newest.day}, ${state}${ordersText}.`
      : 'No session of these days has a ledger.'
    return cutByRows(page, sessions => ({
      summary,
      total,
      sessions: [...sessions],
      next_cursor: cursorAt(listed, { at: start + sessions.length, total }),
    }))!
  },
})

async function sessionRows({ asks }: ToolDeps) {
  const finished = new Map((await asks.archive.listSessions()).map(facts => [facts.day, facts]))
  return asks.orders
    .listDays()
    .toReversed()
    .map(day => {
      const facts = finished.get(day)
      const { orders = null, open = null, close = null, flip_close = null } = facts ?? {}
      const { grade = null, simulated = null, revision = '' } = facts ?? {}
      const isFinished = facts !== undefined
      const values = { orders, open, close, flip_close, simulated }
      return { revision, row: { day, finished: isFinished, grade, ...values } }
    })
}

const Totals = z
  .strictObject({
    n: z.int(),
    net: z.number(),
    no_side: z.int(),
    no_gamma: z.int(),
    gamma_up: z.int(),
    gamma_dn: z.int(),
    gamma_flat: z.int(),
  })
  .nullable()
  .describe('Orders; net premium $M; how many lack a side or gamma, added, took or left gamma.')

export const SUMMARY = defineTool({
  name: 'orders_summary',
  title: 'A session in numbers',
  description:
    'Totals of a ledger, its structures, the five orders that added most dealer gamma and the ' +
    'five that took most, and the grade of the tape.',
  input: { day: dayOr('the newest') },
  output: {
    day: z.string(),
    asof: z.string().nullable(),
    simulated: z.boolean().nullable(),
    grade: z.string().nullable(),
    stats: Totals,
    structures: z.array(
      z.strictObject({
        kind: z.string(),
        orders: z.int(),
        net: number('$M.'),
        gamma: number('$M per point.'),
      }),
    ),
    up: z.array(BriefRow),
    down: z.array(BriefRow),
    note: z.string().nullable(),
  },
  respond: async ({ day = null }, { asks, requester }) => {
    const wanted = { day, asof: null, requester: requester ?? { account: '' } }
    const { day: of, content, note } = await asks.orders.summarizeLedger(wanted)
    if (content === null) return { ...NOTHING, day: of, summary: note, note }
    const { asof, simulated, grade, stats } = content
    const [largest] = [...content.up, ...content.down].toSorted(
      (one, other) => Math.abs(other.g ?? 0) - Math.abs(one.g ?? 0),
    )
    const most =
      largest === undefined ? '' : `; the largest is the ${orderWords(largest)}, oid ${largest.oid}`
    const n = stats?.n ?? 0
    const sums = `${counted(n, 'order')} with ${premium(stats?.net ?? null)}`
    const no = figure(stats?.no_side ?? null)
    const summary =
      `On ${of}, ${asofWords(asof)}, the ledger has ${sums}, ${no} of them without a side${most} ` +
      '(gamma and sides are an estimate).'
    const head = { day: of, asof, simulated, grade, stats, note: content.note ?? null }
    const cut = cutByRows(content.structures, structures => ({
      summary,
      ...head,
      total: n,
      next_cursor: null,
      structures: structures.map(one => ({ ...one })),
      up: content.up.map(briefRow),
      down: content.down.map(briefRow),
    }))
    if (cut === null) throw new ToolError('this session is too large to sum up in one answer.')
    return cut
  },
})

const NOTHING = {
  total: 0,
  next_cursor: null,
  asof: null,
  simulated: null,
  grade: null,
  stats: null,
  structures: [],
  up: [],
  down: [],
}
