/** Coordinates in a picture of a session: minutes to the right, index points upwards. */

export type Scale = {
  readonly minutes: readonly string[]
  readonly low: number
  readonly high: number
  /** 0 to `SIDE`. */
  readonly x: (index: number) => number
  readonly y: (points: number) => number
}

/** Side of the square that pictures are drawn in; the page stretches it. */
export const SIDE = 1000

export function createScale(minutes: readonly string[], low: number, high: number): Scale {
  const steps = Math.max(1, minutes.length - 1)
  const span = high - low || 1
  return {
    minutes,
    low,
    high,
    x: index => tenth((SIDE * index) / steps),
    y: points => tenth((SIDE * (high - points)) / span),
  }
}

/** Range of the known values, with a small margin; null when there are none. */
export function computeRange(
  lists: readonly (readonly (number | null)[])[],
): { readonly low: number; readonly high: number } | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of lists.flat()) {
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return null
  const air = Math.max(2, 0.04 * (high - low))
  return { low: low - air, high: high + air }
}

/** Round levels of a range, five to ten of them. */
export function computeTicks(low: number, high: number): number[] {
  const steps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000]
  const step = steps.find(one => (high - low) / one <= 8) ?? 100_000
  const first = Math.ceil(low / step) * step
  const count = Math.max(0, Math.floor((high - first) / step) + 1)
  return Array.from({ length: count }, (_, index) => first + index * step)
}

/** A line through the known values, with a gap where one is missing. */
export function linePath(values: readonly (number | null)[], { x, y }: Scale): string {
  let isDown = false
  let path = ''
  for (const [index, value] of values.entries()) {
    if (value !== null) path += `${isDown ? 'L' : 'M'}${x(index)} ${y(value)}`
    isDown = value !== null
  }
  return path
}

/** A step line. */
export function stepPath(values: readonly (number | null)[], { x, y }: Scale): string {
  let before: number | null = null
  let path = ''
  for (const [index, value] of values.entries()) {
    const isLast = index === values.length - 1
    if (value !== null && before === null) path += `M${x(index)} ${y(value)}`
    else if (value !== null && (value !== before || isLast)) path += `H${x(index)}V${y(value)}`
    else if (value === null && before !== null) path += `H${x(index - 1)}`
    before = value
  }
  return path
}

/** The area between two lines, where both are known. */
export function bandPath(
  low: readonly (number | null)[],
  high: readonly (number | null)[],
  { x, y }: Scale,
): string {
  return findRuns(low.map((value, index) => value !== null && high[index] !== null))
    .map(({ from, to }) => {
      const indexes = Array.from({ length: to - from + 1 }, (_, index) => from + index)
      const up = indexes.map(index => `${x(index)} ${y(high[index]!)}`)
      const back = indexes.toReversed().map(index => `${x(index)} ${y(low[index]!)}`)
      return `M${[...up, ...back].join('L')}Z`
    })
    .join('')
}

/** Runs of true values, each with its first and last index. */
export function findRuns(list: readonly boolean[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  for (const [index, isOn] of list.entries()) {
    const last = runs.at(-1)
    if (!isOn) continue
    if (last?.to === index - 1) last.to = index
    else runs.push({ from: index, to: index })
  }
  return runs
}

/** Formats a coordinate as a share of the side, such as 12.5%. */
export const percent = (position: number): string =>
  `${Math.round((10_000 * position) / SIDE) / 100}%`

export const tenth = (value: number): number => Math.round(value * 10) / 10
