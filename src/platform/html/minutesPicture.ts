import { countText } from './figures.ts'
import { computeTicks, percent, type Scale, SIDE } from './scale.ts'
import { type Html, html, type Piece } from './template.ts'

/** Common parts of the pictures of a session: minutes to the right, index points upwards. */

export type MinutesPicture = {
  readonly id: string
  /** Text alternative for screen readers. */
  readonly says: string
  readonly scale: Scale
  /** Below the lines, in percent of the picture. */
  readonly behind?: Piece
  /** Paths in the square of `SIDE`, which is stretched. */
  readonly shapes: Piece
  /** Above the lines, in percent of the picture. */
  readonly over?: Piece
}

/** A picture with the minutes below it and index points at its left. */
export function minutesPicture(picture: MinutesPicture): Html {
  const { id, says, scale, behind, shapes, over } = picture
  return html`<svg class="picture axes" id="${id}" role="img" width="100%" height="320"
aria-label="${says}">
${behind}
<svg width="100%" height="100%" viewBox="0 0 ${SIDE} ${SIDE}" preserveAspectRatio="none">
${shapes}
</svg>
${over}${labels(scale)}</svg>`
}

/** Drops values outside a picture: a distant level would compress the rest, and a table has it. */
export const inside = (values: readonly (number | null)[], { low, high }: Scale) =>
  values.map(value => (value !== null && value >= low && value <= high ? value : null))

/** Lines at round index points. */
export const levelLines = ({ low, high, y }: Scale): Html[] =>
  computeTicks(low, high).map(
    points => html`<line class="grid" x1="0" x2="100%" y1="${percent(y(points))}"
y2="${percent(y(points))}"/>
`,
  )

/** A line from top to bottom at a minute. */
export const marker = ({ x }: Scale, at: number, name = 'mark'): Html =>
  html`<line class="${name}" x1="${percent(x(at))}" x2="${percent(x(at))}" y1="0" y2="100%"/>`

/** Round index points, left of the picture: they cover nothing that is drawn. */
export const pointLabels = ({ low, high, y }: Scale): Html[] =>
  computeTicks(low, high).map(
    points =>
      html`<text class="end" x="0" dx="-6" y="${percent(y(points))}" dy="4">${countText(
        points,
      )}</text>`,
  )

const labels = (scale: Scale): Html => {
  const { minutes, x } = scale
  return html`<g class="labels">
${pointLabels(scale)}
${minutes.flatMap((minute, index) =>
  minute.endsWith(':00') && x(index) > 0 && x(index) < 0.95 * SIDE
    ? html`<text class="hour${Number(minute.slice(0, 2)) % 2 === 1 && ' odd'}"
x="${percent(x(index))}" y="100%" dy="16">${minute}</text>`
    : [],
)}</g>`
}
