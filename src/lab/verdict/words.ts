import { counted, grouped } from '../../core/text/counts.ts'
/** Number formats of the sentences of a result. */

/** A share of 1: "12.5%". */
export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`

/** With its sign: "+5.2%". */
export const signedPercent = (share: number): string =>
  `${share < 0 ? '-' : '+'}${percent(Math.abs(share))}`

/** Maximum decimals: values that still look equal are treated as equal. */
const DIGITS_MAX = 9
const isAt = (value: number, other: number) => Math.abs(value - other) < 10 ** -DIGITS_MAX / 100

/**
 * Formats a number with enough decimals to tell it from another: 1.9961 against 2 is "1.996", not
 * "2.00".
 */
export function fixedDistinctFrom(value: number, other: number, digits: number): string {
  for (let more = digits; more <= DIGITS_MAX; more++) {
    const text = value.toFixed(more)
    if (Number(text) !== Number(other.toFixed(more))) return text
  }
  return value.toFixed(digits)
}

/** Formats a percentage with enough decimals to tell it from another share. */
export const percentDistinctFrom = (share: number, other: number): string =>
  `${fixedDistinctFrom(100 * share, 100 * other, 1)}%`

/** Formats a signed percentage with enough decimals to tell it from another share. */
export const signedPercentDistinctFrom = (share: number, other: number): string =>
  `${share < 0 ? '-' : '+'}${percentDistinctFrom(Math.abs(share), share < 0 ? -other : other)}`

/** A probability: "0.83%", small ones with two digits. Only certainty is "100.0%". */
export function chance(p: number): string {
  if (p < 1 && percent(p) === percent(1)) return 'over 99.9%'
  return p >= 0.01 || p === 0 ? percent(p) : p < 1e-6 ? 'under 0.0001%' : `${twoDigits(100 * p)}%`
}

/** Like chance, with enough decimals to tell it from another probability. */
export function chanceDistinctFrom(p: number, other: number): string {
  const isAlike = Number.parseFloat(chance(p)) === Number.parseFloat(chance(other))
  return isAlike && !isAt(p, other) ? percentDistinctFrom(p, other) : chance(p)
}

const twoDigits = (value: number) =>
  value.toFixed(Math.max(0, 1 - Math.floor(Math.log10(value)))).replace(/0$/, '')

/** "12 days; 20 are needed". */
export const tooFew = (count: number, noun: string, needed: number): string =>
  `${counted(count, noun)}; ${needed} ${needed === 1 ? 'is' : 'are'} needed`

/** "$1,840". */
export function dollars(usd: number): string {
  const whole = Math.round(Math.abs(usd))
  return `${usd < 0 && whole > 0 ? '-' : ''}$${grouped(whole)}`
}
