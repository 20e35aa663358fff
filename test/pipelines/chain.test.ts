import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readChain } from '../../pipelines/import/chain.ts'
import { openTestDb } from '../support/db.ts'
import { hasSharedData, SHARED_DATA } from '../support/shared.ts'

// The gamma column times open interest, calls above and puts below zero, in dollars per 1 % move:
// -11.00 billion was published for this chain with the spot at 4,697.
test.skipIf(!hasSharedData)("a chain's own gamma adds up to the published net gamma", async () => {
  const db = await openTestDb()
  await readChain(db, join(SHARED_DATA, 'chains/2024-01-07T1052_SPX.csv.gz'))
  const [net] = await db.rows(`
    select
      sum(case option_type when 'C' then 1 else -1 end * gamma * open_interest * 100
        * last * last * 0.01) / 1e9 as billions,
      max(snapshot_at)::varchar as at, count(*) as contracts
    from import.cboe_chain cross join import.snapshot`)
  expect(net).toMatchObject({ at: '2024-01-07 15:52:00', contracts: 21038 })
  expect(net!.billions).toBeCloseTo(-11.0, 2)
})
