// One instant, one number, in every form a vendor may give them.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDb, type TestDb } from '../../support/db.ts'

const SEED = 20261014
const RUNS = { seed: SEED, numRuns: 300 }

let db: TestDb
beforeAll(async () => {
  db = await openTestDb()
})
afterAll(() => db.close())

/** Microseconds between 2000 and 2100, of which a second has any part. */
const instants = fc.bigInt({ min: 946_684_800_000_000n, max: 4_102_444_799_999_999n })
const offsets = fc.integer({ min: -12 * 60, max: 14 * 60 })

const pad = (value: number | bigint, width: number) => String(value).padStart(width, '0')
const split = (micros: bigint) => [micros / 1_000_000n, micros % 1_000_000n] as const

/** ISO text of an instant at an offset in minutes, without its time zone. */
function isoText(micros: bigint, offset: number, [mark, digits]: [string, number]): string {
  const [seconds, part] = split(micros)
  const wall = new Date(Number(seconds) * 1000 + offset * 60_000).toISOString().slice(0, 19)
  const fraction = digits === 0 ? '' : `.${pad(part, 6).padEnd(9, '9').slice(0, digits)}`
  return wall.replace('T', mark) + fraction
}

function timeZoneText(offset: number, form: number): string {
  if (offset === 0 && form < 2) return ['Z', ' UTC'][form]!
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const sign = offset < 0 ? '-' : '+'
  if (minutes === 0 && form === 2) return `${sign}${pad(hours, 2)}`
  return `${sign}${pad(hours, 2)}${form === 3 ? '' : ':'}${pad(minutes, 2)}`
}

const epochTexts = (micros: bigint): [text: string, power: number][] => {
  const [seconds, part] = split(micros)
  return [
    [`${seconds}.${pad(part, 6)}`, 0],
    [`${micros / 1000n}.${pad(part % 1000n, 3)}`, 3],
    [`${micros}`, 6],
    [`${micros}.0`, 6],
    [`${micros}789`, 9],
    [`${micros}000.0`, 9],
  ]
}

const listMicros = async (sql: string, params: Record<string, string | number>) => {
  const [row] = await db.rows(`select epoch_us(${sql})::varchar as micros`, params)
  return row!.micros === null ? null : BigInt(row!.micros as string)
}

test('the same instant at every offset, in every ISO form, is the same microsecond', async () => {
  const forms = fc.record({
    at: instants,
    offset: offsets,
    zone: fc.integer({ min: 0, max: 4 }),
    mark: fc.constantFrom('T', ' '),
    digits: fc.constantFrom(6, 7, 9),
  })
  const property = fc.asyncProperty(forms, async ({ at, offset, zone: range, mark, digits }) => {
    const text = isoText(at, offset, [mark, digits]) + timeZoneText(offset, range)
    expect(await listMicros('utc_instant($text::varchar)', { text }), text).toBe(at)
    expect(await listMicros('stated_instant($text::varchar, 3)', { text }), text).toBe(at)
    // an offset is never taken for wall time
    expect(await listMicros('iso_wall($text::varchar)', { text }), text).toBeNull()
  })
  await fc.assert(property, RUNS)
})

test('ISO text without a time zone is wall time, and no instant by itself', async () => {
  await fc.assert(
    fc.asyncProperty(instants, fc.constantFrom('T', ' '), async (at, mark) => {
      const text = isoText(at, 0, [mark, 6])
      expect(await listMicros('iso_wall($text::varchar)', { text }), text).toBe(at)
      expect(await listMicros('stated_instant($text::varchar, 3)', { text }), text).toBeNull()
    }),
    RUNS,
  )
})

test('digits in the unit of their file are the same microsecond, in another nothing', async () => {
  await fc.assert(
    fc.asyncProperty(instants, async at => {
      for (const [text, power] of epochTexts(at)) {
        const read = await listMicros('epoch_instant($text::varchar, $power)', { text, power })
        expect(read, text).toBe(at)
        const other = { text, power: (power + 3) % 12 }
        expect(await listMicros('epoch_instant($text::varchar, $power)', other), text).toBeNull()
      }
    }),
    { ...RUNS, numRuns: 100 },
  )
})

test('no other text is an instant, and none is an error', async () => {
  const odd = fc.constantFrom(
    '',
    '0',
    '-1',
    '1.76E+18',
    '1e18',
    'nan',
    'infinity',
    'epoch',
    'now',
    '2026-10-14',
    '20261014',
    '10/14/2026 09:30',
    '2026-10-14 9:30',
    '2026-13-01T00:00:00Z',
    '12345678901',
    '2026-10-14T14:00:00+99:00',
    '2026-10-14T14:00:00 EST',
    '99999999999999999999',
    '☎',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(odd, fc.string()),
      fc.constantFrom(0, 3, 6, 9),
      async (text, power) => {
        const params = { text, power }
        const form = 'coalesce(stated_instant($text::varchar, $power), iso_wall($text::varchar))'
        expect(await listMicros(form, params), text).toBeNull()
        expect(await listMicros('utc_instant($text::varchar)', { text }), text).toBeNull()
      },
    ),
    RUNS,
  )
})

test('a whole number is itself with .0 behind it, none with a part or an exponent', async () => {
  const whole = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  await fc.assert(
    fc.asyncProperty(whole, async number => {
      const [row] = await db.rows(
        `select
           list_transform(
             [$n, $n || '.0', $n || '.', $n || '.000'], lambda cell: whole_number(cell)::varchar
           ) as same,
           list_transform(
             [$n || '.5', $n || 'E+2', '1.2E+10', 'nan', 'x' || $n, ''],
             lambda cell: whole_number(cell)
           ) as none,
           whole_ids($n || '.0,7.0,x1.5') as ids`,
        { n: String(number) },
      )
      expect(row!.same).toEqual(Array.from({ length: 4 }, () => String(number)))
      expect(row!.none).toEqual([null, null, null, null, null, null])
      expect(row!.ids).toBe(`${number},7,x1.5`)
    }),
    RUNS,
  )
})

test('the prices of a file are fixed or decimal, whatever one cell looks like', async () => {
  // cents from 0.01 to 99999.99, of which some are whole
  const cents = fc.array(fc.integer({ min: 1, max: 9_999_999 }), { minLength: 1, maxLength: 9 })
  const read = async (cells: readonly string[]) => {
    const rows = await db.rows(
      `with cells as (
         select unnest(from_json($cells, '["varchar"]')) as cell
       )
       select databento_price(cell, (select are_fixed_prices(cell) from cells)) as price
       from cells`,
      { cells: JSON.stringify(cells) },
    )
    return rows.map(row => row.price)
  }
  await fc.assert(
    fc.asyncProperty(cents, async amounts => {
      const prices = amounts.map(amount => amount / 100)
      expect(await read(prices.map(price => price.toFixed(9)))).toEqual(prices)
      expect(await read(prices.map(String))).toEqual(prices)
      const fixed = amounts.map(amount => String(BigInt(amount) * 10_000_000n))
      expect(await read(fixed)).toEqual(prices)
      expect(await read(fixed.map(cell => `${cell}.0`))).toEqual(prices)
    }),
    { ...RUNS, numRuns: 200 },
  )
})
