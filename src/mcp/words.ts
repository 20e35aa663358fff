import type { WireOrder } from '../orders/schema.ts'

/** Formats numbers and orders for sentences. */

const shortened = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { maximumSignificantDigits: digits })

/** Formats a number, or states that it is unknown. */
export const figure = (value: number | null, unit = ''): string =>
  value === null ? 'unknown' : `${shortened(value, 6)}${unit}`

export const premium = (musd: number | null): string =>
  musd === null ? 'an unknown premium' : `$${shortened(musd, 6)}M net premium`

export const gamma = (musd: number | null): string =>
  musd === null ? 'an unknown dealer gamma' : `${shortened(musd, 4)} $M of dealer gamma per point`

/** Names an order as a trader would. */
export const orderWords = ({ kind, legs, t, net, g }: WireOrder): string =>
  `${kind.replaceAll('_', ' ')} ${legs} at ${t} ET with ${premium(net)} and ${gamma(g)}`

/** Minute up to which a ledger is complete. */
export const asofWords = (asof: string | null): string =>
  asof === null ? 'so far' : `as known at ${asof.slice(0, 5)} ET`
