import type { SessionLevels } from '../archive/ask.ts'
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
  const { spot, flip } = sessionLevels.books.measured
  const known = spot.filter(value => value !== null)
  const flips = flip.filter(value => value !== null)
  const flipText = flips.length === 0 ? 'no flip' : `flip at last ${pointsText(flips.at(-1))}`
  const way = `Index ${pointsText(known[0])} to ${pointsText(known.at(-1))}`
  return `${way}, ${flipText}, ${countText(total)} large orders.`
}

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
