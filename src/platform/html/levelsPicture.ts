import { INVENTORY_UNKNOWN } from '../../data/published/reasons.ts'
import { pointsText } from './figures.ts'
import { inside, levelLines, marker, minutesPicture } from './minutesPicture.ts'
import {
  bandPath,
  computeRange,
  createScale,
  findRuns,
  linePath,
  percent,
  type Scale,
  stepPath,
} from './scale.ts'
import { EMPTY, type Html, html } from './template.ts'

/** Hatch that marks negative values besides their colour; once a page, before all pictures. */
export const patterns = (): Html => html`<svg width="0" height="0" class="patterns"
aria-hidden="true"><defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse"
patternTransform="rotate(45)"><path d="M0 0V7" class="hatch"/></pattern>
<pattern id="hatch-wide" width="12" height="24" patternUnits="userSpaceOnUse">
<path d="M0 24L12 0" class="hatch"/></pattern>
<pattern id="stripes" width="24" height="24" patternUnits="userSpaceOnUse"><rect class="below-4"
width="15" height="24"/></pattern>
<pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse"><circle cx="3" cy="3" r="1"
class="dots"/></pattern></defs></svg>
`

type PicturedName = 'spot' | 'flip' | 'flip_lo' | 'flip_hi' | 'call_wall' | 'put_wall' | 'net_gamma'

/** A value per minute. Index points; net gamma in $M per point. */
type PicturedLevels = { readonly [Name in PicturedName]: readonly (number | null)[] } & {
  /** Why a level is null. */
  readonly reason?: readonly (string | null)[]
}

/**
 * Index, flip with its error bar, walls and regime by minute, with marks at some minutes, by their
 * index in the list, and a dotted line at each release; empty when nothing is known.
 */
export function levelsPicture(
  minutes: readonly string[],
  levels: PicturedLevels,
  marked: readonly number[],
  releases: readonly number[] = [],
): Html {
  const range = computeRange([levels.spot, levels.flip, levels.flip_lo, levels.flip_hi])
  if (!range || minutes.length < 2) return EMPTY
  const scale = createScale(minutes, range.low, range.high)
  const isNegative = markNegative(levels)
  const isUnknown = levels.spot.map(spot => spot === null)
  return minutesPicture({
    id: 'levels-picture',
    says: describeLevels(minutes, levels),
    scale,
    behind: html`${spans(isNegative, scale, 'url(#hatch)')}${spans(isUnknown, scale, 'url(#dots)')}
${levelLines(scale)}`,
    shapes: html`<path class="band" d="${bandPath(levels.flip_lo, levels.flip_hi, scale)}"/>
<path class="line wall-call" d="${stepPath(inside(levels.call_wall, scale), scale)}"/>
<path class="line wall-put" d="${stepPath(inside(levels.put_wall, scale), scale)}"/>
<path class="line flip" d="${linePath(levels.flip, scale)}"/>
<path class="line spot" d="${linePath(levels.spot, scale)}"/>`,
    over: [
      ...releases.map(at => marker(scale, at, 'release')),
      ...marked.map(at => marker(scale, at)),
    ],
  })
}

function describeLevels(minutes: readonly string[], levels: PicturedLevels): string {
  const known = levels.spot.filter(value => value !== null)
  const below = markNegative(levels).filter(Boolean).length
  const unknown = (levels.reason ?? []).filter(reason => reason === INVENTORY_UNKNOWN).length
  const flips = levels.flip.filter(value => value !== null)
  const ends = [flips[0], flips.at(-1)].map(pointsText)
  const flipWay =
    flips.length === 0 ? 'no flip was known' : `the flip from ${ends[0]} to ${ends[1]}`
  return [
    `From ${minutes[0]} to ${minutes.at(-1)}: the index went from ${pointsText(known[0])}`,
    `to ${pointsText(known.at(-1))}, ${flipWay}. Net gamma was`,
    `negative in ${below} of ${minutes.length} minutes.`,
    ...(unknown === 0 ? [] : [`The dealers' positions were not known in ${unknown} minutes.`]),
  ].join(' ')
}

/**
 * Returns at which minutes net gamma is negative; where the dealers' positions are not known its
 * sign says nothing.
 */
export const markNegative = ({
  net_gamma,
  reason = [],
}: Pick<PicturedLevels, 'net_gamma' | 'reason'>): boolean[] =>
  net_gamma.map(
    (gamma, index) => gamma !== null && gamma < 0 && reason[index] !== INVENTORY_UNKNOWN,
  )

const spans = (isOn: readonly boolean[], { x }: Scale, fill: string): Html[] =>
  findRuns(isOn).map(({ from, to }) => {
    const [left, right] = [x(Math.max(0, from - 0.5)), x(Math.min(isOn.length - 1, to + 0.5))]
    return html`<rect fill="${fill}" x="${percent(left)}" width="${percent(right - left)}" y="0"
height="100%"/>
`
  })
