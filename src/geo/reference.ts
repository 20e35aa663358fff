/** The reference tables of public records: countries and sources. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REFERENCE_FOLDER } from '../core/engine/sql.ts'

export type RecordSource = {
  readonly source: string
  readonly name: string
  readonly url: string | null
  readonly licence: string
  readonly citation: string
}

/** The cells of a table that is part of the product: none of them contains a line break. */
function readRows(file: string): string[][] {
  const text = readFileSync(join(REFERENCE_FOLDER, file), 'utf8')
  const [, ...lines] = text.trimEnd().split('\n')
  return lines.map(line =>
    [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted ?? plain!,
    ),
  )
}

/** Sources whose records may be redistributed. Responses have no others. */
export const SHARED_SOURCES: readonly RecordSource[] = readRows('geo_sources.csv').flatMap(
  ([source, name, url, licence, citation, isShared]) =>
    isShared === 'true'
      ? [{ source: source!, name: name!, url: url || null, licence: licence!, citation: citation! }]
      : [],
)

const shared = new Set(SHARED_SOURCES.map(({ source }) => source))

/** True when records of a source may be redistributed. */
export const isShared = (source: string): boolean => shared.has(source)

/** Names of countries by their ISO 3166 code. */
export const COUNTRIES: ReadonlyMap<string, string> = new Map(
  readRows('countries.csv').map(([, country, name]) => [country!, name!]),
)
