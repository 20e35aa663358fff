/** Positions in a picture: percent of its width and height, from the left and from the top. */

export type PictureAxis = {
  readonly low: number
  readonly high: number
  /** Position of a value between the ends, 0 to 100; `fromTop` measures from the far end. */
  readonly at: (value: number) => number
  readonly fromTop: (value: number) => number
  /** About five round values. */
  readonly ticks: readonly number[]
}

/** Creates an axis that covers all values, and zero. */
export function createAxis(values: readonly number[]): PictureAxis {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const air = 0.04 * (most - least) || 1
  const [low, high] = [least === 0 ? 0 : least - air, most === 0 && least < 0 ? 0 : most + air]
  return axisFrom(low, high)
}

/** Creates an axis between two values, such as the edges of a histogram. */
export function axisFrom(low: number, high: number): PictureAxis {
  const span = high - low || 1
  return {
    low,
    high,
    ticks: listTicks(low, high),
    at: value => toPercent((value - low) / span),
    fromTop: value => toPercent((high - value) / span),
  }
}

const TICKS = 5

/** Multiples of 1, 2 or 5 times a power of ten. */
function listTicks(low: number, high: number): number[] {
  const rough = (high - low) / TICKS
  const power = 10 ** Math.floor(Math.log10(rough || 1))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(one => one >= rough) ?? rough
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toPrecision(9)),
  )
}

/** A share in percent, rounded to a hundredth. */
const toPercent = (share: number): number => Math.round(10_000 * share) / 100
