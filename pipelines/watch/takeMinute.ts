import type { AccountStore } from '../../src/accounts/types.ts'
import { findMinute, foundMinute, type MinuteResult } from '../../src/alerts/finding/findMinute.ts'
import { toMinuteFacts } from '../../src/alerts/finding/inputs.ts'
import { type Memory, parseMemory } from '../../src/alerts/finding/memory.ts'
import type { SessionMinutes } from '../../src/alerts/finding/minutes.ts'
import type { JudgedPosition, MinuteQuestion } from '../../src/alerts/finding/question.ts'
import type { Run } from '../../src/alerts/finding/run.ts'
import type { SinceMinute } from '../../src/alerts/finding/sinceMinute.ts'
import type { MinuteEt, SessionDate } from '../../src/core/market/calendar.ts'
import type { Outbox } from '../../src/outbox/store/outbox.ts'
import type { Owner } from '../../src/outbox/store/types.ts'
import type { PositionsAt } from './positions.ts'
import type { SettingsCache } from './settings.ts'

export type TakingDeps = {
  readonly accounts: Pick<AccountStore, 'outbox'>
  readonly settings: SettingsCache
  readonly positionsAt: PositionsAt
  readonly run: Run
  readonly marketMs: () => number
  readonly systemMs: () => number
}

/** Progress of a watched day, and its state. */
export type WatchedDay = {
  readonly day: SessionDate
  readonly sinceMinute: SinceMinute
  /** The minute that was taken last; null before the first. */
  readonly minute: MinuteEt | null
  /** The memory as it is stored; null before the first minute. */
  readonly states: string | null
  readonly memory: Memory
}

export type TakenMinute = { readonly watched: WatchedDay; readonly outcome: MinuteResult }

/**
 * Takes one minute of a day in one transaction, with all events found in it. Returns null when
 * another watcher took it. Fails as the store does; then nothing of the minute was written.
 */
export async function takeMinute(
  deps: TakingDeps,
  watched: WatchedDay,
  { minutes, atMs }: { readonly minutes: SessionMinutes; readonly atMs: number },
): Promise<TakenMinute | null> {
  const { accounts, run, systemMs } = deps
  const { day } = watched
  const nowMs = systemMs()
  const question = await buildQuestion(deps, watched, { minutes, atMs, nowMs })
  const { minute } = question.facts.input
  // computed before the transaction, and again only if the stored memory differs
  let outcome = findMinute(watched.memory, question)
  let found = foundMinute(outcome)
  await saveEndpoints(deps, question, outcome)
  const end = await accounts.outbox.takeMinute({
    run: run.id,
    day,
    minute,
    before: watched.minute,
    atMs: nowMs,
    decide: ({ states }) => {
      if (states !== null && states !== watched.states) {
        outcome = findMinute(parseMemory(states), question)
        found = foundMinute(outcome)
      }
      return found
    },
  })
  if (end === 'done') return null
  const { lines, findLine } = question.settings
  for (const { lineId, isArmed, firedAtMs } of outcome.lineChanges) {
    lines.put(findLine(lineId)!, { armed: isArmed, firedAtMs })
  }
  return { watched: { ...watched, minute, states: found.states, memory: outcome.memory }, outcome }
}

/** Events of positions need addresses before they are queued. */
async function saveEndpoints(
  { accounts, run }: TakingDeps,
  { positions, atMs }: MinuteQuestion,
  { events }: MinuteResult,
): Promise<void> {
  if (!run.isDelivered) return
  const owners = new Set<string>(events.map(({ owner }) => owner))
  const alerted = positions.filter(({ position }) => owners.has(position.id))
  if (alerted.length > 0) await savePositionEndpoints(accounts.outbox, { positions: alerted, atMs })
}

type QuestionInput = {
  readonly minutes: SessionMinutes
  readonly atMs: number
  readonly nowMs: number
}

async function buildQuestion(
  { settings, positionsAt, run, marketMs }: TakingDeps,
  { day, sinceMinute }: WatchedDay,
  { minutes, atMs, nowMs }: QuestionInput,
): Promise<MinuteQuestion> {
  const facts = toMinuteFacts(minutes, minutes.minuteAt(atMs))
  // clients of a replay use another clock
  const setBeforeMs = run.isReplay ? nowMs : atMs
  const known = await settings.read({ day, sinceMinute, setBeforeMs })
  const { manifest } = minutes
  return {
    run,
    facts,
    settings: known.settings,
    sinceMinute,
    positions: await positionsAt(known.positions, { manifest, minute: facts.input.minute }),
    isSimulated: manifest.simulated,
    foundAtMs: marketMs(),
    atMs: nowMs,
    // the time of a replay is not that of its clients
    minuteEndMs: run.isReplay ? nowMs : atMs,
  }
}

/**
 * Saves the webhook endpoints of positions, so that their events can be addressed: a position that
 * was saved after its endpoint's last change of state gets a new one, which is on again.
 */
async function savePositionEndpoints(
  outbox: Pick<Outbox, 'findEndpoint' | 'saveEndpoint'>,
  judged: { readonly positions: readonly JudgedPosition[]; readonly atMs: number },
): Promise<void> {
  for (const { accountId, position, channel, url, sinceMs } of judged.positions) {
    if (channel !== 'webhook' || url === null) continue
    const owner = position.id as Owner
    const endpoint = await outbox.findEndpoint(accountId, owner)
    const isKnown = endpoint?.url === url && endpoint.sinceMs >= sinceMs
    if (!isKnown) await outbox.saveEndpoint({ accountId, owner, url, atMs: judged.atMs })
  }
}
