/** Side of a level on which the price is; on the level itself it is above. */
export type Side = 'above' | 'below'

export const priceSide = (spot: number, level: number): Side => (spot >= level ? 'above' : 'below')

/** Side on which the price is by a margin or more; null between the margins. */
export function sideBeyond(spot: number, level: number, margin: number): Side | null {
  return Math.abs(spot - level) >= margin ? priceSide(spot, level) : null
}
