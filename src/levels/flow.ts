import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow'
import type { z } from 'zod'
import type { MinuteEt, SessionDate } from '../core/market/calendar.ts'
import { FIRST_MINUTE } from '../data/published/stateMinutes.ts'
import { findAsOf, type LevelsDeps, noData, readDatasetOfSession } from './asOf.ts'
import { type FlowColumns, flowKey } from './columns.ts'
import type { FlowPart, FlowSpan } from './flowParts.ts'
import { cents, roundGamma } from './reading.ts'
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

/** Columns of the tabular forms, in order. */
const FLOW_TABLE = [
  'minute',
  'spot',
  'delta',
  'delta_lo',
  'delta_hi',
  'delta_reason',
  'gamma',
  'gamma_lo',
  'gamma_hi',
  'gamma_reason',
  'orders',
  'contracts',
] as const

/**
 * Returns the customers' flow of a session up to a minute: delta in $M of index, gamma in $M per
 * point of SPX. Fails with `no_data`, `damaged`.
 */
export async function flowAt(deps: LevelsDeps, question: FlowQuestion): Promise<FlowResponse> {
  const { part, span } = question
  const asOf = await findAsOf(deps, question)
  if (asOf.lack !== null || asOf.found === null || asOf.minute === null) throw noData(asOf)
  const flows = await readDatasetOfSession(deps, asOf.found, 'flow')
  const levels = (await readDatasetOfSession(deps, asOf.found, 'levels'))!.measured
  const columns = flows?.get(flowKey(part, span))
  const spots = new Map(levels.minute_et.map((minute, at) => [minute, levels.spot[at] ?? null]))
  const isWanted = (minute: MinuteEt) => minute >= FIRST_MINUTE && minute <= asOf.minute!
  const positions = (columns?.minute_et ?? []).flatMap((minute, at) =>
    isWanted(minute) ? [at] : [],
  )
  const list = <Name extends keyof FlowColumns, To>(
    name: Name,
    round: (value: FlowColumns[Name][number]) => To,
  ): To[] => positions.map(at => round(columns![name][at]!))
  const delta = (name: 'delta_musd' | 'delta_lo_musd' | 'delta_hi_musd') =>
    list(name, value => (value === null ? null : cents(value)))
  const gamma = (
    name: 'gamma_musd_per_point' | 'gamma_lo_musd_per_point' | 'gamma_hi_musd_per_point',
  ) => list(name, roundGamma)
  const minutes = list('minute_et', minute => minute)
  const spot = minutes.map(minute => spots.get(minute) ?? null)
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
    spot: spot.map(value => (value === null ? null : cents(value))),
    delta: delta('delta_musd'),
    delta_lo: delta('delta_lo_musd'),
    delta_hi: delta('delta_hi_musd'),
    delta_reason: list('delta_reason', reason => reason),
    gamma: gamma('gamma_musd_per_point'),
    gamma_lo: gamma('gamma_lo_musd_per_point'),
    gamma_hi: gamma('gamma_hi_musd_per_point'),
    gamma_reason: list('gamma_reason', reason => reason),
    orders: list('order_count', count => count),
    contracts: list('contracts', count => count),
    reason: flows === null ? 'not_published' : null,
  }
}

const listCells = (flow: FlowResponse, name: (typeof FLOW_TABLE)[number]) =>
  name === 'minute' ? flow.minutes : flow[name]

/** CSV as RFC 4180 with a header; a null is an empty field. No value has a comma or a quote. */
export function flowCsv(flow: FlowResponse): string {
  const columns = FLOW_TABLE.map(name => listCells(flow, name))
  const rows = flow.minutes.map((_, at) => columns.map(cells => cells[at] ?? ''))
  return [FLOW_TABLE, ...rows].map(cells => `${cells.join(',')}\r\n`).join('')
}

const TEXTS: readonly string[] = ['minute', 'delta_reason', 'gamma_reason']

/** The same as an Arrow stream. */
export function flowArrow(flow: FlowResponse): Uint8Array {
  const vectors = FLOW_TABLE.map(name => {
    const cells = listCells(flow, name)
    const vector = TEXTS.includes(name)
      ? vectorFromArray(cells as readonly (string | null)[], new Utf8())
      : vectorFromArray(cells as readonly (number | null)[], new Float64())
    return [name, vector] as const
  })
  return tableToIPC(new Table(Object.fromEntries(vectors)), 'stream')
}
