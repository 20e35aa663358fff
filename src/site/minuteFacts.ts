import type { BookLevels } from '../archive/ask.ts'
import { gammaText, pointsText, spellOut } from '../platform/html/figures.ts'
import { term } from '../platform/html/glossary.ts'
import { html, type Piece } from '../platform/html/template.ts'

/** Facts of a minute, in the order of the columns of its table. */
export const NOW = [
  { name: 'minute', head: () => html`minute` },
  { name: 'spot', head: () => html`index` },
  { name: 'flip', head: () => term('flip') },
  { name: 'bar', head: () => term('error bar') },
  { name: 'call_wall', head: () => html`call ${term('wall')}` },
  { name: 'put_wall', head: () => html`put wall` },
  { name: 'net_gamma', head: () => html`net ${term('gamma')}, $M a point` },
  { name: 'regime', head: () => term('regime') },
] as const

/** Formats one fact of a minute; a dash, or a reason, when it is unknown. */
export function formatCell(
  name: (typeof NOW)[number]['name'],
  minutes: readonly string[],
  levels: BookLevels,
  at: number,
): Piece {
  const gamma = levels.net_gamma[at] ?? null
  switch (name) {
    case 'minute':
      return minutes[at]
    case 'spot': {
      const error = levels.spot_error?.[at] ?? null
      const text = pointsText(levels.spot[at])
      return error === null ? text : `${text} ± ${pointsText(error)} by parity`
    }
    case 'bar': {
      const [low, high] = [levels.flip_lo[at] ?? null, levels.flip_hi[at] ?? null]
      return low === null || high === null ? '–' : `${pointsText(low)} to ${pointsText(high)}`
    }
    case 'regime':
      return formatRegime(gamma, levels.reason[at] ?? null, levels.p_positive?.[at] ?? null)
    case 'net_gamma':
      return gammaText(gamma)
    default:
      return pointsText(levels[name][at])
  }
}

function formatRegime(gamma: number | null, reason: string | null, p: number | null): string {
  if (reason === 'inventory_unknown') return 'dealers’ positions unknown'
  if (gamma === null) return spellOut(reason ?? '–')
  const sign = gamma < 0 ? 'negative' : 'positive'
  // never quite sure: 99.6 % is not 100
  const sure = p === null ? null : Math.min(99, Math.round(100 * (gamma < 0 ? 1 - p : p)))
  return sure === null ? sign : `${sign}, ${sure} % sure`
}

/** The same as column heads of a table. */
export const HEADS: Readonly<Record<(typeof NOW)[number]['name'], string>> = {
  minute: 'minute',
  spot: 'index',
  flip: 'flip',
  bar: 'error bar',
  call_wall: 'call wall',
  put_wall: 'put wall',
  net_gamma: 'net gamma',
  regime: 'regime',
}
