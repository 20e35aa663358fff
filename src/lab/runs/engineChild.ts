/**
 * Child process that computes runs, seconds of work that would block a server. It caches the market
 * in memory and exits with the server.
 */

import { readMarket } from '../market/readMarket.ts'
import { computeRun, variantRows } from '../verdict/computeRun.ts'
import { cacheMarket } from './markets.ts'
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
