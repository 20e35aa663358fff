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

type CachedMarket = WantedMarket & { readonly published: string; readonly market: LabMarket }

/**
 * Keeps the market that was read last, until another session is published or a rule asks for later
 * expiries than it has.
 */
export function cacheMarket(read: ReadMarket): (wanted: WantedMarket) => Promise<LabMarket> {
  let cached: CachedMarket | null = null
  return async wanted => {
    const { dataFolder, ...options } = wanted
    const { dteMax, through } = options
    // asked before it is read: what is published meanwhile is seen the next time
    const published = publishedAt(dataFolder)
    const isSame = cached?.published === published && cached.dataFolder === dataFolder
    if (cached && isSame && cached.through === through && cached.dteMax >= dteMax)
      return cached.market
    // one of them is enough memory
    cached = null
    const market = await read(dataFolder, options)
    cached = { ...wanted, published, market }
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
