import { z } from 'zod'
import type { MinuteEt } from '../core/market/calendar.ts'

/** The customers' flow: its parts and spans, and one row a field, by minute, in the order of a table. */

export const FLOW_PARTS = ['all', '0dte', 'calls', 'puts'] as const
export type FlowPart = (typeof FLOW_PARTS)[number]

/** `day`: all orders known so far; `5m`: those that printed in the last five minutes. */
export const FLOW_SPANS = ['day', '5m'] as const
export type FlowSpan = (typeof FLOW_SPANS)[number]

const list = <Item extends z.ZodType, const Column extends string>(
  column: Column,
  item: Item,
  description: string,
  example: z.infer<Item>,
) => ({ column, schema: z.array(item).describe(description), example: [example] })

const Value = z.number().nullable()
const Reason = z.string().nullable()
const noDelta = 'Why a delta is null: no_orders, or unpriced (under 0.9 of the contracts are).'
const noGamma = 'The same of gamma: the last half hour of an expiry has none.'

export const FLOW = {
  delta: list(
    'delta_musd',
    Value,
    'Delta that customers bought less what they sold, $M of index.',
    -812.4,
  ),
  delta_lo: list('delta_lo_musd', Value, 'Lower end of its 90 % interval.', -1630.2),
  delta_hi: list('delta_hi_musd', Value, 'Upper end.', 5.4),
  delta_reason: list('delta_reason', Reason, noDelta, null),
  gamma: list(
    'gamma_musd_per_point',
    Value,
    'Gamma that they bought less what they sold, $M per point.',
    3.2145,
  ),
  gamma_lo: list('gamma_lo_musd_per_point', Value, 'Lower end of its 90 % interval.', -8.0012),
  gamma_hi: list('gamma_hi_musd_per_point', Value, 'Upper end.', 14.4302),
  gamma_reason: list('gamma_reason', Reason, noGamma, null),
  orders: list('order_count', z.int(), 'Orders that count.', 18211),
  contracts: list('contracts', z.int(), 'Contracts of their legs.', 1203344),
} as const

type Fields = typeof FLOW

/** The flow of a part over a span as stored, by minute; all of one length. */
export type FlowColumns = { readonly minute_et: readonly MinuteEt[] } & {
  readonly [Name in keyof Fields as Fields[Name]['column']]: z.infer<Fields[Name]['schema']>
}

export const FLOW_COLUMNS: readonly (keyof FlowColumns)[] = [
  'minute_et',
  ...Object.values(FLOW).map(({ column }) => column),
]
