import { expect, test } from 'vitest'
import { openTestDb } from '../../support/db.ts'

// in canonical order: expiry, root, strike, C before P
const CONTRACTS = [
  ['SPX', '2005-01-21', 1190, 'C'],
  ['SPX', '2026-10-16', 0.5, 'P'],
  ['SPX', '2026-10-16', 5900, 'C'],
  ['SPX', '2026-10-16', 5900, 'P'],
  ['SPX', '2026-10-16', 9_999_999, 'P'],
  ['SPXW', '2026-10-16', 5900, 'C'],
  ['SPXW', '2026-10-16', 5900.000001, 'C'],
  ['SPXPM', '2026-10-16', 5900, 'C'],
  ['SPXQ', '2026-10-16', 5900, 'C'],
  ['SPX', '2026-10-19', 100, 'C'],
  ['SPXW', '2100-12-31', 5900, 'P'],
].map(([root, expiry, strike, option_type]) => ({ root, expiry, strike, option_type }))

test('contracts have distinct numbers, in canonical order, and the number identifies them', async () => {
  const db = await openTestDb()
  const numbered = await db.rows(
    `with numbered as (
       select *, contract_number_of(expiry_order(root, expiry), strike, option_type) as number
       from (select unnest(from_json($contracts, '[{"root":"varchar","expiry":"date",
         "strike":"double","option_type":"varchar"}]'), recursive := true)))
     select root, expiry::varchar as expiry, strike, option_type,
       strike_millionths_of(number) = round(strike * 1000000)
       and option_type_of(number) = option_type
       and expiry_number_of(number) = expiry_order(root, expiry) as is_told,
       lag(number) over (order by number) = number as is_shared
     from numbered order by number`,
    { contracts: JSON.stringify([...CONTRACTS].reverse()) },
  )
  expect(numbered).toEqual(
    CONTRACTS.map((contract, index) => ({
      ...contract,
      is_told: true,
      is_shared: index === 0 ? null : false,
    })),
  )
})
