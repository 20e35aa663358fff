import { toDigits } from '../core/text/values.ts'

/** Significant digits of every value, as of `g` in a ledger. */
const DIGITS = 10

/** Rounds a number for a response. */
export const rounded = (value: number): number => toDigits(value, DIGITS)

/** The same, with null passed through. */
export const roundedOrNull = (value: number | null): number | null =>
  value === null ? null : rounded(value)
