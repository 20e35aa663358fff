import type { z } from 'zod'
import { renderTable } from '../platform/html/table.ts'
import { type Html, html } from '../platform/html/template.ts'
import type { Track } from './checkSchema.ts'
import { LABELS, type Label } from './label.ts'

const WIDTH = 240
const HEIGHT = 36
const SLOT = 4

/** Bars: the more conditions are on, the higher and redder; a short grey bar is no label. */
const BARS: Readonly<Record<Label | 'none', { readonly height: number; readonly name: string }>> = {
  TRADE: { height: 12, name: 'bar-good' },
  CAUTION: { height: 22, name: 'bar-warn' },
  SKIP: { height: 34, name: 'bar-bad' },
  none: { height: 4, name: 'bar-none' },
}

const MARKS: Readonly<Record<Label, string>> = { TRADE: 'green', CAUTION: 'amber', SKIP: 'red' }

export const labelMark = (label: Label): Html => html`<span class="${MARKS[label]}">${label}</span>`

type TrackResponse = z.infer<typeof Track>
type Point = TrackResponse['points'][number]

/** The label of each minute of a track as bars, and the same as a table. */
export function trackPicture({ id, points }: TrackResponse): Html {
  const [first, last] = [points[0]!.t, points.at(-1)!.t]
  const minuteCounts = LABELS.map(label => [
    label,
    points.filter(one => one.label === label).length,
  ])
  const counts = minuteCounts
    .filter(([, count]) => count !== 0)
    .map(([label, count]) => `${label} ${count}`)
  const text = `Labels from ${first} to ${last} ET, in minutes: ${counts.join(', ') || 'none'}.`
  return html`<figure class="track">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${text}">
<path class="base" d="M0 ${HEIGHT - 0.5}H${WIDTH}"/>
${points.map(({ label }, index) => {
  const { height, name } = BARS[label ?? 'none']
  // the newest minute is at the right edge, also for a session that has just begun
  const x = WIDTH - (points.length - index) * SLOT
  return html`<rect class="${name}" x="${x}" y="${HEIGHT - height}" width="${SLOT - 1}"
height="${height}"/>`
})}
</svg>
<figcaption><span>${first}</span><span>${last} ET</span></figcaption>
<details><summary>The same as a table</summary>
${renderTable({
  caption: `Labels of ${id} from ${first} to ${last}`,
  columns: ['from', 'to', 'label', 'on'],
  rows: mergeRuns(points).map(({ from, to, label, on }) => [from, to, label ?? 'none', on]),
})}</details>
</figure>`
}

type Run = { readonly from: string; to: string; readonly label: Label | null; readonly on: string }

/** Minutes with the same label and the same conditions on, as one row. */
function mergeRuns(points: readonly Point[]): readonly Run[] {
  const runs: Run[] = []
  for (const { t, label, on } of points) {
    const names = on.join(', ')
    const last = runs.at(-1)
    if (last && last.label === label && last.on === names) last.to = t
    else runs.push({ from: t, to: t, label, on: names })
  }
  return runs
}
