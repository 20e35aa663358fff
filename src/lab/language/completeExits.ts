import { formatMinute, parseMinute } from '../../core/market/calendar.ts'
import type { DraftLeg } from './draft.ts'
import type { Findings } from './findings.ts'
import type { NamedExit } from './items.ts'
import { BOUNDS, type RuleAction, type RuleEntry, type RuleExit } from './spec.ts'

export type ExitContext = {
  readonly leg: DraftLeg
  readonly action: RuleAction | undefined
  readonly entry: RuleEntry | undefined
  readonly dte: number
}

const plain = (value: number): number => Number(value.toPrecision(12))

/** Exits of a leg; to expiry when none is given. */
export function completeExits(known: ExitContext, found: Findings): RuleExit[] {
  const exits = known.leg.exits.flatMap(exit => {
    if ('profit' in exit) return completeProfit(exit, known, found)
    if ('stop' in exit) return completeStop(exit, known, found)
    return completeTime(exit, known, found)
  })
  if (exits.length > 0) return exits
  found.assumptions.push({ field: 'exit', value: 'expiry', why: 'no exit was named' })
  return [{ at: 'expiry' }]
}

function completeProfit(
  { profit, of }: Extract<NamedExit, { profit: number }>,
  { action, leg }: ExitContext,
  found: Findings,
): RuleExit[] {
  // a sold trade has doubled when it costs twice its credit
  if (of === 'double' && action === 'sell') {
    const hasStop = leg.exits.some(one => 'stop' in one)
    if (hasStop) found.errors.push('two stops; give one')
    return [{ stop_x_credit: 2 }]
  }
  if (profit <= 0) found.errors.push('a profit target is over 0%')
  if (action === 'sell') {
    if (of === 'debit') found.errors.push('a sold spread has a credit, not a debit')
    if (profit > BOUNDS.profitMaxSold) {
      found.errors.push('a short spread cannot earn more than 100% of its credit')
    }
  } else if (of === 'max' && action === 'buy') {
    found.errors.push(
      'a bought spread takes its profit in percent of the debit, not of the maximum',
    )
  } else if (profit > BOUNDS.profitMaxBought) {
    found.errors.push(`a profit target is at most ${BOUNDS.profitMaxBought}%`)
  }
  return [{ profit_pct: plain(profit) }]
}

/** Explains why a stop at the credit itself, or below it, is invalid. */
const TOO_NEAR =
  'a stop is over 1x credit: closing costs that much at the start; ' +
  'for a loss of half of it say "stop at 1.5x credit"'

function completeStop(
  { stop, unit }: Extract<NamedExit, { stop: number }>,
  { action }: ExitContext,
  found: Findings,
): RuleExit[] {
  if (unit === 'points' || unit === 'dollars') {
    found.errors.push(`a stop is in times the credit or in percent, not in ${unit}`)
    return []
  }
  if (action === undefined) return []
  const isOfCredit = unit === 'x_credit' || unit === 'pct_credit' || unit === 'loss_x_credit'
  if (action === 'buy') {
    if (isOfCredit)
      found.errors.push('a bought spread has a debit, not a credit: say "stop at 50% of the debit"')
    else if (unit === null) found.missing.push('unit of the stop')
    else return debitStop(stop, unit, found)
    return []
  }
  if (unit === 'pct_debit') found.errors.push('a sold spread has a credit, not a debit')
  else if (!isOfCredit) found.missing.push('unit of the stop')
  else {
    const x = unit === 'pct_credit' ? stop / 100 : unit === 'loss_x_credit' ? stop + 1 : stop
    if (x <= 1) found.errors.push(TOO_NEAR)
    else if (x > BOUNDS.stopCreditMax) {
      found.errors.push(`a stop is at most ${BOUNDS.stopCreditMax}x credit`)
    } else {
      if (unit === 'loss_x_credit') {
        const why = `a loss of ${plain(stop)}x credit is closing at ${plain(x)}x credit`
        found.assumptions.push({ field: 'stop', value: `${plain(x)}x credit`, why })
      }
      return [{ stop_x_credit: plain(x) }]
    }
  }
  return []
}

function debitStop(stop: number, unit: string, found: Findings): RuleExit[] {
  if (stop <= 0 || stop > BOUNDS.stopDebitMax) {
    found.errors.push('a bought spread cannot lose more than 100% of its debit')
    return []
  }
  if (unit === 'pct') {
    const value = `${plain(stop)}% of the debit`
    found.assumptions.push({ field: 'stop', value, why: 'a bought spread loses its debit' })
  }
  return [{ stop_pct_debit: plain(stop) }]
}

/** The last minute at which the leg may enter. */
function findLastEntry(entry: RuleEntry): string {
  return 'at' in entry ? entry.at : entry.window[1]
}

function completeTime(
  exit: Exclude<NamedExit, { profit: number } | { stop: number }>,
  { entry, dte }: ExitContext,
  found: Findings,
): RuleExit[] {
  if ('close' in exit) {
    found.missing.push('exit time')
    return []
  }
  if ('hold' in exit) return heldFor(exit.hold, entry, found)
  if (exit.at === 'expiry') return []
  const { at } = exit
  const day = 'day' in exit ? exit.day : undefined
  if (at < BOUNDS.firstEntry || at > BOUNDS.lastEntry) {
    found.errors.push(`exit outside ${BOUNDS.firstEntry}-${BOUNDS.lastEntry}`)
    return []
  }
  if (day !== undefined && day > dte) found.errors.push('exit is after expiry')
  if (day !== undefined && day > 0) return [{ at, day }]
  if (!entry || findLastEntry(entry) < at) return [{ at }]
  if (dte > 1) {
    found.missing.push('exit day')
    return []
  }
  if (dte > 0) {
    const why = `${at} is not after the entry: the next session`
    found.assumptions.push({ field: 'exit', value: `${at} the next day`, why })
    return [{ at, day: 1 }]
  }
  found.errors.push('exit is not after entry')
  return []
}

function heldFor(minutes: number, entry: RuleEntry | undefined, found: Findings): RuleExit[] {
  if (!entry || !('at' in entry)) {
    if (entry) found.errors.push('an exit so many minutes after entry needs one entry time')
    return []
  }
  const at = formatMinute(parseMinute(entry.at) + minutes)
  if (minutes < 1 || at > BOUNDS.lastEntry) {
    found.errors.push(`exit outside ${BOUNDS.firstEntry}-${BOUNDS.lastEntry}`)
    return []
  }
  found.assumptions.push({ field: 'exit', value: at, why: `${minutes} minutes after ${entry.at}` })
  return [{ at }]
}
