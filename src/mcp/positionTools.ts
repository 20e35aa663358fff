import { z } from 'zod'
import { counted } from '../core/text/counts.ts'
import { textOrNull } from '../platform/http/fields.ts'
import type { PositionsAsk } from '../positions/ask.ts'
import { dayOr, minuteOr } from './arguments.ts'
import { cutByRows, fits } from './size.ts'
import { argument, defineTool, type ToolDeps, ToolError } from './tool.ts'

/** Tools over the positions of an account, and their values at a minute. */

const Position = z.looseObject({ id: z.string(), kind: z.string(), entry: z.string() })

export const LIST = defineTool({
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

export const CHECK = defineTool({
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
