/** Numbers of bodies, and the same numbers in their texts. */

import { toDecimals } from '../../core/text/values.ts'

/** Index points. */
export const points = (value: number): number => toDecimals(value, 2)

/** Net gamma, $M per index point. */
export const gamma = (value: number): number => toDecimals(value, 3)

/** $M, to the dollar. */
export const millions = (value: number): number => toDecimals(value, 6)

/** A field of a body; absent when the value is not known. */
export const known = <Key extends string>(key: Key, value: number | null) =>
  (value === null ? {} : { [key]: value }) as { readonly [Name in Key]?: number }

const twoDecimals = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})
const asNeeded = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })

const threeAtMost = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })

/** A premium in a text, $M: 2.1, or 14.163. */
export const premiumText = (value: number): string => threeAtMost.format(value)

/** A price or a flip in a text: 5,994.10. */
export const priceText = (value: number): string => twoDecimals.format(points(value))

/** A strike or a line in a text: 6,050, or 6,050.25. */
export const strikeText = (value: number): string =>
  Number.isInteger(points(value)) ? asNeeded.format(points(value)) : priceText(value)

/** Any other number of a body in a text: 1,000, or 2.1. */
export const formatNumber = (value: number): string => asNeeded.format(value)

/** `1 point`, `10 points`. */
export const formatCount = (count: number, word: string): string =>
  `${formatNumber(count)} ${word}${count === 1 ? '' : 's'}`
