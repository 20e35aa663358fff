/** Paths as the engine takes them: each names one file, whatever its folders are called. */

import { resolve } from 'node:path'
import { Refusal } from '../disk/refusal.ts'

/** Characters that make a pattern of a path. */
const PATTERN = /[*?[]/g

/** A path for a parameter of a query that reads a file. A bare path may be a pattern or a home. */
export function filePath(path: string): string {
  const full = resolve(path)
  if (full.search(PATTERN) < 0) return full
  if (full.includes('\\')) {
    throw new Refusal(
      `${path} has a \\ in its path beside one of * ? [, and such files cannot be read; ` +
        'rename the folder, such as to data.',
    )
  }
  return full.replaceAll(PATTERN, '[$&]')
}

/** Paths for a parameter `$files::varchar[]`. */
export const filePaths = (paths: readonly string[]): string => formatList(paths.map(filePath))

/** A list as DuckDB reads it from text: every item quoted. */
export const formatList = (items: readonly string[]): string =>
  `[${items.map(item => `'${item.replaceAll(/['\\]/g, '\\$&')}'`).join(', ')}]`
