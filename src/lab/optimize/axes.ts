import { sayCondition } from '../language/say.ts'
import {
  BOUNDS,
  COMPARED,
  isCompared,
  type RuleCondition,
  type RuleCore,
  type RuleExit,
  type RuleSpec,
} from '../language/spec.ts'
import { listSteps, type NumberRange, timesAround, twoDigits } from './steps.ts'

/** Axis value of a variant without the condition or exit. */
export const OFF = 'off'

/** One number of a rule and the values tested for it. */
export type Axis = {
  /** Path in the rule, such as core.width or when.0.v. */
  readonly field: string
  readonly label: string
  readonly unit: string
  /** Ascending; `off` comes last. */
  readonly values: readonly (number | string)[]
  /** Index of the rule's own value. */
  readonly own: number
}

/**
 * Lists every number of a rule as an axis, in the order of the rule. Excludes the number of
 * contracts, which scales dollars alone, and numbers with a single value, such as an offset of 0.
 */
export function listAxes({ core, when, more = [] }: RuleSpec): Axis[] {
  const legs = [{ core, when }, ...more]
  return legs
    .flatMap((leg, index) => {
      const path = index === 0 ? '' : `more.${index - 1}.`
      const axes = [
        ...coreAxes(leg.core),
        ...leg.core.exit.flatMap((exit, at) => exitAxes(exit, `core.exit.${at}`, leg.core)),
        ...leg.when.flatMap((one, at) => conditionAxes(one, `when.${at}`)),
      ]
      const trade = legs.length > 1 ? `trade ${index + 1}: ` : ''
      return axes.map(axis => ({
        ...axis,
        field: `${path}${axis.field}`,
        label: `${trade}${axis.label}`,
      }))
    })
    .filter(({ values }) => values.length > 1)
}

function coreAxes(core: RuleCore): Axis[] {
  const { width, strike, dte } = core
  const { widthStep: grid, widthMax, offsetMax, multMax, deltaMin, deltaMax, dteMax } = BOUNDS
  const wide = { grid, min: grid, max: widthMax }
  return [
    ...(width === undefined ? [] : [scaled('core.width', 'width', 'points', width, wide)]),
    'offset' in strike
      ? scaled('core.strike.offset', `strike from ${strike.ref}`, 'points', strike.offset, {
          grid,
          min: -offsetMax,
          max: offsetMax,
        })
      : strike.ref === 'em'
        ? scaled('core.strike.mult', 'strike', 'expected moves', strike.mult, {
            grid: 0.05,
            min: -multMax,
            max: multMax,
          })
        : scaled('core.strike.value', 'strike', 'delta', strike.value, {
            grid: 0.01,
            min: deltaMin,
            max: deltaMax,
          }),
    scaled('core.dte', 'expiry', 'sessions', dte, { grid: 1, min: 0, max: dteMax }),
    ...entryAxes(core),
  ]
}

function entryAxes({ entry }: RuleCore): Axis[] {
  if ('at' in entry) return [timed('core.entry.at', 'entry', entry.at)]
  const { everyMax, gapMax } = BOUNDS
  const every = 'every_min' in entry ? entry.every_min : undefined
  const gap = 'gap_min' in entry ? entry.gap_min : undefined
  return [
    timed('core.entry.window.0', 'first entry', entry.window[0]),
    timed('core.entry.window.1', 'last entry', entry.window[1]),
    ...(every === undefined
      ? []
      : [
          scaled('core.entry.every_min', 'time between entries', 'minutes', every, {
            grid: 1,
            min: 1,
            max: everyMax,
          }),
        ]),
    ...(gap === undefined
      ? []
      : [
          scaled('core.entry.gap_min', 'least time between entries', 'minutes', gap, {
            grid: 1,
            min: 1,
            max: gapMax,
          }),
        ]),
  ]
}

function exitAxes(exit: RuleExit, path: string, { action }: RuleCore): Axis[] {
  if ('profit_pct' in exit) {
    const max = action === 'sell' ? BOUNDS.profitMaxSold : BOUNDS.profitMaxBought
    const range = { grid: 1, min: 1, max }
    return [
      withOff(scaled(`${path}.profit_pct`, 'profit target', 'percent', exit.profit_pct, range)),
    ]
  }
  if ('stop_pct_debit' in exit) {
    const range = { grid: 1, min: 1, max: BOUNDS.stopDebitMax }
    return [
      withOff(scaled(`${path}.stop_pct_debit`, 'stop', '% of debit', exit.stop_pct_debit, range)),
    ]
  }
  if ('stop_x_credit' in exit) {
    // a stop at the credit itself would fire at once
    const range = { grid: 0.1, min: 1.1, max: BOUNDS.stopCreditMax }
    return [withOff(scaled(`${path}.stop_x_credit`, 'stop', 'x credit', exit.stop_x_credit, range))]
  }
  if (exit.at === 'expiry') return []
  const day = 'day' in exit ? exit.day : undefined
  const days = { grid: 1, min: 1, max: BOUNDS.dteMax }
  return [
    withOff(timed(`${path}.at`, 'exit', exit.at)),
    ...(day === undefined ? [] : [scaled(`${path}.day`, 'exit day', 'sessions', day, days)]),
  ]
}

function conditionAxes(one: RuleCondition, path: string): Axis[] {
  const label = sayCondition(one)
  if (one.f === 'cross_flip') {
    const range = { grid: 1, min: 1, max: BOUNDS.nthMax }
    return [withOff(scaled(`${path}.nth`, label, 'crossings', one.nth, range))]
  }
  if (one.f === 'order') {
    const { premium_musd_min: premium, since_min: since } = one
    const range = { grid: twoDigits(premium), min: Number.MIN_VALUE, max: BOUNDS.premiumMaxMusd }
    return [
      withOff(scaled(`${path}.premium_musd_min`, label, '$M', premium, range)),
      ...(since === undefined
        ? []
        : [
            scaled(`${path}.since_min`, `${label}: how long ago`, 'minutes', since, {
              grid: 1,
              min: 1,
              max: BOUNDS.sinceMax,
            }),
          ]),
    ]
  }
  if (!isCompared(one)) return []
  const { unit, min, max } = COMPARED[one.f]
  const range = { grid: twoDigits(one.v), min, max }
  return [withOff(scaled(`${path}.v`, label, UNITS[unit], one.v, range))]
}

const UNITS = {
  pt: 'points',
  musd_pt: '$M per point',
  pct: 'percent',
  em: 'expected moves',
  vol_pt: 'volatility points',
}

function scaled(field: string, label: string, unit: string, own: number, range: NumberRange): Axis {
  const values = listSteps(own, range)
  return { field, label, unit, values, own: values.indexOf(own) }
}

function timed(field: string, label: string, own: string): Axis {
  const values = timesAround(own, BOUNDS.firstEntry, BOUNDS.lastEntry)
  return { field, label, unit: 'ET', values, own: values.indexOf(own) }
}

const withOff = (axis: Axis): Axis => ({ ...axis, values: [...axis.values, OFF] })
