// Responses of 2 GB are never in memory as a whole; a fifth of that but in `npm run chaos`.

import { expect, test } from 'vitest'
import { isChaos } from '../../support/chaos.ts'
import { fetchLarge, startLargeMassive, startLargeTerminal } from '../../support/largeFiles.ts'

const BYTES = isChaos ? 2e9 : 4e8
const MEMORY_MB_MAX = 500

test.each([
  ['a packed file of Massive', startLargeMassive],
  ['a table of ThetaData', startLargeTerminal],
])('a large response as %s is fetched with 500 MB of memory at most', async (_, open) => {
  const large = await open(BYTES)
  try {
    const { bytes, rows, peakMib } = await fetchLarge(large)
    expect(bytes).toBe(large.bytes)
    expect(bytes).toBeGreaterThanOrEqual(BYTES)
    expect(rows).toBeGreaterThan(BYTES / 200)
    expect((peakMib * 2 ** 20) / 1e6).toBeLessThanOrEqual(MEMORY_MB_MAX)
  } finally {
    await large.server.close()
  }
})
