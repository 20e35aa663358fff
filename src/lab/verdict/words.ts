/** Numbers as the sentences of a result say them. */

/** A share of 1: "12.5%". */
export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`

/** With its sign: "+5.2%". */
export const signedPercent = (share: number): string =>
  `${share < 0 ? '-' : '+'}${percent(Math.abs(share))}`

/** A chance: "0.83%", of small ones two digits. */
export const chance = (p: number): string =>
  p >= 0.01 || p === 0 ? percent(p) : p < 1e-6 ? 'under 0.0001%' : `${twoDigits(100 * p)}%`

const twoDigits = (value: number) =>
  value.toFixed(Math.max(0, 1 - Math.floor(Math.log10(value)))).replace(/0$/, '')

/** "1 day", "12 days". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

/** "12 days; 20 are needed". */
export const tooFew = (count: number, noun: string, needed: number): string =>
  `${counted(count, noun)}; ${needed} ${needed === 1 ? 'is' : 'are'} needed`

/** "$1,840". */
export const dollars = (usd: number): string =>
  `${usd < 0 ? '-' : ''}$${Math.abs(Math.round(usd)).toLocaleString('en-US')}`
