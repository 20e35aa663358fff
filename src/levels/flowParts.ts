/** Parts of the customers' flow, and the spans it is summed over. */

export const FLOW_PARTS = ['all', '0dte', 'calls', 'puts'] as const
export type FlowPart = (typeof FLOW_PARTS)[number]

/** `day`: all orders known so far; `5m`: those that printed in the last five minutes. */
export const FLOW_SPANS = ['day', '5m'] as const
export type FlowSpan = (typeof FLOW_SPANS)[number]
