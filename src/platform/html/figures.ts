/** Numbers as people read them here: with commas, a real minus, and a dash for what is unknown. */

const UNKNOWN = '–'

/** Index points. */
export const pointsText = (value: number | null | undefined): string => numberText(value, 2)

/** A gamma, $M per index point. */
export const gammaText = (value: number | null | undefined): string => {
  if (value === null || value === undefined) return UNKNOWN
  const size = Math.abs(value)
  // a tiny gamma is never shown as zero
  if (size !== 0 && size < 0.01) return withMinus(value.toPrecision(2))
  return numberText(value, 2)
}

/** Formats a value with three significant digits, such as a gamma on a curve. */
export const roughText = (value: number | null | undefined): string => {
  if (value === null || value === undefined) return UNKNOWN
  const size = Math.abs(value)
  if (size === 0) return '0'
  if (size < 1) return withMinus(value.toPrecision(3))
  return numberText(value, size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

export const countText = (value: number | null | undefined): string => numberText(value, 0)

/** Formats a number with this many decimals; a dash when it is unknown. */
export function numberText(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined) return UNKNOWN
  const [minimumFractionDigits, maximumFractionDigits] = [decimals, decimals]
  return withMinus(value.toLocaleString('en-US', { minimumFractionDigits, maximumFractionDigits }))
}

export const shareText = (value: number | null | undefined): string =>
  value === null || value === undefined ? UNKNOWN : `${numberText(100 * value, 0)} %`

const withMinus = (text: string) => text.replace('-', '−')

/** Spells out a reason of the data: `no_side` is "no side". */
export const spellOut = (name: string): string => name.replaceAll('_', ' ')
