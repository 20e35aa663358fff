import { type Html, html, type Piece } from './template.ts'

type Column = {
  readonly head: Piece
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean
}

type TableContent = {
  /** Title; read out, and shown unless hidden. */
  readonly caption: string
  readonly isCaptionHidden?: boolean
  readonly columns: readonly (Column | string)[]
  readonly rows: readonly (readonly Piece[])[]
}

/** A table that scrolls on its own when it is wider than the screen. */
export function renderTable({
  caption,
  isCaptionHidden = true,
  columns,
  rows,
}: TableContent): Html {
  const heads = columns.map(column => (typeof column === 'string' ? { head: column } : column))
  const cells = (row: readonly Piece[]) =>
    row.map((cell, index) => {
      const isNumber = (heads[index] as Column).isNumber
      return html`<td${isNumber && html` class="number"`}>${cell}</td>`
    })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption${isCaptionHidden && html` class="hidden"`}>${caption}</caption>
<thead><tr>${heads.map(
    ({ head, isNumber }: Column) =>
      html`<th scope="col"${isNumber && html` class="number"`}>${head}</th>`,
  )}</tr></thead>
<tbody>
${rows.map(row => html`<tr>${cells(row)}</tr>\n`)}</tbody>
</table></div>`
}
