/** Random rules of every form that the language can come to, checked as any rule is. */

import { minutesAfter } from '../../src/core/market/calendar.ts'
import { checkSpec } from '../../src/lab/language/checkSpec.ts'
import {
  COMPARED_FIELDS,
  type ComparedField,
  listOperators,
  type RuleCondition,
  type RuleCore,
  type RuleEntry,
  type RuleExit,
  RuleSpec,
  type RuleStrike,
  type RuleStructure,
  STRUCTURES,
  WEEKDAYS,
} from '../../src/lab/language/spec.ts'
import { type Dice, findDice } from './randomMarket.ts'

const ATTEMPTS_MAX = 200

/** A rule that the language could have made. */
export function randomSpec(seed: number, dteMax = 5): RuleSpec {
  const dice = findDice(seed)
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
    const { spec } = checkSpec(drawn(dice, dteMax))
    if (spec) return dice.isHit(0.2) ? withoutGap(spec) : spec
  }
  throw new Error(`no rule in ${ATTEMPTS_MAX} tries of seed ${seed}`)
}

/** Each time without minutes between: a form of rules that no sentence comes to. */
function withoutGap(spec: RuleSpec): RuleSpec {
  const { entry } = spec.core
  if (!('times' in entry)) return spec
  const { gap_min: _, ...rest } = entry
  return RuleSpec.parse({ ...spec, core: { ...spec.core, entry: rest } })
}

const pick = <Item>({ whole }: Dice, items: readonly Item[]): Item =>
  items[whole(0, items.length - 1)]!

function drawn(dice: Dice, dteMax: number) {
  const days = WEEKDAYS.filter(() => dice.isHit(0.6))
  const leg = drawnLeg(dice, dteMax)
  return {
    v: 1,
    ...leg,
    ...(dice.isHit(0.15) && days.length > 0 && days.length < 5 ? { days } : {}),
    ...(dice.isHit(0.15) ? { more: [drawnLeg(dice, dteMax)] } : {}),
  }
}

function drawnLeg(dice: Dice, dteMax: number): { core: RuleCore; when: RuleCondition[] } {
  const { whole, isHit } = dice
  const structure = pick(dice, STRUCTURES)
  const action = isHit(0.5) ? 'sell' : 'buy'
  const dte = isHit(0.5) ? 0 : whole(0, dteMax)
  const kind = pick(dice, ['at', 'at', 'every', 'window', 'window', 'order', 'cross'] as const)
  const hasWidth = structure !== 'strangle' && structure !== 'straddle'
  const core: RuleCore = {
    action,
    structure,
    ...(hasWidth ? { width: 5 * whole(1, isHit(0.8) ? 6 : 30) } : {}),
    strike: drawnStrike(dice, structure),
    dte,
    qty: isHit(0.7) ? 1 : whole(2, 20),
    entry: drawnEntry(dice, kind),
    exit: drawnExits(dice, action, dte),
  }
  return { core, when: drawnWhen(dice, kind) }
}

type EntryKind = 'at' | 'every' | 'window' | 'order' | 'cross'

function drawnEntry(dice: Dice, kind: EntryKind): RuleEntry {
  const { whole, isHit } = dice
  const minute = (from: number, to: number) => minutesAfter('00:00', whole(from, to))
  if (kind === 'at') return { at: isHit(0.1) ? pick(dice, ['09:31', '15:59']) : minute(571, 959) }
  const from = isHit(0.3) ? '09:31' : minute(571, 900)
  const to = isHit(0.2) ? '15:59' : isHit(0.1) ? '13:00' : minute(600, 959)
  const window: [string, string] = [from, to]
  if (kind === 'every') return { window, every_min: isHit(0.2) ? whole(1, 9) : whole(10, 120) }
  const each = isHit(0.5) ? { times: 'each' as const, gap_min: whole(1, 90) } : {}
  if (kind === 'window') return { window, ...each }
  return { window, on: kind, ...each }
}

function drawnStrike(dice: Dice, structure: RuleStructure): RuleStrike {
  const { whole, between, isHit } = dice
  const isTwoSided = structure === 'iron_condor' || structure === 'strangle'
  const isCentred = structure === 'straddle' || structure === 'iron_butterfly'
  const ref = pick(dice, ['spot', 'put_wall', 'call_wall', 'flip', 'em', 'delta'] as const)
  if (ref === 'em') {
    const isIn = !isTwoSided && isHit(0.4)
    const mult = plain(between(0.1, 2))
    return { ref, mult: (structure === 'put_spread') !== isIn ? -mult : mult }
  }
  if (ref === 'delta')
    return { ref, value: plain(isHit(0.8) ? between(0.03, 0.5) : between(0.5, 0.95)) }
  const away = isHit(0.15) ? 0 : 5 * whole(1, 12)
  const sign = isTwoSided || isHit(0.5) ? 1 : -1
  return { ref, offset: isCentred && isHit(0.5) ? 0 : sign * away }
}

const plain = (value: number) => Number(value.toFixed(2))

function drawnExits(dice: Dice, action: 'sell' | 'buy', dte: number): RuleExit[] {
  const { whole, between, isHit } = dice
  const exits: RuleExit[] = []
  if (isHit(0.5)) {
    // a half day ends at 13:00
    const at = isHit(0.12) ? '13:00' : minutesAfter('00:00', whole(580, 959))
    exits.push({ at, ...(dte > 0 && isHit(0.6) ? { day: whole(1, dte) } : {}) })
  }
  if (isHit(0.5)) {
    exits.push({ profit_pct: isHit(0.5) ? 50 : plain(between(2, action === 'sell' ? 100 : 300)) })
  }
  if (isHit(0.5)) {
    const isSold = action === 'sell'
    if (isSold) exits.push({ stop_x_credit: isHit(0.5) ? 2 : plain(between(1.02, 4)) })
    else exits.push({ stop_pct_debit: isHit(0.5) ? 50 : plain(between(5, 100)) })
  }
  return exits.length > 0 ? exits : [{ at: 'expiry' }]
}

function drawnWhen(dice: Dice, kind: EntryKind): RuleCondition[] {
  const { whole, isHit } = dice
  const when: RuleCondition[] = []
  if (kind === 'cross') when.push(drawnCross(dice))
  if (kind === 'order') when.push(...drawnOrders(dice, false))
  for (let count = isHit(0.35) ? 0 : whole(1, 3); count > 0; count--) {
    if (isHit(0.25)) when.push(...drawnOrders(dice, true))
    else when.push(drawnComparison(dice))
  }
  return when
}

const drawnCross = (dice: Dice): RuleCondition => ({
  f: 'cross_flip',
  dir: dice.isHit(0.5) ? 'above' : 'below',
  nth: dice.isHit(0.6) ? 1 : dice.whole(2, 4),
})

/** An order that just came, or (where it may be one of the past) one that did, or none that did. */
function drawnOrders({ whole, isHit, between }: Dice, isPast: boolean): RuleCondition[] {
  const premium_musd_min = isHit(0.3) ? 25 : plain(between(1, 50))
  const gamma = isHit(0.5) ? {} : { gamma: isHit(0.5) ? ('adds' as const) : ('removes' as const) }
  if (!isPast) return [{ f: 'order', premium_musd_min, ...gamma }]
  const since = isHit(0.7) ? { since_min: whole(1, 120) } : {}
  const not = isHit(0.4) ? { not: true as const } : {}
  return [{ f: 'order', premium_musd_min, ...gamma, ...since, ...not }]
}

/** Bounds near what the random markets do, so that a comparison holds at times. */
const SPREADS: Record<ComparedField, readonly [from: number, to: number, step: number]> = {
  spot_minus_put_wall: [-30, 60, 1],
  call_wall_minus_spot: [-30, 60, 1],
  spot_minus_flip: [-25, 25, 0.5],
  net_gamma: [-600, 600, 10],
  abs_gap: [0, 0.8, 0.05],
  abs_move_from_open: [0, 1.2, 0.05],
  move_from_open: [-0.6, 0.6, 0.05],
  atm_iv_change: [-1.5, 1.5, 0.1],
}

function drawnComparison(dice: Dice): RuleCondition {
  const f = pick(dice, COMPARED_FIELDS)
  const op = pick(dice, listOperators(f))
  const [from, to, step] = SPREADS[f]
  const value = plain(from + step * dice.whole(0, Math.round((to - from) / step)))
  const v = op.startsWith('abs') ? Math.abs(value) : value
  const u = ({ net_gamma: 'musd_pt', abs_move_from_open: 'em', atm_iv_change: 'vol_pt' } as const)[
    f as 'net_gamma'
  ]
  const unit = u ?? (f === 'abs_gap' || f === 'move_from_open' ? 'pct' : 'pt')
  return { f, op, v, u: unit } as RuleCondition
}
