/** Significant digits of every value, as of `g` in a ledger. */
const DIGITS = 10

/** Rounds a number for a response; minus zero is zero. */
export const rounded = (value: number): number => Number(value.toPrecision(DIGITS)) + 0

/** The same, with null passed through. */
export const roundedOrNull = (value: number | null): number | null =>
  value === null ? null : rounded(value)
