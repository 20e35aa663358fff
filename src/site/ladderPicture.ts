import type { SessionCurves, SessionLadders } from '../archive/ask.ts'
import { roughText } from '../platform/html/figures.ts'
import { pointLabels } from '../platform/html/minutesPicture.ts'
import { createScale, percent, SIDE, tenth } from '../platform/html/scale.ts'
import { EMPTY, type Html, html } from '../platform/html/template.ts'
import { computeStrength, heatGrid } from './gammaPictures.ts'

/** Share of the height of a strike's row that its bars fill. */
const BAR_SHARE = 0.8

/** Scale of the bars of a ladder: the same all day, so that minutes can be compared. */
type LadderScale = {
  /** The ends of the picture, index points. */
  readonly low: number
  readonly high: number
  /** The height of a bar, index points. */
  readonly thick: number
  /** The gamma of a bar that fills its side, $M a point. */
  readonly limit: number
}

/**
 * Gamma of each strike at a minute: calls to the left, puts to the right, striped where it is
 * negative: a bar is too thin for a hatch. Shares the index points of the heat map. Empty when
 * there is none.
 */
export function ladderPicture(
  ladders: SessionLadders,
  { curves, at, spot }: { curves: SessionCurves; at: number; spot: number | null },
): Html {
  const { minutes, strikes, calls, puts } = ladders
  const by = ladderScale(ladders, curves)
  if (!by || strikes === null) return EMPTY
  const { low, high, thick, limit } = by
  const { above, below } = barPaths(strikes, [calls[at] ?? [], puts[at] ?? []], by)
  const scale = createScale(['', ''], low, high)
  const y = percent(scale.y(spot ?? low))
  return html`<svg class="picture axes" id="ladder-picture" role="img" width="100%" height="320"
data-low="${low}" data-high="${high}" data-thick="${thick}" data-limit="${limit}"
aria-label="Gamma by strike at ${minutes[at] ?? ''}; the table below has each strike.">
<svg width="100%" height="100%" viewBox="0 0 ${SIDE} ${SIDE}" preserveAspectRatio="none">
<path class="above-3" id="ladder-above" d="${above}"/><path fill="url(#stripes)" id="ladder-below"
d="${below}"/></svg>
<line class="grid" x1="50%" x2="50%" y1="0" y2="100%"/>
<line class="spot-line" id="ladder-spot" x1="0" x2="100%" y1="${y}" y2="${y}"${
    spot === null && html` visibility="hidden"`
  }/>
<g class="labels">${pointLabels(scale)}
<text class="middle" x="25%" y="-6">calls</text><text class="middle" x="75%" y="-6">puts</text>
<text class="end" x="100%" y="100%" dy="16">${roughText(limit)} and more</text></g></svg>`
}

/** Null when no strike is within the picture. */
function ladderScale(
  { strikes, calls, puts }: SessionLadders,
  curves: SessionCurves,
): LadderScale | null {
  if (strikes === null || strikes.length === 0) return null
  const gaps = strikes.slice(1).map((strike, index) => strike - strikes[index]!)
  const gap = Math.min(...gaps, 25)
  const grid = heatGrid(curves)
  const { from, step } = curves
  const isOnHeat = grid !== null && from !== null && step !== null
  const low = isOnHeat ? from + (grid.first - 0.5) * step : strikes[0]! - gap
  const high = isOnHeat ? from + (grid.last + 0.5) * step : strikes.at(-1)! + gap
  // a few outliers on an expiry day would compress all other bars
  const limit = computeStrength([...calls, ...puts], 0.98) || 1
  return { low, high, thick: BAR_SHARE * gap, limit }
}

type Side = readonly (number | null)[]

function barPaths(
  strikes: readonly number[],
  sides: readonly [Side, Side],
  { low, high, thick, limit }: LadderScale,
): { readonly above: string; readonly below: string } {
  const paths = { above: '', below: '' }
  const height = tenth((SIDE * thick) / (high - low))
  for (const [index, strike] of strikes.entries()) {
    const top = tenth((SIDE * (high - strike - thick / 2)) / (high - low))
    for (const [side, list] of sides.entries()) {
      const gamma = list[index] ?? null
      if (gamma === null || gamma === 0) continue
      const width = tenth((SIDE / 2) * Math.min(1, Math.abs(gamma) / limit))
      const way = side === 0 ? -width : width
      paths[gamma < 0 ? 'below' : 'above'] += `M${SIDE / 2} ${top}h${way}v${height}h${-way}Z`
    }
  }
  return paths
}
