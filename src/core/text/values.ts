/** Numbers as programs read them: rounded, and without a minus before zero. */

/** Rounds to a number of decimals. */
export const toDecimals = (value: number, decimals: number): number =>
  Number(value.toFixed(decimals)) + 0

/** Rounds to a number of significant digits: a tiny value does not become zero. */
export const toDigits = (value: number, digits: number): number =>
  Number(value.toPrecision(digits)) + 0
