/** Plots as SVG text: rows of dots on one axis. */

import escapeHtml from 'escape-html'

/** One mark of a row; null values are not drawn. */
export type Dot = {
  readonly value: number | null
  readonly color: string
  /** Text of the mark's tooltip. */
  readonly hint: string
}

export type DotRow = {
  readonly label: string
  readonly dots: readonly Dot[]
  /** Minimum that the row has to meet, drawn as a vertical stroke. */
  readonly target?: number | undefined
}

export type DotPlot = {
  readonly title: string
  /** Quantity on the axis, with its unit. */
  readonly axis: string
  readonly rows: readonly DotRow[]
  readonly isLog?: boolean
  /** Ends of the axis where the values do not say them. */
  readonly from?: number
  readonly to?: number
  /** A stretch of the axis that is wanted. */
  readonly band?: readonly [number, number]
}

const ROW = 22
const LEFT = 226
const WIDTH = 545
const TOP = 34
const AXIS = 44
const INK = '#222'
const GRID = '#ddd'
const TARGET_COLOR = '#c0392b'

/** A plot of one row a line, all on one axis. */
export function dotPlot(plot: DotPlot): string {
  const { title, axis, rows, isLog = false, band } = plot
  const values = rows.flatMap(row => [...row.dots.map(dot => dot.value), row.target ?? null])
  const known = values.filter(value => value !== null && (!isLog || value > 0)) as number[]
  const ticks = isLog ? powersOfTen(known) : roundTicks(known, plot.from, plot.to)
  const [low, high] = [ticks[0]!, ticks.at(-1)!]
  const toX = (value: number) => {
    const at = isLog
      ? Math.log(value / low) / Math.log(high / low)
      : (value - low) / (high - low || 1)
    return LEFT + at * (WIDTH - LEFT - 30)
  }
  const bottom = TOP + rows.length * ROW
  const parts = ticks.map(
    tick =>
      `${line(toX(tick), TOP - 4, toX(tick), bottom, GRID)}${text(
        toX(tick),
        bottom + 16,
        tickText(tick, isLog),
        'middle',
      )}`,
  )
  if (band) {
    const width = toX(band[1]) - toX(band[0])
    const height = bottom - TOP + 4
    parts.unshift(
      `<rect x="${px(toX(band[0]))}" y="${TOP - 4}" width="${px(width)}" height="${height}" \
fill="#e4f1e4"/>`,
    )
  }
  rows.forEach((row, index) => {
    const y = TOP + (index + 0.5) * ROW
    parts.push(text(LEFT - 12, y + 4, row.label, 'end'))
    parts.push(line(LEFT, y, WIDTH - 30, y, '#eee'))
    if (row.target !== undefined) {
      parts.push(line(toX(row.target), y - 9, toX(row.target), y + 9, TARGET_COLOR, 2.5))
    }
    for (const dot of row.dots) {
      if (dot.value === null || (isLog && dot.value <= 0)) continue
      parts.push(circle(toX(dot.value), y, 5, dot.color, dot.hint))
    }
  })
  parts.push(text((LEFT + WIDTH - 30) / 2, bottom + 36, axis, 'middle'))
  return svg({ width: WIDTH, height: bottom + AXIS, title, parts })
}

type Drawing = {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly parts: readonly string[]
}

const svg = ({ width, height, title, parts }: Drawing) =>
  `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" \
aria-label="${escapeHtml(title)}" xmlns="http://www.w3.org/2000/svg">
<text x="8" y="18" font-weight="600">${escapeHtml(title)}</text>
${parts.join('\n')}
</svg>`

const px = (value: number) => value.toFixed(1)

const line = (x1: number, y1: number, x2: number, y2: number, color: string, width = 1) =>
  `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" stroke="${color}" \
stroke-width="${width}"/>`

const text = (x: number, y: number, value: string, anchor: 'start' | 'middle' | 'end') =>
  `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}" fill="${INK}">\
${escapeHtml(value)}</text>`

const circle = (x: number, y: number, radius: number, color: string, hint: string) =>
  `<circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}" fill="${color}" stroke="${color}" \
stroke-width="1.5"><title>${escapeHtml(hint)}</title></circle>`

/** About five round numbers that hold all values between them. */
function roundTicks(values: readonly number[], from?: number, to?: number): number[] {
  const low = from ?? Math.min(...values, 0)
  const high = Math.max(to ?? Math.max(...values, low), low + 1e-9)
  const raw = (high - low) / 5
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= raw * 0.999)!
  const first = Math.floor(low / step + 1e-9)
  const last = Math.ceil(high / step - 1e-9)
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(9)),
  )
}

/** The powers of ten around all values, at most ten of them. */
function powersOfTen(values: readonly number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.ceil(Math.log10(Math.max(...values)))
  const step = Math.max(1, Math.ceil((high - low) / 10))
  const count = Math.max(1, Math.ceil((high - low) / step))
  return Array.from({ length: count + 1 }, (_, i) => 10 ** (low + i * step))
}

const tickText = (tick: number, isLog: boolean) =>
  isLog && (tick < 1e-3 || tick >= 1e5)
    ? tick.toExponential(0)
    : String(Number(tick.toPrecision(6)))
