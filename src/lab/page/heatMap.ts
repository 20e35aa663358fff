import { countText } from '../../platform/html/figures.ts'
import { tenth } from '../../platform/html/scale.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { LabResult } from '../result.ts'
import { percentText, plainText } from './texts.ts'

type Optimize = NonNullable<LabResult['optimize']>
type AxisRow = Optimize['axes'][number]
type Plane = Optimize['planes'][number]

/** Number of shades per sign. */
const SHADES = 4
const ROW = 34

/** Mean profit over two numbers of the rule, all others unchanged, and the same as a table. */
export function heatMap({ axes }: Optimize, plane: Plane, strength: number): Html | null {
  const [x, y] = [axes[plane.x], axes[plane.y]]
  if (!x || !y) return null
  const says = `Mean profit over ${x.label} and ${y.label}`
  const tall = ROW * (y.values.length + 1)
  return html`<figure class="heat"><figcaption>across: ${headOfAxis(x)}; down:
${headOfAxis(y)}</figcaption>
<svg class="picture" role="img" width="100%" height="${tall}" aria-label="${says}; the
table below has each cell.">
${x.values.map((value, column) => head(column, x, value, y.values.length))}
${y.values.map((value, row) => renderRow({ x, y, plane, strength }, row, value))}</svg>
<details><summary>As a table</summary>${renderTable({
    caption: says,
    columns: [
      { head: html`<span class="hidden">${y.label}</span>` },
      ...x.values.map(value => ({ head: plainText(value), isNumber: true })),
    ],
    rows: y.values.map((value, row) => [
      plainText(value),
      ...x.values.map(
        (_, column) =>
          html`${percentText(plane.mean[row]?.[column])}<br><span class="quiet small">n ${countText(
            plane.n[row]?.[column],
          )}</span>`,
      ),
    ]),
  })}</details></figure>`
}

/** Largest absolute mean over all planes, so that their shades share one scale. */
export const computeStrength = (planes: readonly Plane[]): number =>
  Math.max(
    ...planes.flatMap(({ mean }) => mean.flat().map(value => Math.abs(value ?? 0))),
    Number.MIN_VALUE,
  )

/** Such as "width, points"; a condition includes its unit. */
export const headOfAxis = ({ label, unit }: Pick<AxisRow, 'label' | 'unit'>): string =>
  unit === '' || /\d/.test(label) ? label : `${label}, ${unit}`

/** Width of the row labels, in columns. */
const LEFT = 1.5
const across = (column: number, count: number) => tenth((100 * (LEFT + column)) / (LEFT + count))

const head = (column: number, x: AxisRow, value: number | string, rows: number): Html => {
  const middle = tenth((across(column, x.values.length) + across(column + 1, x.values.length)) / 2)
  const high = tenth(100 / (rows + 1))
  return html`<text class="heat-head${column === x.own && ' own'}" x="${middle}%" y="${high / 2}%"
dy="4">${plainText(value)}</text>
`
}

type Drawn = {
  readonly x: AxisRow
  readonly y: AxisRow
  readonly plane: Plane
  readonly strength: number
}

function renderRow({ x, y, plane, strength }: Drawn, row: number, value: number | string): Html {
  const [count, rows] = [x.values.length, y.values.length]
  const high = tenth(100 / (rows + 1))
  const top = tenth(high * (row + 1))
  const middle = tenth(top + high / 2)
  return html`<text class="heat-row${row === y.own && ' own'}" x="${across(0, count)}%" dx="-8"
y="${middle}%" dy="4">${plainText(value)}</text>
${x.values.map((_, column) => {
  const mean = plane.mean[row]?.[column] ?? null
  const left = across(column, count)
  const box = html`x="${left}%" y="${top}%" width="${tenth(across(column + 1, count) - left)}%"
height="${high}%"`
  const isOwn = column === x.own && row === y.own
  const fill = mean === null ? html`fill="url(#dots)"` : html`class="${shadeClass(mean, strength)}"`
  return html`<rect ${fill} ${box}/>${
    mean !== null && mean < 0 && html`<rect fill="url(#hatch-wide)" ${box}/>`
  }${isOwn && html`<rect class="own" ${box}/>`}<text class="heat-cell" x="${tenth(
    (left + across(column + 1, count)) / 2,
  )}%" y="${middle}%" dy="4">${percentText(mean).replace(' %', '')}</text>
`
})}`
}

function shadeClass(mean: number, strength: number): string {
  const shade = Math.min(SHADES, 1 + Math.floor((SHADES * Math.abs(mean)) / strength))
  return `${mean < 0 ? 'below' : 'above'}-${shade}`
}
