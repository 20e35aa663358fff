import { tenth } from '../../platform/html/scale.ts'
import { type Html, html } from '../../platform/html/template.ts'
import { axisFrom, createAxis } from './axis.ts'

export type Bars = {
  /** Accessible description of the picture. */
  readonly says: string
  /** One more than bars. */
  readonly edges: readonly number[]
  /** One list per style: the first is filled, the second is hatched. */
  readonly lists: readonly (readonly number[])[]
  /** Formats an edge. */
  readonly text: (edge: number) => string
  /** A value to mark; null: none. */
  readonly mark?: number | null
}

/** Draws a histogram: each list as shares of its own sum, side by side. */
export function barPicture({ says, edges, lists, text, mark = null }: Bars): Html | null {
  const [low, high] = [edges[0], edges.at(-1)]
  if (low === undefined || high === undefined || low === high) return null
  const shares = lists.map(computeShares)
  const y = createAxis(shares.flat())
  const x = axisFrom(Math.min(low, mark ?? low), Math.max(high, mark ?? high))
  const wide = (from: number, to: number) =>
    Math.max(0.2, tenth((x.at(to) - x.at(from)) / lists.length))
  const bars = shares.flatMap((list, look) =>
    list.flatMap((share, index) => {
      const [from, to] = [edges[index]!, edges[index + 1]!]
      if (share === 0) return []
      const left = tenth(x.at(from) + look * wide(from, to))
      const tall = y.at(share)
      const fill = look === 0 ? html`class="bar-own"` : html`class="bar-base" fill="url(#hatch)"`
      return html`<rect ${fill} x="${left}%"
y="${y.fromTop(share)}%" width="${wide(from, to)}%" height="${tall}%"/>
`
    }),
  )
  return html`<svg class="picture" role="img" width="100%" height="200" aria-label="${says}">
<svg width="100%" height="89%">${bars}</svg>
${
  mark !== null &&
  html`<line class="mark" x1="${x.at(mark)}%" x2="${x.at(mark)}%" y1="0" y2="89%"/>`
}
<g class="labels">${x.ticks
    .filter(tick => x.at(tick) > 3 && x.at(tick) < 95)
    .map(
      tick => html`<text class="middle" x="${x.at(tick)}%" y="100%" dy="-4">${text(tick)}</text>`,
    )}</g></svg>`
}

function computeShares(counts: readonly number[]): number[] {
  const sum = counts.reduce((all, count) => all + count, 0)
  return counts.map(count => (sum === 0 ? 0 : count / sum))
}
