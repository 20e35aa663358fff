import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPreset, DEFAULT_OPTIONS, parseOptions } from '../../../pipelines/simulate/options.ts'
import { SIMULATE } from '../../../pipelines/simulate/rows.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { readInput } from '../../../src/core/commandRow.ts'
import { TAPE_DATASETS } from '../../../src/data/dictionary/datasets.ts'
import { isLater } from '../../../src/data/tape/manifest.ts'
import { type SimulatedFolder, simulateSmall } from '../../support/simulated.ts'

const hashes = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map(name => {
      const bytes = readFileSync(join(folder, name))
      return `${name} ${createHash('sha256').update(bytes).digest('hex')}`
    })

// it has no futures and no official settlement: a session is built all the same without
const SIMULATED = TAPE_DATASETS.filter(({ name }) => !isLater(name))

describe('one session', () => {
  let small: SimulatedFolder
  beforeAll(async () => {
    small = await simulateSmall({ hasQuotes: true })
  })
  afterAll(() => small.remove())

  test.each(SIMULATED)('$name has exactly the columns of the dictionary', async dataset => {
    const columns = await small.rows(`describe select * from {${dataset.name}}`)
    const wanted = dataset.columns.map(({ name, type }) => `${name} ${type.toUpperCase()}`)
    expect(columns.map(row => `${row.column_name} ${row.column_type}`)).toEqual(wanted)
  })

  test.each(SIMULATED)('$name keeps its grain and its nulls', async ({ name, ...dataset }) => {
    const [row] = await small.rows(
      `select count(*) as n, count(distinct (${dataset.grain})) as distinct_n from {${name}}`,
    )
    expect(row!.n).toBeGreaterThan(0)
    expect(row!.distinct_n).toBe(row!.n)
    for (const column of dataset.columns.filter(one => !one.isNullable)) {
      const [nulls] = await small.rows(
        `select count(*) as n from {${name}} where ${column.name} is null`,
      )
      expect(nulls, column.name).toEqual({ n: 0 })
    }
  })

  test('one thread and two write the same bytes', async () => {
    const again = await simulateSmall({ hasQuotes: true, threads: 1 })
    expect(hashes(again.folder)).toEqual(hashes(small.folder))
    again.remove()
  })

  test('another seed is another session', async () => {
    const other = await simulateSmall({ hasQuotes: true, seed: 2 })
    const mine = hashes(small.folder)
    const same = hashes(other.folder).filter(hash => mine.includes(hash))
    // only the yield curve is the same every day
    expect(same.map(hash => hash.split(' ')[0])).toEqual(['rates.parquet'])
    other.remove()
  })

  test('quotes are uncrossed, on the tick grid, and before their minute', async () => {
    const bad = await small.rows(`
      select * from {quotes}
      where best_ask is null or best_bid >= best_ask or quoted_at >= minute_at
        or minute_at - quoted_at > interval 5 seconds
        or (best_bid is null) <> (bid_size is null)
        or abs(best_ask * 20 - round(best_ask * 20)) > 1e-9
        or (best_ask > 3 and abs(best_ask * 10 - round(best_ask * 10)) > 1e-9)
        or abs(best_bid * 20 - round(best_bid * 20)) > 1e-9
        or (best_bid >= 3 and abs(best_bid * 10 - round(best_bid * 10)) > 1e-9)
      limit 3`)
    expect(bad).toEqual([])
  })

  test('a contract is quoted at each of 405 minutes, and none after it expired', async () => {
    const [row] = await small.rows(`
      select
        count(distinct minute_at) as minutes,
        count(distinct (root, expiry, strike, option_type)) as contracts,
        count(*) filter (where expiry = session_date and minute_at > '2026-10-15 20:00') as dead,
        count(*) filter (where expiry > session_date)
          / count(distinct (root, expiry, strike, option_type)) filter (where expiry > session_date)
          as minutes_a_contract
      from {quotes}`)
    expect(row).toMatchObject({ minutes: 405, dead: 0, minutes_a_contract: 405 })
    expect(row!.contracts).toBeGreaterThan(1300)
  })

  test('a third Friday lists the AM root next to the PM root', async () => {
    const roots = await small.rows(
      `select distinct root from {open_interest} where expiry = '2026-10-16' order by root`,
    )
    expect(roots).toEqual([{ root: 'SPX' }, { root: 'SPXW' }])
  })

  test('parity holds: the forward from each near pair lies within its quotes', async () => {
    const [row] = await small.rows(`
      select
        count(*) as n,
        max(greatest(
          (c.best_bid - p.best_ask) / s.discount + c.strike - s.forward,
          s.forward - c.strike - (c.best_ask - p.best_bid) / s.discount
        )) as worst
      from {quotes} as c
      inner join {quotes} as p using (minute_at, root, expiry, strike)
      inner join {truth_surface} as s using (minute_at, root, expiry)
      where c.option_type = 'C' and p.option_type = 'P' and abs(c.strike - s.forward) < 60`)
    // quotes of one pair are up to a second apart, in which the index moves
    expect(row!.n).toBeGreaterThan(10_000)
    expect(row!.worst).toBeLessThan(12)
  })

  test('dealers hold no more than is open', async () => {
    const bad = await small.rows(
      'select * from {truth_book} where abs(open_quantity) > open_interest or open_interest < 0',
    )
    expect(bad).toEqual([])
    const [moved] = await small.rows(
      'select count(*) as n from {dealer_positions} where quantity <> 0',
    )
    expect(moved!.n).toBeGreaterThan(100)
  })

  test('simulation.json says that the session is simulated', () => {
    const note = JSON.parse(readFileSync(join(small.folder, 'simulation.json'), 'utf8'))
    expect(note).toMatchObject({ simulated: true, seed: 1, date: '2026-10-15', tape: 'calm' })
  })
})

test('a half day ends at 13:15 and its PM contracts at 13:00', async () => {
  const half = await simulateSmall({ date: '2026-11-27', hasQuotes: true, contracts: 400 })
  const [row] = await half.rows(`
    select count(distinct minute_at) as minutes, max(minute_at)::varchar as last,
      max(minute_at) filter (where expiry = session_date)::varchar as last_alive
    from {quotes}`)
  expect(row).toEqual({
    minutes: 225,
    last: '2026-11-27 18:14:00',
    last_alive: '2026-11-27 18:00:00',
  })
  half.remove()
})

test('a folder that holds files is refused and left as it is', async () => {
  const out = join(mkdtempSync(join(tmpdir(), 'tapefold-simulate-')), 'full')
  mkdirSync(out)
  writeFileSync(join(out, 'mine.txt'), 'mine')
  const run = runSimulate({ ...DEFAULT_OPTIONS, prints: 200, contracts: 200, out })
  await expect(run).rejects.toThrow('--out must name a new or empty folder')
  expect(readdirSync(out)).toEqual(['mine.txt'])
})

const parsed = (...args: string[]) => parseOptions(readInput(SIMULATE, args))

test.each([
  [
    ['--day', '2026-10-17'],
    '--day must be a trading day such as 2026-10-15; 2026-10-17 is not one.',
  ],
  [['--day', '15 Oct'], '--day must be a date such as 2026-10-15, not 15 Oct.'],
])('%j is refused in one sentence', (args, message) => {
  expect(() => parsed(...args)).toThrow(message)
})

test('a tape has the rate of its kind, or the requested one', () => {
  expect(buildPreset(parsed())).toMatchObject({ legPrintsPerSecond: 16, burstShare: 0.4 })
  const requested = parsed('--tape', 'noisy', '--pace', '58')
  expect(buildPreset(requested)).toMatchObject({ legPrintsPerSecond: 58, lateLegShare: 0.15 })
})
