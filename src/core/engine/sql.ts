import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Value = string | number | boolean | null | readonly Value[]
export type Params = Readonly<Record<string, Value>>

/** Folder of the SQL files, next to `src`. */
export const SQL_FOLDER = join(import.meta.dirname, '../../../sql')

/** Folder of the tables that come with the product. */
export const REFERENCE_FOLDER = join(import.meta.dirname, '../../../data/reference')

const texts = new Map<string, string>()

/** The text of `sql/<path>.sql`, read once a process. */
export function readSql(path: string): string {
  const known = texts.get(path)
  if (known !== undefined) return known
  const text = readFileSync(join(SQL_FOLDER, `${path}.sql`), 'utf8')
  texts.set(path, text)
  return text
}

/** Selects the parameters that a file's header declares: DuckDB refuses the others. */
export function declaredParams(text: string, params: Params = {}): Params {
  const declared = /^-- param: (.+)$/m.exec(text)?.[1]?.split(', ') ?? []
  return Object.fromEntries(
    declared.map(name => {
      if (!(name in params)) throw new Error(`sql parameter $${name} was not given`)
      return [name, params[name]!]
    }),
  )
}

/** Lists the tables that a file's header declares as read, without files. */
export function declaredReads(text: string): readonly string[] {
  const declared = /^-- reads: (.+)$/m.exec(text)?.[1]?.split(', ') ?? []
  return declared.filter(item => !item.startsWith('the files of '))
}

/** True when a header declares a view: its rows are read once, and not stored. */
export const isView = (text: string): boolean => /^-- kind: view$/m.test(text)
