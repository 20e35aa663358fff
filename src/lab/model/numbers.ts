import { joinNumbers } from '../language/numbers.ts'
import type { RuleSpec } from '../language/spec.ts'
import { tokenize } from '../language/tokens.ts'

/** Numbers of a rule against those of the text that it was made of. */

/** Words that stand for a number, or for a minute of the day. */
const WORDS: Readonly<Record<string, readonly number[]>> = {
  half: [0.5],
  quarter: [0.25],
  double: [2],
  twice: [2],
  once: [1],
  triple: [3],
  noon: [720],
  midday: [720],
  open: [571, 570],
  close: [959, 960],
}
/** Factors by which a text may name a number of a rule: 16 for a delta of .16, 2 hours for 120. */
const FACTORS: readonly (readonly [fields: RegExp, factors: readonly number[]])[] = [
  [/\.strike\.value$/, [0.01]],
  [/\.premium_musd_min$|\.net_gamma\.v$/, [0.001, 1000, 1e-6]],
  [/\.(?:since|every|gap)_min$/, [60]],
  [/\.(?:profit_pct|stop_pct_debit)$/, [100]],
  [/\.stop_x_credit$/, [0.01]],
  [/\.(?:abs_gap|move_from_open)\.v$/, [0.01]],
]

/**
 * Numbers of a rule that neither the text has nor the rule before, in the order of the rule, as they
 * are written there. Defaults of the language are none: 0, no days on, one contract.
 */
export function findForeignNumbers(
  spec: RuleSpec,
  text: string,
  before: RuleSpec | null,
): string[] {
  const given = listGiven(text)
  const known = new Set(before ? listFacts(before).map(({ shown }) => shown) : [])
  return listFacts(spec).flatMap(fact =>
    known.has(fact.shown) || isDefault(fact, spec) || isGiven(fact, given) ? [] : [fact.shown],
  )
}

type Fact = {
  readonly path: string
  readonly shown: string
  readonly value: number
  readonly isTime: boolean
}

/** Every number and time of a rule. */
function listFacts(value: unknown, path = ''): Fact[] {
  if (typeof value === 'number') return [{ path, shown: String(value), value, isTime: false }]
  if (typeof value === 'string') {
    const time = /^(\d\d):(\d\d)$/.exec(value)
    if (!time) return []
    const minute = 60 * Number(time[1]) + Number(time[2])
    return [{ path, shown: value, value: minute, isTime: true }]
  }
  if (typeof value !== 'object' || value === null) return []
  const at = 'f' in value ? path.replace(/\d+$/, String(value.f)) : path
  return Object.entries(value).flatMap(([name, inner]) => listFacts(inner, `${at}.${name}`))
}

/** Parts that the language fills in where the text says nothing. */
function isDefault({ path, value, shown }: Fact, { core, more = [] }: RuleSpec): boolean {
  if (path === '.v' || value === 0) return true
  if (path.endsWith('.qty') || path.endsWith('.nth')) return value === 1
  // an event without a window may come in all of the session
  const entries = [core, ...more.map(leg => leg.core)].map(({ entry }) => entry)
  const hasEvent = entries.some(entry => 'on' in entry)
  return path.includes('.window.') && hasEvent && (shown === '09:31' || shown === '15:30')
}

type Given = { readonly numbers: readonly number[]; readonly minutes: readonly number[] }

function listGiven(text: string): Given {
  const tokens = joinNumbers(tokenize(text))
  const joined = tokens.map(one => one.text)
  const digits = [...text.matchAll(/\d+(?:,\d{3})*(?:\.\d+)?|\.\d+/g)].map(([found]) =>
    Number(found.replaceAll(',', '')),
  )
  const spelled = joined.map(Number).filter(Number.isFinite)
  const named = [...text.toLowerCase().matchAll(/[a-z]+/g)].flatMap(([word]) => WORDS[word] ?? [])
  const clock = [...text.matchAll(/(\d{1,2})[:.h](\d\d)/g)].map(
    ([, hour, minute]) => 60 * Number(hour) + Number(minute),
  )
  const numbers = [...digits, ...spelled, ...named]
  const hours = numbers.filter(one => Number.isInteger(one) && one >= 1 && one <= 24)
  const parts = /\b(half|quarter) (past|to|after)\b/i.test(text) ? [30, 15, -15] : []
  const compact = numbers
    .filter(one => one >= 100 && one < 2400 && one % 100 < 60)
    .map(one => 60 * Math.floor(one / 100) + (one % 100))
  const whole = [...clock, ...compact, ...named, ...hours.map(hour => 60 * hour)]
  const minutes = [...whole, ...whole.flatMap(minute => parts.map(part => minute + part))]
  return { numbers, minutes: minutes.flatMap(minute => [minute, minute + 720]) }
}

function isGiven({ path, value, isTime }: Fact, { numbers, minutes }: Given): boolean {
  if (isTime) return minutes.includes(value)
  const factors = FACTORS.flatMap(([fields, found]) => (fields.test(path) ? found : []))
  // a loss of twice the credit is a stop at three times
  const sizes = path.endsWith('.stop_x_credit') ? [value, value - 1] : [Math.abs(value)]
  return numbers.some(number =>
    [1, ...factors].some(factor =>
      sizes.some(size => Math.abs(number * factor - size) <= 1e-9 * Math.max(1, size)),
    ),
  )
}
