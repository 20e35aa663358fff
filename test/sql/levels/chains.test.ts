import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openTestDb } from '../../support/db.ts'
import { hasSharedData, SHARED_DATA } from '../../support/shared.ts'
import { makeTable } from '../../support/surface.ts'

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec'

/** A Cboe chain file: the spot of its second line and two contracts a row. */
function readChain(name: string) {
  const file = join(SHARED_DATA, 'chains', `${name}.csv.gz`)
  const lines = gunzipSync(readFileSync(file)).toString().split(/\r?\n/)
  const spot = Number(/Last: ([\d.]+)/.exec(lines.find(line => line.includes('Last:'))!)![1])
  const header = lines.findIndex(line => line.startsWith('Expiration Date'))
  const rows = lines.slice(header + 1).flatMap(line => {
    const cells = line.split(',')
    const date = /^\w{3} (\w{3}) (\d{2}) (\d{4})$/.exec(cells[0]!)
    if (!date) return []
    const month = String(MONTHS.indexOf(date[1]!) / 3 + 1).padStart(2, '0')
    return [
      ['C', 0],
      ['P', 11],
    ].map(([option_type, offset]) => ({
      expiry: `${date[3]}-${month}-${date[2]}`,
      strike: Number(cells[11]),
      option_type,
      implied_vol: Number(cells[Number(offset) + 7]),
      gamma: Number(cells[Number(offset) + 9]),
      open_interest: Number(cells[Number(offset) + 10]),
    }))
  })
  return { spot, rows }
}

async function findFlip(name: string, yearDays: number) {
  const db = await openTestDb()
  const { spot, rows } = readChain(name)
  const types = {
    expiry: 'date',
    strike: 'double',
    option_type: 'varchar',
    implied_vol: 'double',
    gamma: 'double',
    open_interest: 'double',
  }
  await makeTable(db, 'main.chain', types, rows)
  const [row] = await db.query('views/chain_gamma_flip', {
    spot,
    quoted_on: name.slice(0, 10),
    year_days: yearDays,
  })
  return row!
}

test.skipIf(!hasSharedData).each([
  ['2024-01-07T1052_SPX', 262, 4734.48, -11.0],
  ['2022-07-12T1155_SPX', 252, 3984.25, -17.49],
])(
  'chain %s with %i days a year flips at %f, net %f $bn, as published',
  async (name, days, flip, net) => {
    const row = await findFlip(name, days)
    expect(Math.abs(Number(row.flip) - flip), `${row.flip}`).toBeLessThan(0.05)
    expect(Math.abs(Number(row.net_gamma_busd_per_percent) - net)).toBeLessThan(0.005)
  },
)

test.skipIf(!hasSharedData).each([
  ['2022-06-11T2047_SPX', 4199.3],
  ['2023-05-20T1133_SPX', 4147.6],
  ['2023-05-26T1701_SPX', 4164.6],
  ['2023-06-08T1956_SPX', 4232.4],
  ['2023-09-14T1631_SPX', 4494.3],
])('chain %s flips at %f under the same convention', async (name, flip) => {
  const row = await findFlip(name, 262)
  expect(Math.abs(Number(row.flip) - flip), `${row.flip} of ${row.roots}`).toBeLessThan(0.051)
})

test.skipIf(!hasSharedData)(
  'strikes of a real chain, 200 to 12,000 at 4,697, have 0 faults',
  async () => {
    const { spot, rows } = readChain('2024-01-07T1052_SPX')
    const db = await openTestDb()
    await makeTable(db, 'main.chain', { strike: 'double' }, rows)
    const faults = `select count(strike_fault(strike, $spot::double))::int as near,
    count(strike_fault(1000 * strike, $spot::double))::int as thousandths from main.chain`
    expect(await db.rows(faults, { spot })).toEqual([{ near: 0, thousandths: rows.length }])
  },
)
