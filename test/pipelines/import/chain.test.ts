import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readChain } from '../../../pipelines/import/chain.ts'
import { openTestDb, table } from '../../support/db.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'
import { hasSharedData, SHARED_DATA } from '../../support/shared.ts'

const CHAIN_HEADER =
  'Expiration Date,Calls,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest,Strike,' +
  'Puts,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest'

const chain = (date: string, expiry = '261016') =>
  [
    '',
    'S&P 500 INDEX,Last: 6001.25,Change:  1.0',
    `${date},Bid: 1,Ask: 2,Size: 1*1,Volume: 0`,
    CHAIN_HEADER,
    `Fri,SPXW${expiry}C06000000,1,0,9.5,9.7,1,0.1,0.5,0.001,40,6000.00,` +
      `SPXW${expiry}P06000000,1,0,0,0.05,1,0.1,0.5,0.001,50`,
  ].join('\n')

const CHAIN = `
  select q.session_date::varchar as day, minute_at::varchar as minute_at,
    quoted_at::varchar as quoted_at, option_type, best_bid, best_ask, spot
  from tape.quotes as q cross join tape.spots order by option_type`

test('a chain taken within a session stands at the end of its minute', async () => {
  const data = newFolder()
  const file = newFile('chain.csv', chain('"Date: October 14, 2026 at 11:55 AM EDT"'))
  expect((await importFiles(data, 'cboe-chain', file)).code).toBe(0)
  expect(await tapeRows(data, '2026-10-14', CHAIN)).toEqual(
    table(`
    day         minute_at            quoted_at            option_type  best_bid  best_ask  spot
    2026-10-14  2026-10-14 15:56:00  2026-10-14 15:55:00  C            9.5       9.7       6001.25
    2026-10-14  2026-10-14 15:56:00  2026-10-14 15:55:00  P            0         0.05      6001.25
  `),
  )
  const interest = 'select option_type, open_interest from tape.open_interest order by 1'
  expect(await tapeRows(data, '2026-10-14', interest)).toEqual(
    table(`
    option_type  open_interest
    C            40
    P            50
  `),
  )
})

test.each([
  ['"Date: October 10, 2026, 8:47 PM EDT"', '2026-10-12', '2026-10-12', '2026-10-11 00:47:00'],
  ['Date: 14 October 2026, 22:53 UTC−4', '2026-10-15', '2026-10-14', '2026-10-15 02:53:00'],
  ['Date: 15 October 2026 5:01 AM EDT', '2026-10-15', '2026-10-14', '2026-10-15 09:01:00'],
  ['Date: 15 October 2026, 9:29 AM EDT', '2026-10-15', '2026-10-15', '2026-10-15 13:29:00'],
  ['"Date: November 26, 2026 at 10:52 AM EST"', '2026-11-27', '2026-11-27', '2026-11-26 15:52:00'],
])('a chain of %s belongs to %s, its open interest to %s', async (date, day, morning, at) => {
  const data = newFolder()
  const file = newFile('chain.csv', chain(date, '261218'))
  expect((await importFiles(data, 'cboe-chain', file)).code).toBe(0)
  const [quote] = await tapeRows(data, day, CHAIN)
  const opens = day > '2026-11-01' ? '14:30:00' : '13:30:00'
  expect(quote).toMatchObject({ quoted_at: at, minute_at: `${day} ${opens}` })
  const [interest] = await tapeRows(data, morning, 'select count(*) as n from tape.open_interest')
  expect(interest).toEqual({ n: 2 })
})

test('contracts of a chain that have expired are skipped, not rejected', async () => {
  const file = newFile('chain.csv', chain('Date: 16 October 2026 7:56 PM EDT', '261016'))
  const outcome = await importFiles(newFolder(), 'cboe-chain', file)
  expect(outcome.out).toMatch(/2026-10-19 +quotes +2 +0 +0 +0 +2/)
  expect(outcome.out).toMatch(/2026-10-16 +open_interest +2 +2 +0 +0 +0/)
})

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
