import type { z } from 'zod'
import type { MinuteEt, SessionDate } from '../core/market/calendar.ts'
import { FIRST_MINUTE } from '../data/published/stateMinutes.ts'
import type { ColumnLists } from '../platform/http/table.ts'
import { findAsOf, type LevelsDeps, noData, readDatasetOfSession } from './asOf.ts'
import { flowKey } from './columns.ts'
import { FLOW, type FlowPart, type FlowSpan } from './flowFields.ts'
import { centsOrNull, roundGamma } from './reading.ts'
import type { Flow } from './schema.ts'

/** The customers' flow, minute by minute: the response and its tables. */

export type FlowQuestion = {
  readonly part: FlowPart
  readonly span: FlowSpan
  /** Null: the newest session. */
  readonly day: SessionDate | null
  /** Null: its newest minute. */
  readonly time: MinuteEt | null
}

export type FlowResponse = z.infer<typeof Flow>

type FlowName = keyof typeof FLOW
type FlowLists = Pick<FlowResponse, FlowName>

/**
 * Returns the customers' flow of a session up to a minute: delta in $M of index, gamma in $M per
 * point of SPX. Fails with `no_data`, `damaged`.
 */
export async function flowAt(deps: LevelsDeps, question: FlowQuestion): Promise<FlowResponse> {
  const { part, span } = question
  const asOf = await findAsOf(deps, question)
  if (asOf.lack !== null || asOf.found === null || asOf.minute === null) throw noData(asOf)
  const flows = await readDatasetOfSession(deps, asOf.found, 'flow')
  const levels = (await readDatasetOfSession(deps, asOf.found, 'levels'))!.get('measured')!
  const columns = flows?.get(flowKey(part, span))
  const spots = new Map(levels.minute_et.map((minute, at) => [minute, levels.spot[at] ?? null]))
  const isIn = (minute: MinuteEt) => minute >= FIRST_MINUTE && minute <= asOf.minute!
  const positions = (columns?.minute_et ?? []).flatMap((minute, at) => (isIn(minute) ? [at] : []))
  const minutes = positions.map(at => columns!.minute_et[at]!)
  const lists = Object.entries(FLOW).map(([name, { column }]) => [
    name,
    positions.map(at => roundFlow(name as FlowName, columns![column][at]!)),
  ])
  return {
    day: asOf.day,
    time: asOf.minute,
    live: asOf.isLive,
    simulated: asOf.found.manifest.simulated,
    next_update_at: asOf.nextUpdateAt,
    sym: 'SPX',
    part,
    span,
    minutes,
    spot: minutes.map(minute => centsOrNull(spots.get(minute) ?? null)),
    ...(Object.fromEntries(lists) as FlowLists),
    reason: flows === null ? 'not_published' : null,
  }
}

/** Rounds a gamma as those of the levels are, and a delta to the hundredth; counts are whole. */
function roundFlow(name: FlowName, value: number | string | null): number | string | null {
  if (typeof value === 'string') return value
  return name.startsWith('gamma') ? roundGamma(value) : centsOrNull(value)
}

/** Columns of the tabular forms, in order. */
export const flowColumns = (flow: FlowResponse): ColumnLists => ({
  minute: flow.minutes,
  spot: flow.spot,
  ...Object.fromEntries(Object.keys(FLOW).map(name => [name, flow[name as FlowName]])),
})

export const FLOW_TEXTS = ['minute', 'delta_reason', 'gamma_reason']
