/** Roots of listed contracts, with their product and settlement, from one reference table. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REFERENCE_FOLDER } from './sql.ts'

export type Settlement = 'AM' | 'PM'

type Root = {
  /** The product: SPX, SPXW and SPXPM are all SPX. */
  readonly symbol: string
  readonly root: string
  /** AM: on the opening prices of the expiry date. */
  readonly settlement: Settlement
}

const [, ...lines] = readFileSync(join(REFERENCE_FOLDER, 'roots.csv'), 'utf8').trim().split('\n')

const ROOTS: readonly Root[] = lines.map(line => {
  const [symbol, root, settlement] = line.split(',')
  return { symbol: symbol!, root: root!, settlement: settlement === 'AM' ? 'AM' : 'PM' }
})

/** Every known root of a product. */
export const listRoots = (symbol: string): string[] =>
  ROOTS.filter(one => one.symbol === symbol).map(one => one.root)

/** Returns the settlement of a root; an unlisted one is PM, as for options on shares and funds. */
export const findSettlement = (root: string): Settlement =>
  ROOTS.find(one => one.root === root)?.settlement ?? 'PM'

/**
 * The parameters of `tape.roots`, which the macros of roots read. The roots of a product are
 * numbered from 0 in the order of the table.
 */
export const ROOTS_PARAMS = {
  roots: JSON.stringify(
    ROOTS.map(one => ({ ...one, root_number: listRoots(one.symbol).indexOf(one.root) })),
  ),
} as const
