// Cboe's Open-Close files: the positions they sum to, and the files that are refused.

import { expect, test } from 'vitest'
import { neighbourSession } from '../../../src/core/market/calendar.ts'
import { announceStep } from '../../../src/data/published/lateData.ts'
import {
  findManifest,
  findTree,
  importFiles,
  newFile,
  newFolder,
  tapeRows,
} from '../../support/import.ts'
import {
  type Contract,
  type ContractRow,
  createAccounts,
  dayFile,
  intervalFile,
} from '../../support/openClose.ts'
import { randomNumbers } from '../../support/random.ts'

const FORMAT = 'cboe-open-close'
const DAY = '2026-10-14'
const NEXT = '2026-10-15'

const contract = (strike: number, other: Partial<Contract> = {}): Contract => ({
  root: 'SPXW',
  expiry: '2026-11-20',
  strike,
  optionType: 'C',
  ...other,
})

const POSITIONS = `select root, expiry::varchar as expiry, strike, option_type, quantity,
  guessed_quantity, dealers from tape.dealer_positions order by all`

const importDay = (data: string, day: string, rows: readonly ContractRow[], ...args: string[]) =>
  importFiles(data, ...args, FORMAT, newFile(`C1OpenClose_${day}.csv`, dayFile(day, rows)))

test.each([1, 2])(
  'positions are the sum of all trades since the first file, market %i',
  async seed => {
    const random = randomNumbers(seed)
    const classes = seed % 2 === 0 ? (['mm'] as const) : (['mm', 'bd'] as const)
    const market = createAccounts(seed)
    const sessions = ['2026-10-13', '2026-10-14', '2026-10-15', '2026-10-16', '2026-10-19']
    const all = [
      contract(6000),
      contract(6000, { root: 'SPX' }),
      contract(6000, { optionType: 'P' }),
      contract(6012.5),
      contract(6050, { expiry: '2026-10-15' }),
      contract(6100, { expiry: '2026-10-16' }),
      contract(6105, { expiry: '2026-10-16', optionType: 'P' }),
    ]
    // three were listed long before
    for (const old of all.slice(0, 3)) market.trade(old, 20)
    const expected = new Map<Contract, { start: number; guess: number }>()
    const data = newFolder()
    for (const session of sessions) {
      const rows: ContractRow[] = []
      for (const one of all.filter(({ expiry }) => expiry >= session)) {
        if (random() < 0.3) continue
        const start = market.position(one, classes)
        const last = market.trade(one, 1 + Math.floor(8 * random())).at(-1)!
        rows.push(last)
        const known = expected.get(one) ?? { start, guess: last.openInterest }
        expected.set(one, { ...known, guess: Math.min(known.guess, last.openInterest) })
      }
      const { code, error } = await importDay(data, session, rows, '--dealers', classes.join(','))
      expect([code, error]).toEqual([0, ''])
      const next = neighbourSession(session, 1).date
      const held = [...expected].filter(([{ expiry }]) => expiry >= next)
      const wanted = held.map(([one, { start, guess }]) => ({
        root: one.root,
        expiry: one.expiry,
        strike: one.strike,
        option_type: one.optionType,
        quantity: market.position(one, classes) - start,
        guessed_quantity: guess,
        dealers: classes.join(','),
      }))
      const stored = await tapeRows(data, next, POSITIONS)
      expect(stored).toHaveLength(wanted.length)
      expect(stored).toEqual(expect.arrayContaining(wanted))
    }
  },
)

/** Rows of contracts that nobody held before, each of one trade and more. */
function newRows(seed: number, count: number): ContractRow[] {
  const market = createAccounts(seed)
  return Array.from(
    { length: count },
    (_, index) => market.trade(contract(6000 + 5 * index), 4).at(-1)!,
  )
}

const quantities = async (data: string, day: string) =>
  (await tapeRows(data, day, POSITIONS)).map(row => [row.strike, row.quantity])

test('files of several days add up in any order, and twice is once', async () => {
  const market = createAccounts(7)
  const one = contract(6000)
  const days = ['2026-10-13', '2026-10-14', '2026-10-15'].map(day => {
    const rows = [market.trade(one, 5).at(-1)!]
    return newFile(`C1OpenClose_${day}.csv`, dayFile(day, rows))
  })
  const data = newFolder()
  await importFiles(data, FORMAT, days[2]!, days[0]!)
  // a day is missing: positions begin again after it, and what was held then is a guess
  const [cut] = await tapeRows(data, '2026-10-16', POSITIONS)
  expect(cut!.guessed_quantity).toBeGreaterThan(0)
  const { out } = await importFiles(data, FORMAT, days[1]!)
  expect(out).toContain('positions of mm at the open of 2026-10-16: 1 contract, 0 of them')
  expect(await tapeRows(data, '2026-10-16', POSITIONS)).toEqual([
    expect.objectContaining({ quantity: market.position(one, ['mm']), guessed_quantity: 0 }),
  ])
  const before = findTree(data)
  const again = await importFiles(data, FORMAT, ...days)
  expect(again.code).toBe(0)
  expect(again.out).toMatch(/2026-10-14 +open_close +1 +0 +1 +0 +0 +0$/m)
  expect(findTree(data)).toEqual(before)
})

test('a restated file replaces its day, contract by contract', async () => {
  const data = newFolder()
  const [first, other] = newRows(1, 2)
  const restated = createAccounts(9).trade(first!.contract, 3).at(-1)!
  await importDay(data, DAY, [first!, other!])
  const later = createAccounts(3).trade(contract(7000), 1).at(-1)!
  await importDay(data, NEXT, [later])
  const before = await quantities(data, '2026-10-16')
  await importDay(data, DAY, [restated])
  const change = (row: ContractRow) =>
    row.volumes.mm_buy!.contracts - row.volumes.mm_sell!.contracts
  expect(before).toEqual([
    [6000, change(first!)],
    [6005, change(other!)],
    [7000, change(later)],
  ])
  expect(await quantities(data, '2026-10-16')).toEqual([
    [6000, change(restated)],
    [6005, change(other!)],
    [7000, change(later)],
  ])
  expect(findManifest(data, '2026-10-16').batches).toHaveLength(1)
})

test('files of two exchanges add up, and other classes begin again', async () => {
  const data = newFolder()
  const rows = newRows(4, 1)
  const twice = ['C1', 'EDGX'].map(name => newFile(`${name}_2026-10-14.csv`, dayFile(DAY, rows)))
  await importFiles(data, FORMAT, ...twice)
  const change = rows[0]!.volumes.mm_buy!.contracts - rows[0]!.volumes.mm_sell!.contracts
  expect(await quantities(data, NEXT)).toEqual([[6000, 2 * change]])
  const next = createAccounts(5).trade(contract(6100), 2)
  const { out } = await importDay(data, NEXT, next.slice(-1), '--dealers', 'bd,mm')
  expect(out).toContain('positions of mm,bd at the open of 2026-10-16: 1 contract,')
  expect(out).toContain(`summed from ${NEXT} on`)
  expect((await quantities(data, '2026-10-16')).map(([strike]) => strike)).toEqual([6100])
})

test('flows go on from positions that were imported', async () => {
  const data = newFolder()
  const market = createAccounts(11)
  const one = contract(6000)
  market.trade(one, 9)
  const text = `session_date,root,expiry,strike,option_type,quantity
${DAY},SPXW,2026-11-20,6000,C,${market.position(one, ['mm'])}
`
  await importFiles(data, 'dealer-positions', newFile('positions.csv', text))
  await importDay(data, DAY, market.trade(one, 5).slice(-1))
  expect(await tapeRows(data, NEXT, POSITIONS)).toEqual([
    expect.objectContaining({ quantity: market.position(one, ['mm']), guessed_quantity: 0 }),
  ])
  // and leave those of the next session as they were imported
  const other = newFolder()
  await importFiles(other, 'dealer-positions', newFile('p.csv', text.replace(DAY, NEXT)))
  const { out } = await importDay(other, DAY, newRows(1, 1))
  expect(out).toContain(`positions at the open of ${NEXT} stay as imported (dealer-positions).`)
})

/** Sums of a contract at times of a day, one trade after the other. */
const sumsAt = (rows: readonly ContractRow[], times: readonly string[], day = DAY) =>
  times.map((time, index) => ({ ...rows[index]!, at: `${day} ${time}:00` }))

test('of ten-minute sums the last one of a day counts', async () => {
  const data = newFolder()
  const market = createAccounts(2)
  const [one, two] = [contract(6000), contract(6005)]
  const interest = `session_date,root,expiry,strike,option_type,open_interest
${DAY},SPXW,2026-11-20,5900,C,10
`
  await importFiles(data, 'open-interest', newFile('interest.csv', interest))
  const rows = [
    ...sumsAt(market.trade(one, 3), ['09:40', '12:00', '16:20']),
    ...sumsAt(market.trade(two, 2), ['10:00', '14:00']),
  ]
  const { code, out, error } = await importFiles(data, FORMAT, newFile('i.csv', intervalFile(rows)))
  expect([code, error]).toEqual([0, ''])
  expect(out).toMatch(/2026-10-14 +open_close +5 +2 +0 +0 +3 +0$/m)
  const held = [one, two].map(each => [each.strike, market.position(each, ['mm'])])
  expect(await quantities(data, NEXT)).toEqual(held)
  // the whole day goes before its sums, which change nothing then
  const day = rows.slice(2, 3).map(row => ({ ...row, openInterest: 0 }))
  await importDay(data, DAY, day)
  const again = await importFiles(data, FORMAT, newFile('again.csv', intervalFile(rows)))
  expect(again.out).toMatch(/2026-10-14 +open_close +5 +0 +2 +0 +3 +0$/m)
})

test('without open interest nobody knows whether a contract was held before', async () => {
  const data = newFolder()
  const rows = sumsAt(createAccounts(2).trade(contract(6000), 1), ['16:20'])
  const { code, out } = await importFiles(data, FORMAT, newFile('i.csv', intervalFile(rows)))
  expect(code).toBe(0)
  expect(out).toContain('no positions of mm at the open of 2026-10-15 of 1 contract: whether')
  expect(findManifest(data, 'open_close-2026-10-14').batches).toHaveLength(1)
})

test('a contract whose open interest its opens and closes do not explain begins again', async () => {
  const data = newFolder()
  const market = createAccounts(21)
  const all = [contract(6000), contract(6005), contract(6010)]
  const row = (one: Contract) => market.trade(one, 6).at(-1)!
  await importDay(data, DAY, all.map(row))
  const second = all.map(row).map((one, index) => ({
    ...one,
    openInterest: one.openInterest + (index === 1 ? 100_000 : 0),
  }))
  const { out } = await importDay(data, NEXT, second)
  expect(out).toContain(`1 contract summed from ${NEXT} on: open interest of SPXW`)
  const stored = await tapeRows(data, '2026-10-16', POSITIONS)
  expect(stored.map(({ guessed_quantity }) => guessed_quantity)).toEqual([
    0,
    second[1]!.openInterest,
    0,
  ])
  const change = (one: ContractRow) =>
    one.volumes.mm_buy!.contracts - one.volumes.mm_sell!.contracts
  expect(stored.map(({ quantity }) => quantity)).toEqual([
    market.position(all[0]!, ['mm']),
    change(second[1]!),
    market.position(all[2]!, ['mm']),
  ])
})

/** The text with one more contract in a cell of a row; rows count from 1. */
function changed(text: string, row: number, column: string, value: (cell: string) => string) {
  const lines = text.split('\n').map(line => line.split(','))
  const index = lines[0]!.indexOf(column)
  lines[row]![index] = value(lines[row]![index]!)
  return lines.map(line => line.join(',')).join('\n')
}

test('one odd contract is rejected with its reason, and has no position', async () => {
  const data = newFolder()
  const rows = newRows(1, 120)
  const text = changed(dayFile(DAY, rows), 5, 'mm_buy_vol', cell => String(Number(cell) + 7))
  const { code, out } = await importFiles(data, FORMAT, newFile('day.csv', text))
  expect(code).toBe(0)
  expect(out).toMatch(/2026-10-14 +open_close +120 +119 +0 +1 +0 +0$/m)
  expect(out).toContain('no positions of mm at the open of 2026-10-15 of 1 contract: their rows')
  expect((await quantities(data, NEXT)).map(([strike]) => strike)).not.toContain(6020)
  const rejects = Object.keys(findTree(data)!).filter(name => name.startsWith('rejects/'))
  expect(rejects).toHaveLength(1)
  // it is held from the next day on, and what it was before stays a guess
  const market = createAccounts(8)
  const again = market.trade(contract(6020), 3).at(-1)!
  await importDay(data, NEXT, [{ ...again, openInterest: 50 }])
  const stored = await tapeRows(data, '2026-10-16', POSITIONS)
  expect(stored.find(({ strike }) => strike === 6020)).toMatchObject({ guessed_quantity: 50 })
})

const DAY_TEXT = dayFile(DAY, newRows(1, 3))

test.each([
  [
    'columns of trades alone',
    DAY_TEXT.replaceAll('_vol', '_qty').replaceAll(/\b(\w+_qty),\1/g, '$1,note'),
    'counts trades (mm_buy_qty), not contracts; import the file that has contracts, such as mm_buy_vol.',
  ],
  [
    'all classes but professional customers',
    DAY_TEXT.replaceAll('procust_', 'other_'),
    /lacks the column procust_lt_100_open_buy_vol, .*; this format needs the volumes \(_vol\) of every class/,
  ],
  [
    'numbers of trades in the columns of contracts',
    dayFile(DAY, newRows(1, 3), { areTrades: true, hasQuantities: false }),
    /counts trades as contracts in 3 of 3 rows, and the limit is 1 %: line 2: all classes bought 4 contracts of \d+ traded; the columns _vol must hold contracts, not trades, such as \d+\.$/,
  ],
  [
    'the two kinds of columns mixed up',
    dayFile(DAY, newRows(1, 3), { isBare: true })
      .replaceAll('_qty', '_x')
      .replaceAll('_vol', '_qty')
      .replaceAll('_x', '_vol'),
    /counts trades as contracts in 3 of 3 rows, and the limit is 1 %: line 2: the columns _vol sum to 8 contracts in \d+ trades; /,
  ],
  [
    'classes that do not sum to zero',
    changed(DAY_TEXT, 1, 'mm_sell_vol', cell => String(Number(cell) + 5)),
    /has classes that do not sum to zero in 1 of 3 rows, and the limit is 1 %: line 2: all classes bought \d+ contracts and sold \d+; every contract is bought and sold once, such as 120 and 120\.$/,
  ],
  [
    'a cell that is no number',
    changed(DAY_TEXT, 2, 'bd_open_buy_vol', () => 'many'),
    'line 3: bd_open_buy_vol is many; give whole contracts such as 120.',
  ],
  [
    'a cell that is empty',
    changed(DAY_TEXT, 2, 'mm_buy_vol', () => ''),
    'line 3: mm_buy_vol is missing; give whole contracts such as 120.',
  ],
  [
    'a day that is none',
    changed(DAY_TEXT, 2, 'quote_date', () => 'today'),
    'line 3: quote_date is today; give a day such as 2026-10-14.',
  ],
  [
    'a Saturday',
    DAY_TEXT.replaceAll(DAY, '2026-10-17'),
    'line 2: quote_date is 2026-10-17, which is no trading session',
  ],
  [
    'two rows of a contract that differ',
    `${DAY_TEXT}${dayFile(DAY, newRows(2, 1)).split('\n')[1]}\n`,
    'has other volumes than another row of SPXW 2026-11-20 6000 C; give one row a contract',
  ],
  [
    'increments of ten minutes',
    intervalFile(
      sumsAt([...newRows(1, 1), ...createAccounts(1).trade(contract(6000), 1)], ['12:00', '16:20']),
    ),
    /is not cumulative: SPXW 2026-11-20 6000 C has \d+ contracts traded at 12:00 and \d+ at 16:20 of 2026-10-14; rows of ten minutes must hold the sums of the day so far, such as \d+ and \d+\.$/,
  ],
  [
    'sums that end at noon',
    intervalFile(sumsAt(newRows(1, 1), ['12:00'])),
    'ends at 12:00 ET of 2026-10-14, before the close; import the last file of the day, such as that of 16:20, or the one of the whole day.',
  ],
])('%s: refused in a sentence', async (_, text, sentence) => {
  const data = newFolder()
  const file = newFile('open-close.csv', text)
  const { code, error } = await importFiles(data, FORMAT, file)
  expect(code).toBe(1)
  expect(error).toMatch(sentence)
  expect(error.startsWith(file)).toBe(true)
  expect(findTree(data)).toEqual({})
})

test('dealers are classes of the file, and of no other format', async () => {
  const file = newFile('day.csv', DAY_TEXT)
  const refused = await importFiles(newFolder(), '--dealers', 'mm,cust', FORMAT, file)
  expect([refused.code, refused.error]).toEqual([
    2,
    '--dealers is mm,cust; name classes of mm, firm, bd with commas between, such as mm,bd.',
  ])
  const other = await importFiles(newFolder(), '--dealers', 'mm', 'prints', file)
  expect([other.code, other.error]).toEqual([
    2,
    '--dealers is of cboe-open-close; prints has no classes.',
  ])
})

test('positions that come while their session is published are known from then on', async () => {
  const data = newFolder()
  const [first, other] = newRows(1, 2)
  announceStep(data, NEXT, Date.parse('2026-10-15T14:00:00Z'))
  await importDay(data, DAY, [first!])
  const known = 'select known_at, quantity from tape.dealer_positions'
  const before = await tapeRows(data, NEXT, known)
  expect(before).toEqual([expect.objectContaining({ known_at: '2026-10-15 14:00:00' })])
  // minutes that are published have read them
  const { out } = await importDay(data, DAY, [{ ...other!, contract: first!.contract }])
  expect(out).toContain(`positions at the open of ${NEXT} stay as they were`)
  expect(await tapeRows(data, NEXT, known)).toEqual(before)
})

test('simulated flows are not mixed with a real tape of the next session', async () => {
  const data = newFolder()
  const text = `session_date,root,expiry,strike,option_type,open_interest
${NEXT},SPXW,2026-11-20,6000,C,10
`
  await importFiles(data, 'open-interest', newFile('interest.csv', text))
  const file = newFile('day.csv', DAY_TEXT)
  const { code, error } = await importFiles(data, '--simulated', FORMAT, file)
  expect(code).toBe(1)
  expect(error).toContain('has simulated data of 2026-10-15, but the tape of that session is real')
})
