/** Significant digits of every value, as of `g` in a ledger. */
const DIGITS = 10

/** A number as it is answered; minus zero is zero. */
export const rounded = (value: number): number => Number(value.toPrecision(DIGITS)) + 0

/** The same, where a null is carried. */
export const roundedOrNull = (value: number | null): number | null =>
  value === null ? null : rounded(value)
