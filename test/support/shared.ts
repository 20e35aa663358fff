import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Real market data that may lie next to the repository; a user's clone has none. */
export const SHARED_DATA = join(import.meta.dirname, '../../../shared/data')

/** False where the folder is absent: such tests report themselves as skipped. */
export const hasSharedData = existsSync(SHARED_DATA)

/** A test vector of `test/vectors`. */
// biome-ignore lint/suspicious/noExplicitAny: every vector file has a shape of its own
export const readVectors = (name: string): any =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../vectors', `${name}.json`), 'utf8'))
