import {
  COMPARED,
  type CompareOp,
  isCompared,
  type RuleCondition,
  type RuleCore,
  type RuleExit,
  type RuleSpec,
  type RuleStructure,
  type Weekday,
} from './spec.ts'

/** Name of each structure in replies. */
export const STRUCTURE_NAMES: Readonly<Record<RuleStructure, string>> = {
  put_spread: 'put spread',
  call_spread: 'call spread',
  iron_condor: 'iron condor',
  iron_butterfly: 'iron butterfly',
  strangle: 'strangle',
  straddle: 'straddle',
}

const LEVELS = {
  spot: 'spot',
  put_wall: 'the put wall',
  call_wall: 'the call wall',
  flip: 'the flip',
}
const DAYS: Readonly<Record<Weekday, string>> = {
  mon: 'Mondays',
  tue: 'Tuesdays',
  wed: 'Wednesdays',
  thu: 'Thursdays',
  fri: 'Fridays',
}

/** Formats a rule in words of the language; parsing them gives the same rule. */
export function sayRule({ core, when, days, more }: RuleSpec): string {
  const legs = more
    ? [{ core, when }, ...more].map(leg => sayOneOfTwo(leg.core, leg.when))
    : [sayLeg(core, when)]
  const on = days ? `on ${joinWords(days.map(day => DAYS[day]))}, ` : ''
  const text = on + legs.join('; and ')
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

function sayLeg(core: RuleCore, when: readonly RuleCondition[]): string {
  const entry = [...sayEntry(core), ...sayEvents(core, when)]
  return [...entry, sayTrade(core, core.qty > 1), ...sayRest(core, when)].join(', ')
}

/** Formats one of two trades, beginning with its action: anything before would apply to both. */
function sayOneOfTwo(core: RuleCore, when: readonly RuleCondition[]): string {
  const entry = [...sayEntry(core), ...sayEvents(core, when)]
  const [first, ...others] = entry
  return [`${sayTrade(core, true)} ${first}`, ...others, ...sayRest(core, when)].join(', ')
}

const sayEvents = (core: RuleCore, when: readonly RuleCondition[]) =>
  when.filter(one => isEvent(one, core)).map(one => sayCondition(one, true))

function sayRest(core: RuleCore, when: readonly RuleCondition[]): string[] {
  const others = when.filter(one => !isEvent(one, core)).map(one => sayCondition(one))
  const conditions = others.length > 0 ? [`if ${others.join(' and ')}`] : []
  return [...conditions, ...core.exit.map(exit => sayExit(exit, core))]
}

/** True when a condition is the event that the rule enters on. */
const isEvent = (one: RuleCondition, { entry }: RuleCore): boolean =>
  'on' in entry &&
  (entry.on === 'cross'
    ? one.f === 'cross_flip'
    : one.f === 'order' && !one.not && one.since_min === undefined)

function sayEntry({ entry }: RuleCore): string[] {
  if ('at' in entry) return [`at ${entry.at} ET`]
  const window = `between ${entry.window[0]} and ${entry.window[1]} ET`
  if ('every_min' in entry) return [`every ${entry.every_min} minutes ${window}`]
  if (!('times' in entry) || !entry.times) return [window]
  const apart = entry.gap_min === undefined ? [] : [`at least ${entry.gap_min} minutes apart`]
  return [window, ...apart, 'each time']
}

function sayTrade(core: RuleCore, isCounted: boolean): string {
  const { action, structure, width, dte, qty } = core
  const count = isCounted ? `${qty} ${qty === 1 ? 'contract' : 'contracts'} of ` : ''
  const wide = width === undefined ? '' : `${width}-wide `
  return `${action} ${count}the ${dte}DTE ${wide}${STRUCTURE_NAMES[structure]} ${sayStrike(core)}`
}

/** Formats one part of a trade; null when it has none. */
export function sayCorePart(core: RuleCore, part: keyof RuleCore): string | null {
  if (part === 'entry') return sayEntry(core).join(', ')
  if (part === 'exit') return core.exit.map(exit => sayExit(exit, core)).join(', ')
  if (part === 'strike') return sayStrike(core)
  if (part === 'structure') return STRUCTURE_NAMES[core.structure]
  const value = core[part]
  return value === undefined ? null : String(value)
}

function sayStrike({ structure, strike }: RuleCore): string {
  if (strike.ref === 'delta') return `at ${plain(strike.value * 100)} delta`
  const isTwoSided = structure === 'iron_condor' || structure === 'strangle'
  if (strike.ref === 'em') {
    const side = isTwoSided ? 'on both sides' : strike.mult < 0 ? 'below spot' : 'above spot'
    return `${moves(Math.abs(strike.mult))} ${side}`
  }
  const { offset, ref } = strike
  if (offset === 0) return ref === 'spot' ? 'at the money' : `at ${LEVELS[ref]}`
  const side = isTwoSided ? 'on both sides of' : offset < 0 ? 'below' : 'above'
  return `${Math.abs(offset)} points ${side} ${LEVELS[ref]}`
}

const moves = (count: number) => `${plain(count)} expected ${count === 1 ? 'move' : 'moves'}`
const points = (count: number) => `${plain(count)} ${count === 1 ? 'point' : 'points'}`

function sayExit(exit: RuleExit, { dte }: RuleCore): string {
  if ('profit_pct' in exit) return `take profit at ${plain(exit.profit_pct)}%`
  if ('stop_pct_debit' in exit) return `stop at ${plain(exit.stop_pct_debit)}% of the debit`
  if ('stop_x_credit' in exit) return `stop at ${plain(exit.stop_x_credit)}x credit`
  if (exit.at === 'expiry') return 'hold to expiry'
  const at = `exit at ${exit.at} ET`
  // for a trade that may last for days
  if (!('day' in exit) || exit.day === undefined) return dte > 0 ? `${at} the same day` : at
  return exit.day === 1 ? `${at} the next day` : `${at} ${exit.day} sessions later`
}

const plain = (value: number): string => String(Number(value.toPrecision(12)))

/** Formats a condition; the least usual ones by the name of their field and a sign. */
export function sayCondition(one: RuleCondition, isEntry = false): string {
  if (one.f === 'cross_flip') {
    const nth = ['first', 'second', 'third', 'fourth', 'fifth'][one.nth - 1] ?? `${one.nth}th`
    return `the ${nth} time price crosses ${one.dir} the flip`
  }
  if (one.f === 'order') return sayOrder(one, isEntry)
  return (TEXTS[one.f]?.(one.op, one.v) ?? null) || sayFormula(one)
}

function sayOrder(order: Extract<RuleCondition, { f: 'order' }>, isEntry: boolean): string {
  const { premium_musd_min: premium, gamma, since_min: since, not } = order
  const effect = gamma ? ` that ${gamma} gamma` : ''
  const within = since === undefined ? '' : ` in the last ${since} minutes`
  const head = not ? 'no order' : isEntry ? 'after an order' : 'there was an order'
  return `${head} over $${premium}M premium${effect}${within}`
}

type Saying = (op: CompareOp, v: number) => string | null

/** Formats a distance as above or below a level. */
function distance(level: string, aboveIsMore: boolean): Saying {
  return (op, v) => {
    if (op === 'abs<=') return `price is within ${points(v)} of ${level}`
    if (op === 'abs>=') return `price is at least ${points(v)} from ${level}`
    if (op === 'abs>') return `price is not within ${points(v)} of ${level}`
    if (op.startsWith('abs')) return null
    const isMore = op === '>' || op === '>='
    if (v === 0) {
      const isOver = isMore === aboveIsMore
      return op.length > 1
        ? `price is not ${isOver ? 'below' : 'above'} ${level}`
        : `price is ${isOver ? 'above' : 'below'} ${level}`
    }
    // at least ten points above: only for a bound on its own side
    if (op.length === 1 || isMore !== v > 0) return null
    const side = isMore === aboveIsMore ? 'above' : 'below'
    return `price is ${side} ${level} by at least ${points(Math.abs(v))}`
  }
}

const WORDS: Readonly<Partial<Record<CompareOp, string>>> = {
  '<': 'under',
  '<=': 'at most',
  '>': 'over',
  '>=': 'at least',
}

const SIGNS: Readonly<Partial<Record<CompareOp, string>>> = {
  '>': 'positive',
  '<': 'negative',
  '>=': 'not negative',
  '<=': 'not positive',
}

const TEXTS: Readonly<Partial<Record<string, Saying>>> = {
  spot_minus_flip: distance('the flip', true),
  spot_minus_put_wall: distance('the put wall', true),
  call_wall_minus_spot: distance('the call wall', false),
  net_gamma: (op, v) => {
    if (v === 0) return `net gamma is ${SIGNS[op]}`
    const dollars = v < 0 ? `-$${plain(-v)}M` : `$${plain(v)}M`
    if (op === '>=') return `net gamma is at least ${dollars} per point`
    return op === '<=' ? `net gamma is at most ${dollars} per point` : null
  },
  abs_gap: (op, v) => `the gap is ${WORDS[op]} ${plain(v)}%`,
  abs_move_from_open: (op, v) => `the move from the open is ${WORDS[op]} ${moves(v)}`,
  move_from_open: (op, v) => {
    if (v === 0 && op.length === 1) return `price is ${op === '>' ? 'above' : 'below'} the open`
    if (v > 0 && op.startsWith('>')) return `price rose ${WORDS[op]} ${plain(v)}% from the open`
    if (v >= 0 || !op.startsWith('<')) return null
    return `price fell ${op === '<' ? 'over' : 'at least'} ${plain(-v)}% from the open`
  },
  atm_iv_change: (op, v) => {
    if (v === 0 && op.length === 1) return `iv is ${op === '>' ? 'up' : 'down'} since the open`
    if (v > 0 && op.startsWith('>')) return `iv is up ${WORDS[op]} ${points(v)} since the open`
    if (v >= 0 || !op.startsWith('<')) return null
    return `iv is down ${op === '<' ? 'over' : 'at least'} ${points(-v)} since the open`
  },
}

const FORMULAS: Readonly<Record<string, string>> = {
  spot_minus_flip: 'spot minus flip',
  spot_minus_put_wall: 'spot minus put wall',
  call_wall_minus_spot: 'call wall minus spot',
  net_gamma: 'net gamma',
  abs_gap: 'size of the gap',
  abs_move_from_open: 'size of the move from the open',
  move_from_open: 'move from the open',
  atm_iv_change: 'change of iv from the open',
}
const UNITS = { pt: ' points', musd_pt: '', pct: '%', em: ' expected moves', vol_pt: ' vol points' }

function sayFormula(one: RuleCondition): string {
  if (!isCompared(one)) throw new Error(`${one.f} has no formula`)
  const size = one.op.startsWith('abs') ? 'size of ' : ''
  const value = one.u === 'musd_pt' ? formatDollars(one.v) : plain(one.v)
  const sign = one.op.replace('abs', '')
  return `${size}${FORMULAS[one.f]} ${sign} ${value}${UNITS[COMPARED[one.f].unit]}`
}

const formatDollars = (v: number): string =>
  v < 0 ? `-$${plain(-v)}M per point` : `$${plain(v)}M per point`

/** "Mondays and Wednesdays". */
export const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
