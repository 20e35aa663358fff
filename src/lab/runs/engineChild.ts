/**
 * Child process that computes runs, seconds of work that would block a server. It caches the market
 * in memory and exits with the server.
 */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { damagesMet } from '../market/blocks.ts'
import { readMarket } from '../market/readMarket.ts'
import type { LabMarket } from '../market/session.ts'
import { computeRun, variantRows } from '../verdict/computeRun.ts'
import type { WantedMarket } from './engine.ts'
import { serveTasks } from './serveTasks.ts'

if (process.send) {
  serveTasks(
    {
      readMarket: cacheMarket(readMarket),
      variantRows,
      computeRun: (market, request, rows, onProgress) =>
        computeRun(market, request, onProgress, rows ?? undefined),
    },
    process.argv[2]!,
  )
}

/** Reads a market from its files. */
type ReadMarket = (
  dataFolder: string,
  options: Omit<WantedMarket, 'dataFolder'>,
) => Promise<LabMarket>

type CachedMarket = WantedMarket & { readonly published: string; readonly market: LabMarket }

/**
 * Caches the last market read, until another session is published or a rule needs later expiries.
 */
export function cacheMarket(read: ReadMarket): (wanted: WantedMarket) => Promise<LabMarket> {
  let cached: CachedMarket | null = null
  return async wanted => {
    const { dataFolder, ...options } = wanted
    const { dteMax, through } = options
    // taken before reading: data published meanwhile is picked up next time
    const published = publishedAt(dataFolder)
    const isSame = cached?.published === published && cached.dataFolder === dataFolder
    if (cached && isSame && cached.through === through && cached.dteMax >= dteMax)
      return cached.market
    // frees the old market first: two would take too much memory
    cached = null
    const market = await read(dataFolder, options)
    cached = { ...wanted, published, market }
    return market
  }
}

/**
 * Changes whenever a manifest is renamed into its folder or removed, and when a file that a market
 * reads from was damaged.
 */
function publishedAt(dataFolder: string): string {
  const folder = join(dataFolder, 'published', 'manifests')
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false })
  return `${stats?.mtimeNs} ${damagesMet()}`
}
