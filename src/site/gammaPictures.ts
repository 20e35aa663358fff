import type { BookLevels, SessionCurves } from '../archive/ask.ts'
import { countText, roughText } from '../platform/html/figures.ts'
import { inside, marker, minutesPicture, pointLabels } from '../platform/html/minutesPicture.ts'
import { createScale, linePath, percent, SIDE, tenth } from '../platform/html/scale.ts'
import { EMPTY, type Html, html } from '../platform/html/template.ts'

/** Pictures of gamma as the session page first shows them; its script draws the same ones. */

/** Columns of a heat map: enough for a picture of a day. */
const COLUMNS_MAX = 80
/** Shades of each sign. */
const SHADES = 4

/** Net gamma over minutes and index points, with the index and the flip over it. */
export function heatPicture(
  curves: SessionCurves,
  levels: Pick<BookLevels, 'spot' | 'flip'>,
  at: number,
): Html {
  const { minutes, from, step, net } = curves
  const grid = heatGrid(curves)
  if (from === null || step === null || !grid) return EMPTY
  const half = step / 2
  const scale = createScale(
    minutes,
    from + grid.first * step - half,
    from + grid.last * step + half,
  )
  const every = Math.ceil(minutes.length / COLUMNS_MAX)
  const limit = computeStrength(net, 0.95)
  const paths = new Map<string, string>()
  const fill = (name: string, path: string) => paths.set(name, (paths.get(name) ?? '') + path)
  for (let column = 0; column < minutes.length; column += every) {
    const [left, right] = [column, Math.min(minutes.length - 1, column + every)].map(scale.x)
    const list = net[column]!
    let start = grid.first
    for (let index = grid.first; index <= grid.last; index++) {
      const name = chooseShade(list[index] ?? null, limit)
      if (index < grid.last && chooseShade(list[index + 1] ?? null, limit) === name) continue
      const [top, bottom] = [from + index * step + half, from + start * step - half].map(scale.y)
      const path = `M${left} ${top}H${right}V${bottom}H${left}Z`
      if (name !== null) fill(name, path)
      if (name?.startsWith('below')) fill('hatched', path)
      start = index + 1
    }
  }
  const [first, last] = [minutes[0], minutes.at(-1)]
  const ends = `${countText(scale.low)} to ${countText(scale.high)} index points`
  return minutesPicture({
    id: 'heat-picture',
    says: `Net gamma from ${first} to ${last}, ${ends}: hatched where it is negative.`,
    scale,
    shapes: html`${[...paths].map(([name, path]) =>
      name === 'hatched'
        ? html`<path fill="url(#hatch-wide)" d="${path}"/>\n`
        : html`<path class="${name}" d="${path}"/>\n`,
    )}
<path class="line flip" d="${linePath(inside(levels.flip, scale), scale)}"/>
<path class="line spot" d="${linePath(inside(levels.spot, scale), scale)}"/>`,
    over: marker(scale, at),
  })
}

/** First and last grid index with a value in any minute; null when there is none. */
export function heatGrid({ net }: SessionCurves): { first: number; last: number } | null {
  let [first, last] = [Number.POSITIVE_INFINITY, -1]
  for (const list of net) {
    const start = list.findIndex(gamma => gamma !== null)
    if (start < 0) continue
    first = Math.min(first, start)
    last = Math.max(
      last,
      list.findLastIndex(gamma => gamma !== null),
    )
  }
  return last < 0 ? null : { first, last }
}

/** Quantile of the day's absolute gamma: this share of all values is smaller. */
export function computeStrength(net: SessionCurves['net'], share: number): number {
  const sizes = net.flatMap(list => list.flatMap(gamma => (gamma === null ? [] : Math.abs(gamma))))
  return Float64Array.from(sizes).sort()[Math.floor(share * (sizes.length - 1))] ?? 0
}

function chooseShade(gamma: number | null, limit: number): string | null {
  if (gamma === null) return null
  const shade = Math.min(SHADES, 1 + Math.floor((SHADES * Math.abs(gamma)) / (limit || 1)))
  return `${gamma < 0 ? 'below' : 'above'}-${shade}`
}

/** The curve of one minute as bars, the highest point on top. */
export function curvePicture(curves: SessionCurves, at: number, spot: number | null): Html {
  const { minutes, from, step, net } = curves
  const grid = heatGrid(curves)
  if (from === null || step === null || !grid) return EMPTY
  // a few outliers on an expiry day would compress all other bars
  const limit = computeStrength(net, 0.98) || 1
  const list = net[at] ?? []
  const count = grid.last - grid.first + 1
  const tall = tenth((0.85 * SIDE) / count)
  const paths = { above: '', below: '' }
  for (let index = grid.first; index <= grid.last; index++) {
    const gamma = list[index] ?? null
    if (gamma === null) continue
    const extent = tenth((SIDE / 2) * Math.max(-1, Math.min(1, gamma / limit)))
    const y = tenth((SIDE * (grid.last - index)) / count)
    paths[gamma < 0 ? 'below' : 'above'] += `M${SIDE / 2} ${y}h${extent}v${tall}h${-extent}Z`
  }
  const scale = createScale(
    ['', ''],
    from + (grid.first - 0.5) * step,
    from + (grid.last + 0.5) * step,
  )
  return html`<svg class="picture axes" id="curve-picture" role="img" width="100%" height="320"
data-limit="${limit}" data-first="${grid.first}" data-last="${grid.last}"
aria-label="Net gamma over the index at ${minutes[at] ?? ''}; the table below has each point.">
<svg width="100%" height="100%" viewBox="0 0 ${SIDE} ${SIDE}" preserveAspectRatio="none">
<path class="above-3" id="curve-above" d="${paths.above}"/><path class="below-3" id="curve-below"
d="${paths.below}"/><path fill="url(#hatch-wide)" id="curve-hatch" d="${paths.below}"/></svg>
<line class="grid" x1="50%" x2="50%" y1="0" y2="100%"/>
<line class="spot-line" id="curve-spot" x1="0" x2="100%" y1="${percent(scale.y(spot ?? 0))}"
y2="${percent(scale.y(spot ?? 0))}"${spot === null && html` visibility="hidden"`}/>
<g class="labels">${pointLabels(scale)}
<text class="end" x="100%" y="100%" dy="16">${roughText(limit)} and more</text></g></svg>`
}
