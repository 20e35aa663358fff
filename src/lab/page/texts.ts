import { numberText } from '../../platform/html/figures.ts'
import type { Dotted } from '../../platform/html/glossary.ts'
import type { ViewedOption } from '../desk/sessionView.ts'
import type { ExitReason } from '../engine/trade.ts'
import type { LabResult } from '../result.ts'

/** Formats of the figures of a result. */

/** A share of the risk, or of all, in percent. */
export const percentText = (value: number | null | undefined, decimals = 1): string =>
  value === null || value === undefined ? '–' : `${numberText(100 * value, decimals)} %`

/** US dollars, whole. */
export function usdText(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  const text = numberText(Math.abs(value), 0)
  return `${value < 0 && text !== '0' ? '−' : ''}$${text}`
}

/** A probability: a small one does not show as zero. */
export function chanceText(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  return value > 0 && value < 0.001 ? value.toPrecision(1) : numberText(value, 3)
}

/** A number of unknown magnitude. */
export function plainText(value: number | string | null | undefined): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return '–'
  const size = Math.abs(value)
  const decimals = Number.isInteger(value)
    ? 0
    : size >= 100
      ? 1
      : size >= 1
        ? 2
        : size >= 0.01
          ? 3
          : 5
  return numberText(value, decimals)
}

export const KIND_NAMES: Readonly<Record<LabResult['kind'], string>> = {
  backtest: 'Backtest',
  quant: 'Optimization',
  struct: 'Rule alone',
}

/** The leg of a result to draw, and the dotted words of its page. */
export type DrawnLeg = {
  readonly leg: number
  readonly dotted: Dotted
  /** Distinguishes parts of a leg from those of the other; empty when there is one leg. */
  readonly suffix: string
}

/** `net_rr_t` as words. */
export const toWords = (name: string): string => name.replaceAll('_', ' ')

/** Such as "−5890P": one put of strike 5890 sold. */
export const optionText = ({ type, sign, strike }: ViewedOption): string =>
  `${sign < 0 ? '−' : '+'}${strike}${type}`

/** Exit reasons in words for people. */
export const EXIT_NAMES: Readonly<Record<ExitReason, string>> = {
  time: 'time reached',
  profit: 'profit taken',
  stop: 'stopped',
  settlement: 'settled',
  unresolved: 'end not known',
}
