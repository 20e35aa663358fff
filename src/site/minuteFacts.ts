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
    case 'bar': {
      const [low, high] = [levels.flip_lo[at] ?? null, levels.flip_hi[at] ?? null]
      return low === null || high === null ? '–' : `${pointsText(low)} to ${pointsText(high)}`
    }
    case 'regime':
      return gamma === null
        ? spellOut(levels.reason[at] ?? '–')
        : gamma < 0
          ? 'negative'
          : 'positive'
    case 'net_gamma':
      return gammaText(gamma)
    default:
      return pointsText(levels[name][at])
  }
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
