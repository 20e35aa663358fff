import { statSync } from 'node:fs'
import { join } from 'node:path'
import { damagesMet } from '../market/blocks.ts'
import type { LabMarket } from '../market/session.ts'
import type { WantedMarket } from './engine.ts'

/** Reads a market from its files. */
export type ReadMarket = (
  dataFolder: string,
  options: Omit<WantedMarket, 'dataFolder'>,
) => Promise<LabMarket>

type Kept = WantedMarket & { readonly published: string; readonly market: LabMarket }

/**
 * Keeps the market that was read last, until another session is published or a rule asks for later
 * expiries than it has.
 */
export function keepMarket(read: ReadMarket): (wanted: WantedMarket) => Promise<LabMarket> {
  let kept: Kept | null = null
  return async wanted => {
    const { dataFolder, ...options } = wanted
    const { dteMax, through } = options
    // asked before it is read: what is published meanwhile is seen the next time
    const published = publishedAt(dataFolder)
    const isSame = kept?.published === published && kept.dataFolder === dataFolder
    if (kept && isSame && kept.through === through && kept.dteMax >= dteMax) return kept.market
    // one of them is enough memory
    kept = null
    const market = await read(dataFolder, options)
    kept = { ...wanted, published, market }
    return market
  }
}

/**
 * Changes whenever a manifest is put in place or taken away, which is a rename in its folder, and
 * when a file that a market reads from was damaged.
 */
function publishedAt(dataFolder: string): string {
  const folder = join(dataFolder, 'published', 'manifests')
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false })
  return `${stats?.mtimeNs} ${damagesMet()}`
}
