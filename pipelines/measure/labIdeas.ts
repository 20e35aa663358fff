import { formatMinute } from '../../src/core/market/calendar.ts'
import { checkSpec } from '../../src/lab/language/checkSpec.ts'
import { reply } from '../../src/lab/language/dialog.ts'
import { sayRule } from '../../src/lab/language/say.ts'
import {
  ACTIONS,
  COMPARED,
  COMPARED_FIELDS,
  type ComparedField,
  canonicalJson,
  type RuleCondition,
  type RuleCore,
  type RuleEntry,
  type RuleExit,
  type RuleSpec,
  type RuleStrike,
  STRUCTURES,
} from '../../src/lab/language/spec.ts'
import type { Random } from '../simulate/random.ts'

/** A rule in words and compiled, as an account would have it. */
export type MadeIdea = { readonly say: string; readonly spec: RuleSpec }

const ATTEMPTS_MAX = 1_000

/**
 * An idea with conditions, as people have them: a sentence that compiles to the rule
 * it was made of. `furthestDte`: the furthest expiry that it may trade.
 */
export function anyIdea(random: Random, furthestDte: number): MadeIdea {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const { spec } = checkSpec(anySpec(random, furthestDte))
    if (spec === null) continue
    const say = sayRule(spec)
    const compiled = reply(say, null)
    if (compiled.kind === 'spec' && canonicalJson(compiled.spec) === canonicalJson(spec)) {
      // without the -0 that some arithmetic leaves
      return { say, spec: compiled.spec }
    }
  }
  throw new Error(`none of ${ATTEMPTS_MAX} rules is a sentence`)
}

function anySpec(random: Random, furthestDte: number): RuleSpec {
  const structure = random.pick(STRUCTURES)
  const action = random.chance(0.7) ? 'sell' : random.pick(ACTIONS)
  const hasWidth = structure !== 'strangle' && structure !== 'straddle'
  const { entry, event } = drawEntry(random)
  const core: RuleCore = {
    action,
    structure,
    strike: drawStrike(random, structure),
    qty: 1,
    entry,
    ...(hasWidth ? { width: 5 * random.integer(1, 8) } : {}),
    dte: random.chance(0.8) ? 0 : random.integer(0, furthestDte),
    exit: drawExits(random, action),
  }
  const when = Array.from({ length: random.chance(0.6) ? 1 : 2 }, () => drawCondition(random))
  const days = random.chance(0.1) ? { days: ['mon', 'wed', 'fri'] as const } : {}
  return { v: 1, core, when: event ? [event, ...when] : when, ...days } as RuleSpec
}

/** Draws the entry; for an event, also the condition that is the event. */
function drawEntry(random: Random): { entry: RuleEntry; event?: RuleCondition } {
  const from = 30 * random.integer(20, 28)
  const window: [string, string] = [
    formatMinute(from),
    formatMinute(from + 60 * random.integer(1, 2)),
  ]
  const each = random.chance(0.3) ? { times: 'each' as const, gap_min: 30 } : {}
  const kind = random.uniform()
  if (kind < 0.45) return { entry: { at: formatMinute(15 * random.integer(39, 62)) } }
  if (kind < 0.6) return { entry: { window, every_min: random.pick([15, 30, 60]) } }
  if (kind < 0.75) return { entry: { window, ...each } }
  if (kind < 0.9) return { entry: { window, on: 'order', ...each }, event: drawOrder(random) }
  const dir = random.pick(['above', 'below'] as const)
  return { entry: { window, on: 'cross' }, event: { f: 'cross_flip', dir, nth: 1 } }
}

function drawOrder(random: Random): RuleCondition {
  const gamma = random.pick([undefined, 'adds', 'removes'] as const)
  return {
    f: 'order',
    premium_musd_min: random.pick([5, 10, 25, 50]),
    ...(gamma ? { gamma } : {}),
  }
}

function drawStrike(random: Random, structure: RuleCore['structure']): RuleStrike {
  if (structure === 'straddle' || structure === 'iron_butterfly') return { ref: 'spot', offset: 0 }
  const out = structure === 'put_spread' ? -1 : 1
  const kind = random.uniform()
  if (kind < 0.4) return { ref: 'delta', value: random.pick([0.05, 0.1, 0.16, 0.2, 0.3, 0.4]) }
  if (kind < 0.7) return { ref: 'spot', offset: out * 5 * random.integer(0, 8) }
  if (kind < 0.9) return { ref: 'em', mult: out * random.pick([0.5, 0.75, 1, 1.5]) }
  return { ref: out < 0 ? 'put_wall' : 'call_wall', offset: 5 * random.integer(-2, 2) }
}

function drawExits(random: Random, action: RuleCore['action']): RuleExit[] {
  const exits: RuleExit[] = []
  if (random.chance(0.3)) exits.push({ at: random.pick(['15:30', '15:45', '15:50']) })
  if (random.chance(0.4)) exits.push({ profit_pct: random.pick([25, 50, 75]) })
  if (random.chance(0.3)) {
    const ofCredit = { stop_x_credit: random.pick([2, 3]) }
    exits.push(action === 'sell' ? ofCredit : { stop_pct_debit: 50 })
  }
  return exits.length > 0 ? exits : [{ at: 'expiry' }]
}

/** Values at which a comparison holds on some days and not on others. */
const VALUES: Readonly<Record<ComparedField, readonly number[]>> = {
  spot_minus_put_wall: [10, 20, 30, 40],
  call_wall_minus_spot: [10, 20, 30, 40],
  spot_minus_flip: [-20, -10, 0, 10, 20],
  net_gamma: [-200, -50, 0, 50, 200],
  abs_gap: [0.2, 0.3, 0.5],
  abs_move_from_open: [0.2, 0.4, 0.6],
  move_from_open: [-0.3, -0.1, 0.1, 0.3],
  atm_iv_change: [-2, -1, 0, 1, 2],
}

function drawCondition(random: Random): RuleCondition {
  if (random.chance(0.1)) {
    const since_min = random.pick([15, 30, 60])
    return { f: 'order', premium_musd_min: random.pick([5, 10]), since_min, not: true }
  }
  const f = random.pick(COMPARED_FIELDS)
  const op = random.pick(['<', '>'] as const)
  return { f, op, v: random.pick(VALUES[f]), u: COMPARED[f].unit } as RuleCondition
}
