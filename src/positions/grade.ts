import { studentP, studentT } from '../core/market/student.ts'
import { LABELS, type Label } from './label.ts'
import type { EntryLog } from './lookbackSchema.ts'

/** An entry that has both a label and an outcome. */
export type Graded = {
  /** Session of the entry: entries of one session are not independent. */
  readonly session: string
  readonly label: Label
  readonly held: boolean
}

type Grade = EntryLog['summary']
type Rate = Grade['base']
/** Difference of the hold rates of TRADE and SKIP; its error is zero where no label's entries differ. */
type Difference = NonNullable<Grade['difference']>

/** Hold rates of the short strikes under each label, and their difference. */
export function computeGrade(entries: readonly Graded[]): Grade {
  const labels = LABELS.map(label => ({
    label,
    ...computeRate(entries.filter(entry => entry.label === label)),
  }))
  const difference = computeDifference(entries)
  return {
    labels,
    base: computeRate(entries),
    difference,
    sentence: formatSentence(labels, difference),
  }
}

function computeRate(entries: readonly Graded[]): Rate {
  const held = entries.filter(entry => entry.held).length
  return { entries: entries.length, held, rate: entries.length ? held / entries.length : null }
}

/**
 * Difference of two means with a standard error clustered by session: each entry's influence is its
 * distance from its label's mean over the label's count, summed by session; the variance is G / (G
 * - 1) times the sum of squares over the G sessions (Liang & Zeger, Biometrika 73, 1986).
 */
function computeDifference(entries: readonly Graded[]): Difference | null {
  const trade = entries.filter(({ label }) => label === 'TRADE')
  const skip = entries.filter(({ label }) => label === 'SKIP')
  const [tradeRate, skipRate] = [computeRate(trade).rate, computeRate(skip).rate]
  if (tradeRate === null || skipRate === null) return null
  const influences = new Map<string, number>()
  const add = (group: readonly Graded[], rate: number, sign: 1 | -1) => {
    for (const { session, held } of group) {
      const influence = (sign * ((held ? 1 : 0) - rate)) / group.length
      influences.set(session, (influences.get(session) ?? 0) + influence)
    }
  }
  add(trade, tradeRate, 1)
  add(skip, skipRate, -1)
  const sessions = influences.size
  if (sessions < 2) return null
  const squares = [...influences.values()].reduce((sum, one) => sum + one * one, 0)
  const error = Math.sqrt((sessions / (sessions - 1)) * squares)
  const value = tradeRate - skipRate
  if (error === 0) return { value, error, sessions, t: null, p: null, low: null, high: null }
  const t = value / error
  const width = studentT(0.05, sessions - 1) * error
  const p = studentP(t, sessions - 1)
  return { value, error, sessions, t, p, low: value - width, high: value + width }
}

function formatSentence(labels: Grade['labels'], difference: Difference | null): string {
  if (!difference) return 'Nothing can be said: TRADE and SKIP both need entries with an outcome.'
  const rate = (label: Label) => percent(labels.find(one => one.label === label)!.rate!)
  const rates = `TRADE held in ${rate('TRADE')} % of its entries, SKIP in ${rate('SKIP')} %`
  const { value, low, high, sessions } = difference
  if (low === null || high === null) {
    return `${rates}; the error of the difference cannot be told from ${sessions} sessions.`
  }
  const bounds = `95 % between ${percent(low)} and ${percent(high)}, over ${sessions} sessions`
  const comparison = `${rates}: a difference of ${percent(value)} points, ${bounds}`
  if (low <= 0 && high >= 0) {
    return `${comparison}. The error covers zero: the labels told nothing that luck would not.`
  }
  const way = value > 0 ? 'more' : 'less'
  return `${comparison}. TRADE held ${way} often than luck explains.`
}

const percent = (share: number): string => (100 * share).toFixed(1)
