import { formatMinute, parseMinute } from '../../core/market/calendar.ts'

/** Values tested for one number of a rule: its own, and steps around it. */

const FACTORS = [0.5, 0.75, 1, 1.25, 1.5]
const MINUTES = [-60, -30, 0, 30, 60]

export type NumberRange = { readonly grid: number; readonly min: number; readonly max: number }

/** Values from half to one and a half times a number, on its grid, within its bounds; ascending. */
export function listSteps(own: number, { grid, min, max }: NumberRange): number[] {
  const candidates = FACTORS.map(factor => (factor === 1 ? own : onGrid(own * factor, grid)))
  const inside = candidates.filter(value => value === own || (value >= min && value <= max))
  return [...new Set(inside)].sort((a, b) => a - b)
}

/** Rounds halves away from zero, so that mirrored values stay mirrored. */
function onGrid(value: number, grid: number): number {
  const size = Math.round(Math.abs(value) / grid) * grid
  return Number((Math.sign(value) * size).toPrecision(12)) + 0
}

/** Grid of two significant digits: whole numbers for 25, hundredths for 0.4. */
export const twoDigits = (own: number): number =>
  own === 0 ? 1 : 10 ** (Math.floor(Math.log10(Math.abs(own))) - 1)

/** Times half an hour and an hour to either side, within the session. */
export function timesAround(own: string, first: string, last: string): string[] {
  const times = MINUTES.map(minutes => formatMinute(parseMinute(own) + minutes))
  return times.filter(time => time === own || (time >= first && time <= last))
}
