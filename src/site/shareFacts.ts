import type { SessionLevels } from '../archive/ask.ts'
import { INVENTORY_UNKNOWN } from '../data/published/reasons.ts'
import type { WireOrder } from '../orders/schema.ts'
import {
  countText,
  gammaText,
  numberText,
  pointsText,
  shareText,
} from '../platform/html/figures.ts'

/** One sentence about a session, also for readers who do not see the picture. */
export function formatFacts(sessionLevels: SessionLevels, total: number): string {
  const { spot } = sessionLevels.books.measured
  const known = spot.filter(value => value !== null)
  const way = `Index ${pointsText(known[0])} to ${pointsText(known.at(-1))}`
  return `${way}, ${lastFlipText(sessionLevels)}, ${countText(total)} large orders.`
}

/** The last flip; while the dealers' positions are not known, that of the convention by its name. */
function lastFlipText({ books }: SessionLevels): string {
  const { spot, flip, reason } = books.measured
  const last = spot.findLastIndex(value => value !== null)
  if (reason[last] === INVENTORY_UNKNOWN) {
    const convention = books.oi.flip[last] ?? null
    return convention === null
      ? 'no known flip'
      : `no known flip (convention ${pointsText(convention)})`
  }
  const known = flip.filter(value => value !== null)
  return known.length === 0 ? 'no flip' : `flip at last ${pointsText(known.at(-1))}`
}

/** True when no flip can be drawn, as the dealers' positions are not known at any minute. */
export const isUnknownAllDay = ({ books: { measured } }: SessionLevels): boolean =>
  measured.flip.every(value => value === null) && measured.reason.includes(INVENTORY_UNKNOWN)

/** One sentence about an order. */
export function orderFacts(day: string, { t, g, net, p, contracts }: WireOrder): string {
  const parts = [
    `${day} ${t}`,
    `${countText(contracts)} contracts`,
    ...(net === null ? [] : [`$${numberText(net, 2)} M`]),
    ...(p === null || p === undefined ? [] : [`bought: ${shareText(p)}`]),
    g === null ? 'gamma not known' : `dealer gamma ${g > 0 ? '+' : ''}${gammaText(g)} $M a point`,
  ]
  return `${parts.join(', ')}.`
}
