// Responses of 2 GB are never in memory as a whole.

import { expect, test } from 'vitest'
import { fetchLarge, startLargeMassive, startLargeTerminal } from '../../support/largeFiles.ts'

const BYTES = 2e9
const MEMORY_MB_MAX = 500

test.each([
  ['a packed file of Massive', startLargeMassive],
  ['a table of ThetaData', startLargeTerminal],
])('2 GB as %s are fetched with 500 MB of memory at most', async (_, open) => {
  const large = await open(BYTES)
  try {
    const { bytes, rows, peakMib } = await fetchLarge(large)
    expect(bytes).toBe(large.bytes)
    expect(bytes).toBeGreaterThanOrEqual(BYTES)
    expect(rows).toBeGreaterThan(1e7)
    expect((peakMib * 2 ** 20) / 1e6).toBeLessThanOrEqual(MEMORY_MB_MAX)
  } finally {
    await large.server.close()
  }
})
