import type { ResolvedTrade } from '../../../src/lab/verdict/sample.ts'

/** The statistics of LAB once more, from their formulas, without any of the product's code. */

export type NaiveRow = { readonly session: number; readonly r: number; readonly weight?: number }

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const mean = (rows: readonly NaiveRow[]) =>
  total(rows.map(({ r, weight = 1 }) => r * weight)) / total(rows.map(({ weight = 1 }) => weight))

/** How far each session pulls a mean. */
function pulls(rows: readonly NaiveRow[], session: number): number {
  const middle = mean(rows)
  const all = total(rows.map(({ weight = 1 }) => weight))
  const own = rows.filter(row => row.session === session)
  return total(own.map(({ r, weight = 1 }) => weight * (r - middle))) / all
}

export function naiveT(rows: readonly NaiveRow[]): number {
  const sessions = [...new Set(rows.map(({ session }) => session))]
  const count = sessions.length
  const squares = sessions.map(session => pulls(rows, session) ** 2)
  return mean(rows) / Math.sqrt((count / (count - 1)) * total(squares))
}

/** Of rule less core; trades of a rule may be weighted. */
export function naiveDifference(rule: readonly NaiveRow[], core: readonly NaiveRow[]) {
  const sessions = [...new Set(core.map(({ session }) => session))]
  const count = sessions.length
  const squares = sessions.map(session => (pulls(rule, session) - pulls(core, session)) ** 2)
  const difference = mean(rule) - mean(core)
  return { difference, t: difference / Math.sqrt((count / (count - 1)) * total(squares)) }
}

export function naiveEffective(rows: readonly NaiveRow[]): number {
  const n = rows.length
  const groups = [...new Set(rows.map(({ session }) => session))].map(session =>
    rows.filter(row => row.session === session),
  )
  const g = groups.length
  if (n === g) return n
  const between = total(groups.map(own => own.length * (mean(own) - mean(rows)) ** 2)) / (g - 1)
  const within = total(groups.flatMap(own => own.map(({ r }) => (r - mean(own)) ** 2))) / (n - g)
  const squares = total(groups.map(own => own.length ** 2)) / n
  const n0 = (n - squares) / (g - 1)
  const rho = (between - within) / (between + (n0 - 1) * within)
  return n / (1 + (squares - 1) * Math.max(0, rho))
}

/** Every order of so many wins and losses, each once. */
export function orders(wins: number, losses: number): boolean[][] {
  if (wins === 0) return [Array.from({ length: losses }, () => false)]
  if (losses === 0) return [Array.from({ length: wins }, () => true)]
  return [
    ...orders(wins - 1, losses).map(rest => [true, ...rest]),
    ...orders(wins, losses - 1).map(rest => [false, ...rest]),
  ]
}

/** The t of each arrangement of a placebo but the rule's own; null where too little is left. */
export function naivePlacebo(core: readonly ResolvedTrade[], sessions: readonly number[]) {
  const count = sessions.length
  const put = (target: (index: number) => number): number | null => {
    const chosen = core
      .filter(trade => trade.isInRule)
      .flatMap(trade => {
        const other = sessions[target(sessions.indexOf(trade.session))]!
        return core.filter(one => one.isFixed && one.session === other && one.slot === trade.slot)
      })
    if (new Set(chosen.map(({ session }) => session)).size < 2) return null
    return naiveDifference(chosen, core).t
  }
  const shifts = Array.from({ length: count }, (_, shift) => shift)
  return [
    ...shifts.slice(1).map(shift => put(index => (index + shift) % count)),
    ...shifts.map(shift => put(index => (((shift - index) % count) + count) % count)),
  ]
}
