/** Finds the header of a vendor's text file, its names, and missing columns. */

import { Refusal } from '../disk/refusal.ts'
import { shown } from '../disk/text.ts'
import type { Database } from './database.ts'
import { filePath } from './paths.ts'

/** Another file, by columns that it has and columns of this layout that it never has. */
export type Lookalike = {
  readonly has: readonly string[]
  readonly lacks: readonly string[]
  /** Its name and what to do with it: the end of a sentence. */
  readonly what: string
}

export type RowLayout = {
  /** Columns a file must have, by the names of their header. */
  readonly required: readonly string[]
  /** Columns that are null where a file does not have them. */
  readonly optional?: readonly string[]
  /** Allows a header to repeat a name; the second becomes `name_2`. Otherwise that is refused. */
  readonly mayRepeat?: boolean
  /** Another spelling of a name becomes the layout's. */
  readonly rename?: (name: string) => string
  /** A column that no lookalike has: a file with it is of this layout, whatever it lacks. */
  readonly mark?: string
  /** The use of the columns: the end of a sentence. Left out, their names say it. */
  readonly purpose?: string
  /** Other files, one of which a file that lacks a column may be. */
  readonly lookalikes?: readonly Lookalike[]
  /** Descriptions of other files, by the names that identify them, that have all columns, too. */
  readonly others?: readonly (readonly [names: readonly string[], what: string])[]
  /** Types of ours that columns of Parquet must fit; text where none is given. */
  readonly types?: Readonly<Record<string, string>>
  /** Rows may be longer or shorter than the header: the format's own SQL judges them. */
  readonly isRagged?: boolean
}

export type Source = {
  /** The file as the user typed it. */
  readonly label: string
  /** A file `writeLines` made, or the Parquet file itself. */
  readonly path: string
  /** The columns of a Parquet file; null for lines of text, whose cells are text. */
  readonly columns: readonly SourceColumn[] | null
}

export type SourceColumn = {
  readonly name: string
  /** Its type as the engine names it, such as 'DOUBLE'; 'NULL' where it never holds a value. */
  readonly type: string
}

/** Lines in which a header is looked for. */
const HEADER_LINES_MAX = 20

export type Header = {
  readonly line: number
  readonly text: string
  /** Its names, as the layout spells them. */
  readonly names: readonly string[]
  /** The columns that must be there, as the file spells them. */
  readonly raw: readonly string[]
}

/** Finds the header and its names; fails with a Refusal where there is none. */
export async function readHeader(db: Database, source: Source, layout: RowLayout): Promise<Header> {
  const found = await db.query('import/header_lines', {
    path: filePath(source.path),
    most: HEADER_LINES_MAX,
  })
  const headers = found.map(row => {
    const cells = (row.cells as string[] | null) ?? []
    const names = readNames(cells, layout)
    const raw = layout.required.map(name => (cells[names.indexOf(name)] ?? name).trim())
    return { line: row.line_number as number, text: String(row.text), names, raw }
  })
  const header = headers.find(({ names }) => layout.required.every(name => names.includes(name)))
  if (!header) throw new Refusal(missingText(source.label, layout, headers))
  const other = layout.others?.find(([all]) => all.every(name => header.names.includes(name)))
  if (other) throw new Refusal(`${source.label} ${other[1]}.`)
  const repeated = header.names.find(name => /_2$/.test(name) && isRepeat(name, header.names))
  if (repeated && !layout.mayRepeat) {
    throw new Refusal(`${source.label} names the column ${repeated.slice(0, -2)} twice.`)
  }
  return header
}

const isRepeat = (name: string, names: readonly string[]) => names.includes(name.slice(0, -2))

/** Names in lower case with underscores; the second of a name gets `_2`, empty ones end nowhere. */
function readNames(cells: readonly string[], { rename = name => name }: RowLayout): string[] {
  const seen = new Map<string, number>()
  const names = cells.map(cell => {
    const plain = cell
      .trim()
      .toLowerCase()
      .replaceAll(/[\s.]+/g, '_')
      .replace(/^#/, '')
    const name = rename(plain)
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 || name === '' ? name : `${name}_${count}`
  })
  return names.slice(0, names.findLastIndex(name => name !== '') + 1)
}

const SEPARATORS = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
] as const

/** Explains that a file lacks a required column, from the lines that may be its header. */
export function missingText(
  label: string,
  layout: RowLayout,
  headers: readonly Pick<Header, 'text' | 'names'>[],
): string {
  const { text = '', names = [] } = headers[0] ?? {}
  const isNamed = (name: string) => names.includes(name)
  const isMarked = layout.mark !== undefined && isNamed(layout.mark)
  const lookalike = layout.lookalikes?.find(
    ({ has, lacks }) => has.every(isNamed) && !lacks.some(isNamed),
  )
  if (lookalike && !isMarked) return `${label} ${lookalike.what}.`
  const separator = SEPARATORS.find(([mark]) =>
    headers.some(header => {
      const cells = header.text.split(mark).map(cell => cell.replaceAll('"', ''))
      const parts = cells.length > 1 ? readNames(cells, layout) : []
      return layout.required.every(name => parts.includes(name))
    }),
  )
  if (separator) return `${label} is separated by ${separator[1]}; save it with commas.`
  const lacking = layout.required.filter(name => !isNamed(name))
  const all = layout.required.join(', ')
  if (lacking.length === layout.required.length) {
    const found = text === '' ? '' : `; its first line is ${shown(text)}`
    return `${label} has no header of this format: it must name ${all}${found}.`
  }
  const purpose = layout.purpose ?? `this format needs ${all}`
  return `${label} lacks the column ${lacking.join(', ')}; ${purpose}.`
}
