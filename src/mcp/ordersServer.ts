import { z } from 'zod'
import { counted } from '../core/text/counts.ts'
import { number, textOrNull } from '../platform/http/fields.ts'
import type { PositionsAsk } from '../positions/ask.ts'
import { cursor, dayOr, minuteOr } from './arguments.ts'
import { cursorAt, readPosition } from './cursor.ts'
import { BriefRow, briefRow } from './ledgerRows.ts'
import { HISTORY, LEVELS } from './levelTools.ts'
import { FIND, GET } from './orderTools.ts'
import type { ToolServer } from './protocol.ts'
import { cutByRows, fits } from './size.ts'
import { argument, defineTool, type ToolDeps, ToolError } from './tool.ts'
import { asofWords, figure, orderWords, premium } from './words.ts'

/** Tools over the list of sessions, and the summary of one. */

const PAGE_ROWS = 60
const known = z.number().nullable()

const SESSIONS = defineTool({
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

/** Tools over the positions of an account, and their values at a minute. */

const Position = z.looseObject({ id: z.string(), kind: z.string(), entry: z.string() })

const LIST = defineTool({
  name: 'positions_list',
  title: 'Positions of the account',
  description: 'The short options positions that the account keeps, with their conditions.',
  input: {},
  output: { positions: z.array(Position) },
  respond: async (_given, deps) => {
    const { account } = requireAccount(deps)
    // the address of its alerts is not for an assistant
    const positions = (await deps.asks.positions.listPositions(account)).map(one => {
      const { alert: _, ...position } = one as typeof one & { readonly alert?: unknown }
      return position
    })
    const named = positions
      .map(({ id, kind, entry }) => `${id}, a ${kind} of ${entry} ET`)
      .join('; ')
    const total = positions.length
    const summary =
      total === 0
        ? 'The account keeps no position.'
        : `The account keeps ${counted(total, 'position')}: ${named}.`
    return cutByRows(positions, positions => ({
      summary,
      total,
      next_cursor: null,
      positions: [...positions],
    }))!
  },
})

const Check = z.looseObject({
  position_id: z.string(),
  kind: z.string(),
  label: textOrNull('TRADE, CAUTION or SKIP; null: error says why.'),
  counts: z.looseObject({ on: z.int(), off: z.int(), unknown: z.int() }),
})

const CHECK = defineTool({
  name: 'positions_check',
  title: 'Check positions at a minute',
  description:
    'Labels of positions by what was known before a minute: each condition with its value, ' +
    'distances to the flip and the walls, and large orders near the short strikes.',
  input: {
    id: argument(
      z
        .string()
        .regex(/^p_[0-9A-Za-z]{1,40}$/)
        .optional(),
      'an id of positions_list, such as p_4fQ8sK2mZx0T',
      'left out: all',
    ),
    day: dayOr('today'),
    t: minuteOr('the latest'),
  },
  output: {
    day: z.string(),
    t: z.string().nullable(),
    live: z.boolean(),
    checks: z.array(Check),
    note: z.string().nullable(),
  },
  respond: async ({ id = null, day = null, t = null }, deps) => {
    const checked = await deps.asks.positions.checkPositions({
      id,
      day,
      t,
      requester: requireAccount(deps),
    })
    return formatChecks(checked)
  },
})

type CheckedPositions = Awaited<ReturnType<PositionsAsk['checkPositions']>>
type CheckedPosition = CheckedPositions['checks'][number]

/** Returns whole checks; if too large, with fewer nearby orders, then fewer checks. */
function formatChecks({ day, t, live, checks, note }: CheckedPositions) {
  const total = checks.length
  const labels = checks.map(({ position_id, label, counts }) => {
    const on = `${counts.on} of ${counts.on + counts.off + counts.unknown} conditions on`
    return `${position_id} is ${label ?? 'without a label'} with ${on}`
  })
  const at = t === null ? `On ${day}` : `On ${day} at ${t} ET`
  const summary =
    total === 0
      ? `${at} the account keeps no position.`
      : `${at} ${labels.join('; ')} (an estimate).`
  const toResponse = (some: readonly CheckedPosition[]) => ({
    summary,
    total,
    next_cursor: null,
    day,
    t,
    live,
    note: note ?? null,
    checks: some.map(check => ({ ...check, counts: { ...check.counts } })),
  })
  for (const most of [10, 5, 2, 0]) {
    const some = checks.map(check => nearest(check, most))
    if (fits(toResponse(some))) return toResponse(some)
  }
  return cutByRows(
    checks.map(check => nearest(check, 0)),
    toResponse,
  )!
}

const nearest = (check: CheckedPosition, most: number): CheckedPosition => ({
  ...check,
  shorts: check.shorts.map(short => ({ ...short, orders: short.orders.slice(0, most) })),
})

/** Returns the owner of the positions. Fails without an account. */
function requireAccount({ requester }: ToolDeps) {
  if (requester !== null) return requester
  throw new ToolError(
    'positions belong to an account; start the command with one, such as --account acct_1.',
  )
}

/** The tools over ledgers, levels and positions. */
export const ORDERS_SERVER: ToolServer = {
  name: 'tapefold-orders',
  title: 'Tapefold orders',
  instructions:
    'Large SPX options orders rebuilt from the public trade tape. Days are New York sessions, ' +
    'YYYY-MM-DD; minutes are ET, HH:MM. Sides, gamma and levels are estimates. Null is not zero. ' +
    'Quote `summary`; go on with `next_cursor` until it is null.',
  tools: [SESSIONS, SUMMARY, FIND, GET, LEVELS, HISTORY, LIST, CHECK],
}
