import type { FlowResponse } from '../levels/ask.ts'
import { countText, roughText, spellOut } from '../platform/html/figures.ts'
import { levelLines, minutesPicture } from '../platform/html/minutesPicture.ts'
import { bandPath, computeRange, createScale, linePath } from '../platform/html/scale.ts'
import { renderTable } from '../platform/html/table.ts'
import { EMPTY, type Html, html, type Piece } from '../platform/html/template.ts'

/** Minutes from one row of the table to the next: as many as a reader can take in. */
const TABLE_MINUTES = 30

/**
 * The delta that customers bought in the day so far, under the index, on its minutes; empty when
 * older code published none.
 */
export function flowPanel(minutes: readonly string[], flow: FlowResponse | null): Html {
  if (flow === null || flow.minutes.length < 2) return EMPTY
  const positions = new Map(flow.minutes.map((minute, at) => [minute, at]))
  const onMinutes = (values: readonly (number | null)[]) =>
    minutes.map(minute => values[positions.get(minute) ?? -1] ?? null)
  const [low, middle, high] = [flow.delta_lo, flow.delta, flow.delta_hi].map(onMinutes)
  const range = computeRange([low!, high!, [0]])
  if (range === null || middle!.every(value => value === null)) return EMPTY
  const scale = createScale(minutes, range.low, range.high)
  return html`<section class="panel all" aria-labelledby="flow-title">
<h2 id="flow-title">What customers bought: delta, $M of index</h2>
<p class="small quiet">Bought less sold, of the day so far, by whole order at its expected side. The
band holds the true flow in nine of ten minutes. <a href="/levels#flow">What it is</a></p>
<figure>${minutesPicture({
    id: 'flow-picture',
    says: describeFlow(flow),
    scale,
    behind: levelLines(scale),
    shapes: html`<path class="band" d="${bandPath(low!, high!, scale)}"/>
<path class="line flow" d="${linePath(middle!, scale)}"/>`,
  })}</figure>
<details><summary>Each half hour as a table</summary>
${renderTable({
  caption: 'Delta ($M of index) and gamma ($M a point) that customers bought, with 90 % intervals',
  columns: [
    { head: 'minute', isNumber: false },
    ...['delta', 'from', 'to', 'gamma', 'from', 'to', 'orders'].map(head => ({
      head,
      isNumber: true,
    })),
  ],
  rows: flow.minutes.flatMap((minute, at): Piece[][] =>
    Number(minute.slice(3)) % TABLE_MINUTES === 0 ? [tableRow(flow, minute, at)] : [],
  ),
})}</details></section>`
}

function tableRow(flow: FlowResponse, minute: string, at: number): Piece[] {
  const { delta_reason, gamma_reason } = flow
  const cells = (
    names:
      | readonly ('delta' | 'delta_lo' | 'delta_hi')[]
      | readonly ('gamma' | 'gamma_lo' | 'gamma_hi')[],
    reason: string | null,
  ) =>
    reason === null ? names.map(name => roughText(flow[name][at])) : [spellOut(reason), '–', '–']
  return [
    minute,
    ...cells(['delta', 'delta_lo', 'delta_hi'], delta_reason[at] ?? null),
    ...cells(['gamma', 'gamma_lo', 'gamma_hi'], gamma_reason[at] ?? null),
    countText(flow.orders[at] ?? 0),
  ]
}

function describeFlow({ minutes, delta, delta_lo, delta_hi }: FlowResponse): string {
  const at = delta.findLastIndex(value => value !== null)
  return (
    `From ${minutes[0]} to ${minutes.at(-1)}: by ${minutes[at]} customers had bought delta of ` +
    `${roughText(delta[at])} $M of index, between ${roughText(delta_lo[at])} and ` +
    `${roughText(delta_hi[at])}.`
  )
}
