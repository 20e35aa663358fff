import { z } from 'zod'
import type { BookLevels, SessionLevels } from '../archive/ask.ts'
import { wallTimeEt } from '../core/market/calendar.ts'
import { counted } from '../core/text/counts.ts'
import { EXPOSURE_NAMES, type SessionMinute } from '../levels/ask.ts'
import { book, day as dayArgument, minuteOr } from './arguments.ts'
import { rowOf } from './ledgerRows.ts'
import { cutByRows } from './size.ts'
import { argument, defineTool, type ToolDeps, ToolError } from './tool.ts'
import { figure } from './words.ts'

/** Levels of finished sessions; those of today belong to another product. */

type Exposure = (typeof EXPOSURE_NAMES)[number]

const known = z.number().nullable()
const VALUES = {
  spot: known,
  spot_source: z.string().nullable(),
  spot_error: known,
  flip: known,
  flip_lo: known,
  flip_hi: known,
  call_wall: known,
  put_wall: known,
  net_gamma: known.describe('Of the dealers, $M per point.'),
  p_positive: known.describe('Of net gamma above 0; null in oi.'),
  reason: z.string().nullable(),
}
const Values = z.strictObject(VALUES)
/** Values that some expiries have of their own. */
const OF_EXPIRIES = {
  flip: true,
  flip_lo: true,
  flip_hi: true,
  call_wall: true,
  put_wall: true,
  net_gamma: true,
  p_positive: true,
  reason: true,
} as const
const HEAD = { day: z.string(), book: z.string(), simulated: z.boolean() }
/** Cells of a response, the largest first. */
const CELLS_MAX = 20
const ONLY_FINISHED = 'Of finished days; today needs LIVE.'

export const LEVELS = defineTool({
  name: 'orders_levels',
  title: 'Levels at a minute',
  description: `Where net dealer gamma is zero (the flip), and the walls. ${ONLY_FINISHED}`,
  input: {
    day: dayArgument,
    time: minuteOr('the last'),
    book,
    expiry: argument(z.enum(['0dte', 'next', 'all']).optional(), '0dte, next or all, such as 0dte'),
    exposure: argument(
      z.enum(EXPOSURE_NAMES).optional(),
      'delta, gamma, vanna or charm, such as vanna',
    ),
  },
  output: { ...HEAD, time: z.string(), ...VALUES, cells: z.array(z.string()).nullable() },
  respond: async (
    { day, time, book: named = 'measured', expiry = 'all', exposure = null },
    deps,
  ) => {
    const levels = await readLevels(day, deps)
    const at = time === undefined ? levels.minutes.length - 1 : levels.minutes.indexOf(time)
    const minute = levels.minutes[at]
    if (minute === undefined) throw new ToolError(noMinute(time, levels))
    const wanted = { day, time: time ?? null, book: named }
    const own = await expiryValues(expiry, wanted, deps)
    const values = { ...valuesAt(levels.books[named], at), ...own }
    const cells = exposure === null ? null : await largestCells({ ...wanted, exposure }, deps)
    const convention = levels.books.oi.flip[at] ?? null
    const summary =
      `On ${day} at ${minute} ET, ${formatLevels(values)} by the ${named} book (an estimate).` +
      (values.reason === 'inventory_unknown' && convention !== null
        ? ` Flip of the convention, book oi: ${figure(convention)}.`
        : '')
    const { simulated } = levels
    const head = { summary, total: levels.minutes.length, next_cursor: null, day, time: minute }
    return { ...head, book: named, simulated, ...values, cells }
  },
})

const STEPS = [5, 15, 30] as const
type Step = (typeof STEPS)[number]

export const HISTORY = defineTool({
  name: 'orders_level_history',
  title: 'Levels through a session',
  description: `The same levels every 5, 15 or 30 minutes. ${ONLY_FINISHED}`,
  input: {
    day: dayArgument,
    book,
    step: argument(
      z
        .int()
        .refine((step): step is Step => STEPS.some(one => one === step))
        .optional(),
      '5, 15 or 30, such as 15',
      'minutes; left out: 15',
    ),
  },
  output: { ...HEAD, rows: z.array(z.strictObject({ time: z.string(), ...VALUES })) },
  respond: async ({ day, book: named = 'measured', step = 15 }, deps) => {
    const levels = await readLevels(day, deps)
    const { minutes, simulated } = levels
    const rows = minutes.flatMap((time, at) =>
      Number(time.slice(3)) % step === 0 || at === 0 || at === minutes.length - 1
        ? [{ time, ...valuesAt(levels.books[named], at) }]
        : [],
    )
    const [first, last] = [rows[0], rows.at(-1)]
    const total = rows.length
    const moved = first && last && `${figure(first.flip)} to ${figure(last.flip)}`
    const summary =
      first && last
        ? `On ${day} the flip went from ${moved} between ${first.time} and ${last.time} ET, in ` +
          `${counted(total, 'row')} of the ${named} book (an estimate).`
        : `${day} has no minute with levels.`
    return cutByRows(rows, some => ({
      summary,
      total,
      next_cursor: null,
      day,
      book: named,
      simulated,
      rows: [...some],
    }))!
  },
})

/** The levels of some expiries in place of those of all. */
async function expiryValues(expiry: string, wanted: SessionMinute, { asks }: ToolDeps) {
  if (expiry === 'all') return {}
  const readings = await asks.levels.readExpiries(wanted)
  const { levels } = readings.find(one => one.expiry === expiry)!
  return rowOf(Values.pick(OF_EXPIRIES), levels)
}

/** The strikes and expiries with most exposure, a text each. */
async function largestCells(wanted: SessionMinute & { exposure: Exposure }, { asks }: ToolDeps) {
  const { cells } = await asks.levels.readExposures(wanted)
  return (cells ?? [])
    .toSorted(([, , , one], [, , , other]) => Math.abs(other) - Math.abs(one))
    .slice(0, CELLS_MAX)
    .map(
      ([strike, root, expiry, value, deviation]) =>
        `${strike ?? 'far strikes'} ${root} ${expiry}: ${value}` +
        (deviation === null ? '' : ` ± ${deviation}`),
    )
}

/** The levels of a minute in words: what is not known is reported so. */
function formatLevels(values: ReturnType<typeof valuesAt>): string {
  const { spot, spot_error, flip, flip_lo, flip_hi, net_gamma, p_positive, reason } = values
  const derived = spot_error === null ? '' : ` (by put-call parity, ± ${figure(spot_error)})`
  const index = `SPX at ${figure(spot)}${derived}`
  if (reason === 'inventory_unknown') return `${index}, the dealers' positions unknown`
  const interval =
    flip_lo === null || flip_hi === null ? '' : ` (${figure(flip_lo)} to ${figure(flip_hi)})`
  const sure = p_positive === null ? '' : `, positive with a probability of ${figure(p_positive)}`
  const at = flip === null ? 'no flip' : `the flip at ${figure(flip)}${interval}`
  return `${index}, ${at} and net dealer gamma of ${figure(net_gamma)} $M per point${sure}`
}

function valuesAt(levels: BookLevels, at: number) {
  // older code stored no other index than that of the tape
  const source = typeof levels.spot[at] === 'number' ? 'index' : null
  const values = Object.entries(levels).map(([name, list]) => [
    name,
    (list as readonly unknown[])[at],
  ])
  return rowOf(Values, { spot_source: source, ...Object.fromEntries(values) })
}

async function readLevels(day: string, deps: ToolDeps): Promise<SessionLevels> {
  await refuseOpen(day, deps)
  return deps.asks.archive.readLevels({ day, mayBeOpen: false })
}

async function refuseOpen(day: string, { asks, nowMs }: ToolDeps): Promise<void> {
  if (day < wallTimeEt(nowMs()).date) return
  const finished = (await asks.archive.listSessions()).at(-1)?.day ?? '2026-10-14'
  throw new ToolError(
    `day is ${day}, which is not over in New York: its levels need the product LIVE and its API, ` +
      `GET /api/v1/levels; here give a finished day, such as ${finished}.`,
  )
}

const noMinute = (time: string | undefined, { day, minutes }: SessionLevels): string =>
  minutes.length === 0
    ? `${day} has no minute with levels; give another day, of those orders_sessions lists.`
    : `time is ${time}; ${day} has levels from ${minutes[0]} to ${minutes.at(-1)}: give one of ` +
      `them, such as ${minutes[Math.floor(minutes.length / 2)]}.`
