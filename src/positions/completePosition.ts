import { findTradingSession, isDate, neighbourSession } from '../core/market/calendar.ts'
import { FIRST_MINUTE } from '../data/published/stateMinutes.ts'
import { invalid, seenAs } from '../platform/http/changeBody.ts'
import { type AddressRules, webhookFault } from '../platform/webhooks/address.ts'
import { ALERT_DEFAULTS, CONDITIONS, LABEL_DEFAULTS, listConditions } from './catalogue.ts'
import { LEG_NAMES, LEGS_OF_KIND, type LegName, type PositionKind } from './kinds.ts'
import type { PositionInput } from './parseChange.ts'
import type { Position } from './schema.ts'

/** Strikes of index options are multiples of it. */
const STRIKE_STEP = 5
const STRIKE_MAX = 100_000

/** ET minutes at which a position can be judged: one minute has passed, and one is to come. */
const LAST_ENTRY = '15:59'
const LAST_ENTRY_OF_HALF_DAY = '12:59'

const FIRST_SESSION = '2000-01-01'
const LAST_SESSION = '2099-12-31'

type Condition = Position['conditions'][number]

/**
 * Returns the whole position after an addition or update. The `rules` state which addresses a
 * webhook endpoint may have, if they differ from the default. Fails with `invalid` on the first
 * error; the message suggests a value to send.
 */
export function completePosition(
  id: string,
  input: PositionInput,
  stored?: Position,
  rules?: AddressRules,
): Position {
  const kind = input.kind ?? stored?.kind
  if (!kind) throw invalid(`${seenAs('position.kind', undefined)}; give one of ${KINDS}.`)
  const session = sessionOfInput(input, stored)
  const legs = completeLegs(kind, input, stored)
  const entry = checkEntry(input.entry ?? stored?.entry, session)
  const conditions = conditionsOfInput(kind, input, stored)
  return {
    id,
    kind,
    legs,
    entry,
    conditions,
    label: completeLabel(input, conditions, stored),
    alert: completeAlert(input, stored, rules),
    session,
  }
}

/** Returns the value sent; the previous one when none was sent, the default for null. */
const chosen = <Value>(sent: Value | null | undefined, before: Value, usual: Value): Value =>
  sent === undefined ? before : (sent ?? usual)

const KINDS = Object.keys(LEGS_OF_KIND).join(', ')

function completeLegs(
  kind: PositionKind,
  input: PositionInput,
  stored?: Position,
): Position['legs'] {
  const taken = LEGS_OF_KIND[kind]
  const needs = legsText(kind)
  checkExtraLegs(kind, input)
  const legs: Partial<Record<LegName, number>> = {}
  let below: Strike | null = null
  for (const name of taken) {
    const sent = input.legs?.[name]
    const strike = sent === undefined ? stored?.legs[name] : (sent ?? undefined)
    const seen = seenAs(`position.legs.${name}`, strike)
    if (strike === undefined) throw invalid(`${seen}: ${needs}; give a strike such as 5950.`)
    checkStrike({ name, strike, below, order: taken })
    legs[name] = strike
    below = { name, strike }
  }
  return legs
}

const legsText = (kind: PositionKind) => `a ${kind} has the legs ${LEGS_OF_KIND[kind].join(', ')}`

/** Fails with `invalid` when a strike is given of a leg that the kind does not have. */
export function checkExtraLegs(kind: PositionKind, { legs }: PositionInput): void {
  const extra = LEG_NAMES.find(name => legs?.[name] != null && !LEGS_OF_KIND[kind].includes(name))
  if (!extra) return
  throw invalid(`position.legs.${extra} is not one of its legs: ${legsText(kind)}; leave it out.`)
}

export type Strike = { readonly name: LegName; readonly strike: number }

/** Fails with `invalid` unless a strike is on the grid and above that of the leg below. */
export function checkStrike({
  name,
  strike,
  below,
  order,
}: Strike & { readonly below: Strike | null; readonly order: readonly LegName[] }): void {
  const seen = seenAs(`position.legs.${name}`, strike)
  if (strike <= 0 || strike > STRIKE_MAX || !Number.isInteger(strike / STRIKE_STEP)) {
    const range = `from ${STRIKE_STEP} to ${STRIKE_MAX}`
    throw invalid(`${seen}; give a multiple of ${STRIKE_STEP} ${range}, such as 5950.`)
  }
  if (below === null || strike > below.strike) return
  const rule = `${below.name} is ${below.strike}; strikes rise in the order ${order.join(', ')}`
  throw invalid(`${seen} and ${rule}, such as ${formatExample(order)}.`)
}

const formatExample = (names: readonly string[]): string =>
  names.map((name, index) => `${name} ${5930 + 20 * index}`).join(', ')

/** Returns the entry minute; fails with `invalid` when it is not in the session, or in any. */
export function checkEntry(entry: string | undefined, session: string | null): string {
  const isHalfDay = session !== null && findTradingSession(session)!.isHalfDay
  const last = isHalfDay ? LAST_ENTRY_OF_HALF_DAY : LAST_ENTRY
  const isMinute = entry !== undefined && /^\d\d:[0-5]\d$/.test(entry)
  if (isMinute && entry >= FIRST_MINUTE && entry <= last) return entry
  const day = isHalfDay ? `; ${session} is a half day` : ''
  const advice = `give an ET minute from "${FIRST_MINUTE}" to "${last}", such as "10:30"`
  throw invalid(`${seenAs('position.entry', entry)}${day}; ${advice}.`)
}

function conditionsOfInput(
  kind: PositionKind,
  { conditions: sent }: PositionInput,
  stored?: Position,
): Condition[] {
  const judged = listConditions(kind)
  const named = namedConditions(sent, kind)
  // null resets to the defaults
  const storedConditions = sent === null ? [] : (stored?.conditions ?? [])
  return judged.map(({ id, default: threshold }) => {
    const before = storedConditions.find(condition => condition.id === id) ?? {
      on: true,
      threshold,
    }
    const { on, threshold: requestedThreshold } = named.get(id) ?? {}
    return {
      id,
      on: chosen(on, before.on, true),
      threshold: chosen(requestedThreshold, before.threshold, threshold),
    }
  })
}

type Named = { readonly on?: boolean | null; readonly threshold?: number | null }

/**
 * Returns the conditions that were sent, by id; fails with `invalid`. Without a kind any may be
 * named.
 */
export function namedConditions(
  sent: PositionInput['conditions'],
  kind?: PositionKind,
): ReadonlyMap<string, Named> {
  const judged = kind === undefined ? CONDITIONS : listConditions(kind)
  const named = new Map<string, Named>()
  for (const [index, condition] of (sent ?? []).entries()) {
    const seen = seenAs(`position.conditions[${index}].id`, condition.id)
    const known = CONDITIONS.find(({ id }) => id === condition.id)
    const listed = judged.map(({ id }) => id).join(', ')
    if (!known) throw invalid(`${seen}, which is not a condition; the conditions are ${listed}.`)
    if (!judged.some(({ id }) => id === known.id)) {
      throw invalid(`${seen}, which does not apply to a ${kind}; leave it out.`)
    }
    if (named.has(known.id)) throw invalid(`${seen} again; give each condition once.`)
    checkThreshold(index, condition.threshold, known)
    named.set(known.id, condition as never)
  }
  return named
}

function checkThreshold(
  index: number,
  threshold: number | null | undefined,
  { id, unit, min, max, default: usual }: (typeof CONDITIONS)[number],
): void {
  if (threshold == null || (threshold >= min && threshold <= max)) return
  const seen = seenAs(`position.conditions[${index}].threshold`, threshold)
  throw invalid(`${seen}; for ${id} give ${min} to ${max} ${unit}, such as ${usual}.`)
}

function completeLabel(
  { label: sent }: PositionInput,
  conditions: readonly Condition[],
  stored?: Position,
): Position['label'] {
  const before = (sent !== null && stored?.label) || LABEL_DEFAULTS
  const caution = chosen(sent?.caution, before.caution, LABEL_DEFAULTS.caution)
  const skip = chosen(sent?.skip, before.skip, LABEL_DEFAULTS.skip)
  const count = conditions.filter(({ on }) => on).length
  if (count === 0) {
    throw invalid('position.conditions has none on; leave at least one on, such as gap.')
  }
  checkLabel({ caution, skip }, count)
  return { caution, skip }
}

/** Fails with `invalid` unless both counts can be reached with `count` conditions. */
export function checkLabel({ caution, skip }: Position['label'], count: number): void {
  if (caution >= 1 && caution <= skip && skip <= count) return
  const good = Math.min(count, LABEL_DEFAULTS.skip)
  const example = `{"caution": ${Math.min(good, LABEL_DEFAULTS.caution)}, "skip": ${good}}`
  const rule = `1 <= caution <= skip <= ${count}, the conditions that are on`
  throw invalid(
    `position.label has caution ${caution} and skip ${skip}; give ${rule}, such as ${example}.`,
  )
}

function completeAlert(
  { alert: sent }: PositionInput,
  stored?: Position,
  rules?: AddressRules,
): Position['alert'] {
  const before: Position['alert'] = (sent !== null && stored?.alert) || ALERT_DEFAULTS
  const alert = {
    channel: chosen(sent?.channel, before.channel, ALERT_DEFAULTS.channel),
    url: chosen(sent?.url, before.url, ALERT_DEFAULTS.url),
    before: chosen(sent?.before, before.before, ALERT_DEFAULTS.before),
  }
  if (alert.url === null) {
    if (alert.channel !== 'webhook') return alert
    throw noWebhookUrl()
  }
  checkWebhookUrl(alert.url, rules)
  // store the normalized form that was judged
  return { ...alert, url: new URL(alert.url).href }
}

const URL_EXAMPLE = 'such as "https://example.com/hook"'

export const noWebhookUrl = () =>
  invalid(`position.alert.url is missing; the channel webhook needs one ${URL_EXAMPLE}.`)

/** Fails with `invalid` unless an address is allowed for a webhook endpoint. */
export function checkWebhookUrl(url: string, rules?: AddressRules): void {
  refuseAddress(url, webhookFault(url, rules))
}

/** Fails with `invalid` when an address has a fault. */
export function refuseAddress(url: string, fault: string | null): void {
  const seen = seenAs('position.alert.url', url)
  if (fault) {
    throw invalid(`${seen}, which ${fault}; give a public https:// address ${URL_EXAMPLE}.`)
  }
}

/** Returns the session of the input; fails with `invalid` when it is no trading day. */
export function sessionOfInput({ session: sent }: PositionInput, stored?: Position): string | null {
  const session = sent === undefined ? (stored?.session ?? null) : sent
  if (session === null || session === stored?.session) return session
  const seen = seenAs('position.session', session)
  if (!isDate(session)) throw invalid(`${seen}; give a trading day such as "2026-10-14".`)
  if (session < FIRST_SESSION || session > LAST_SESSION) {
    throw invalid(`${seen}; give a trading day from ${FIRST_SESSION} to ${LAST_SESSION}.`)
  }
  if (findTradingSession(session)) return session
  const { date } = neighbourSession(session, 1)
  throw invalid(`${seen}, which is not a trading day; give one such as "${date}".`)
}
