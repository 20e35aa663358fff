import { expect, test } from 'vitest'
import { createRandom } from '../../../pipelines/simulate/random.ts'
import { after, reuseFoldDb } from '../../support/fold.ts'
import { runs } from '../../support/runs.ts'

type Message = {
  sequence: number
  /** Where it is not given: its sequence. */
  printedUs?: number
  knownUs: number
  condition: string
  tradeId: string | null
  vendorSequence?: number
  strike?: number
  size?: number
}

const isCancel = ({ condition }: Message) => 'ACEGO'.includes(condition)

test('a cancel keeps what it took, whatever comes in after it', async () => {
  const messages = [
    message({ sequence: 1 }),
    // printed before the cancel, and known half an hour after it
    message({ sequence: 2, knownUs: 1_800_000_000 }),
    message({ sequence: 3, knownUs: 300_000_000, condition: 'A' }),
  ]
  expect(await listMatches(messages)).toEqual([[3, 1]])
})

test('a cancel that is known before its print waits for it', async () => {
  const cancel = message({ sequence: 2, knownUs: 5, condition: 'C' })
  expect(await listMatches([message({ sequence: 1, knownUs: 9 }), cancel])).toEqual([[2, 1]])
  // what printed after the cancel is no print of before it
  expect(await listMatches([cancel, message({ sequence: 3, knownUs: 9 })])).toEqual([])
  expect(await listMatches([cancel, message({ sequence: 3, knownUs: 4 })])).toEqual([])
})

test('a cancel takes the print of its identifier, and where none is known the latest', async () => {
  const prints = [1, 2, 3].map(sequence => message({ sequence, tradeId: `${sequence}0` }))
  const named = message({ sequence: 4, knownUs: 4, condition: 'A', tradeId: '10' })
  expect(await listMatches([...prints, named])).toEqual([[4, 1]])
  expect(await listMatches([...prints, { ...named, tradeId: '77' }])).toEqual([[4, 3]])
  expect(await listMatches([...prints, { ...named, tradeId: '0' }])).toEqual([[4, 3]])
})

test.each([
  ['its print has the greater number, as over the end of 32 bits', 2_147_483_500, -2_147_482_000],
  ['its print has a number of ours', 5_012_640_000_000_000, 812],
  ['its print came over a higher channel', 3 * 2 ** 26 + 5, 9],
  ['its print has the smaller number', 5, 9],
])('a cancel takes what printed before it: %s', async (_, printed, cancelled) => {
  const print = at(10, { sequence: printed })
  const cancel = at(20, { sequence: cancelled, condition: 'A' })
  expect(await listMatches([print, cancel])).toEqual([[cancelled, printed]])
  // nor does one that printed before the print take it, whatever the numbers
  expect(await listMatches([at(20, { sequence: printed }), { ...cancel, ...times(10) }])).toEqual(
    [],
  )
})

test('of equal prints a cancel takes the latest by time, E the earliest', async () => {
  const prints = [at(10, { sequence: 8 }), at(11, { sequence: -3 }), at(12, { sequence: 5 })]
  const cancel = (condition: string) => at(20, { sequence: 6, condition })
  for (const condition of [...'ACG']) {
    expect(await listMatches([...prints, cancel(condition)])).toEqual([[6, 5]])
  }
  expect(await listMatches([...prints, cancel('E')])).toEqual([[6, 8]])
  const later = at(21, { sequence: 2, condition: 'A' })
  const last = at(22, { sequence: 1, condition: 'A' })
  const pairs = [
    [1, 8],
    [2, -3],
    [6, 5],
  ]
  expect(await listMatches([...prints, cancel('A'), later, last])).toEqual(pairs)
})

test('a cancel of the instant of its print takes it, of several the one of the greatest number', async () => {
  const cancel = at(10, { sequence: 1, condition: 'A' })
  expect(await listMatches([at(10, { sequence: 2 }), cancel])).toEqual([[1, 2]])
  const twins = [at(10, { sequence: 4 }), at(10, { sequence: 3 }), at(9, { sequence: 7 })]
  expect(await listMatches([...twins, cancel])).toEqual([[1, 4]])
  expect(await listMatches([...twins, { ...cancel, condition: 'E' }])).toEqual([[1, 7]])
})

test('cancels choose in the order of time, not of their numbers', async () => {
  const prints = [at(10, { sequence: 1 }), at(20, { sequence: 2 })]
  const opening = at(30, { sequence: 9, condition: 'E' })
  const closing = at(40, { sequence: 8, condition: 'E' })
  expect(await listMatches([...prints, closing, opening])).toEqual([
    [8, 2],
    [9, 1],
  ])
})

test('a cancel that has the number of its trade again takes that trade', async () => {
  const prints = [10, 11, 12].map(us => at(us, { sequence: us, vendorSequence: 7_000 + us }))
  const cancel = at(20, { sequence: 5, vendorSequence: 7_011, condition: 'A' })
  expect(await listMatches([...prints, cancel])).toEqual([[5, 11]])
  expect(await listMatches([...prints, { ...cancel, vendorSequence: 7_099 }])).toEqual([[5, 12]])
  // the identifier of the trade says more than its number
  const [first, ...others] = prints
  const named = [{ ...first!, tradeId: '4711' }, ...others, { ...cancel, tradeId: '4711' }]
  expect(await listMatches(named)).toEqual([[5, 10]])
  // a number says nothing of another contract, nor of another size
  const elsewhere = prints.map((print, index) =>
    index === 1 ? { ...print, strike: 6_005 } : index === 2 ? { ...print, size: 2 } : print,
  )
  expect(await listMatches([...elsewhere, cancel])).toEqual([[5, 10]])
})

test('of prints that come in at once a waiting cancel takes the one it names', async () => {
  const prints = [10, 11, 12].map(us =>
    at(us, { sequence: us, vendorSequence: 7_000 + us, knownUs: 50 }),
  )
  const cancel = at(20, { sequence: 5, vendorSequence: 7_012, condition: 'A' })
  expect(await listMatches([...prints, cancel])).toEqual([[5, 12]])
  expect(await listMatches([...prints, { ...cancel, vendorSequence: 1 }])).toEqual([[5, 10]])
})

test('hundreds of equal prints are taken off by hundreds of cancels', async () => {
  const count = 600
  const messages = Array.from({ length: 2 * count }, (_, index) =>
    message({ sequence: index + 1, knownUs: index, condition: index < count ? 'I' : 'A' }),
  )
  const pairs = messages.slice(count).map(({ sequence }) => [sequence, 2 * count + 1 - sequence])
  expect(await listMatches(messages)).toEqual(pairs)
})

test('at every instant the matches are those of the whole tape', async () => {
  const random = createRandom(7, 'cancels')
  for (let round = 0; round < runs(12, 4); round++) {
    const numbers = createRandom(round, 'numbers')
    const messages = Array.from({ length: 30 }, (_, index) =>
      message({
        // numbers of no order in every other round
        sequence: round % 2 === 0 ? index + 1 : numbers.integer(-1_000, 1_000) * 100 + index,
        printedUs: index + 1,
        knownUs: index * 10 + (random.chance(0.5) ? 0 : random.integer(0, 200)),
        condition: random.chance(0.6) ? 'I' : random.pick([...'ACEGO']),
        tradeId: random.chance(0.5) ? null : String(random.integer(1, 8)),
      }),
    )
    const whole = await listMatches(messages)
    expect(whole.length).toBeGreaterThan(3)
    expect(whole).toEqual(matchOneByOne(messages))
    const cut = random.integer(10, 290)
    const known = new Set(messages.filter(m => m.knownUs < cut).map(m => m.sequence))
    const before = whole.filter(pair => pair.every(sequence => known.has(sequence)))
    expect(await listMatches(messages.filter(m => known.has(m.sequence)))).toEqual(before)
  }
})

function message(own: Partial<Message>): Message {
  return { sequence: 1, knownUs: 0, condition: 'I', tradeId: null, ...own }
}

const times = (us: number) => ({ printedUs: us, knownUs: us })

/** A message of an instant, and known from then on unless it says otherwise. */
const at = (us: number, own: Partial<Message>): Message => message({ ...times(us), ...own })

/** The matches of equal prints and their cancels, by the models. */
async function listMatches(messages: readonly Message[]): Promise<number[][]> {
  const db = await reuseFoldDb()
  await db.addPrints(
    messages.map(message => ({
      sequence: message.sequence,
      condition: message.condition,
      trade_id: message.tradeId,
      vendor_sequence: message.vendorSequence ?? message.sequence,
      printed_at: after(message.printedUs ?? message.sequence),
      known_at: after(message.knownUs),
      strike: message.strike ?? 6_000,
      size: message.size ?? 1,
    })),
  )
  await db.build('fold/cancel_matches')
  const rows = await db.all('fold.cancel_matches', 'cancel_sequence')
  return rows.map(row => [Number(row.cancel_sequence), Number(row.sequence)])
}

/** The same rule, message by message as they come in. */
function matchOneByOne(messages: readonly Message[]): number[][] {
  const printed = ({ printedUs, sequence }: Message) => printedUs ?? sequence
  const arrivals = messages.toSorted((a, b) => a.knownUs - b.knownUs || printed(a) - printed(b))
  const status: Message[] = []
  const waiting: Message[] = []
  const pairs: number[][] = []
  for (const arrival of arrivals) {
    if (isCancel(arrival)) {
      const before = status
        .filter(print => printed(print) < printed(arrival))
        .toSorted((a, b) => printed(a) - printed(b))
      const target =
        before.find(({ tradeId }) => tradeId !== null && tradeId === arrival.tradeId) ??
        before.at(arrival.condition === 'E' ? 0 : -1)
      if (target === undefined) waiting.push(arrival)
      else {
        status.splice(status.indexOf(target), 1)
        pairs.push([arrival.sequence, target.sequence])
      }
    } else {
      const cancel = waiting.find(message => printed(message) > printed(arrival))
      if (cancel === undefined) status.push(arrival)
      else {
        waiting.splice(waiting.indexOf(cancel), 1)
        pairs.push([cancel.sequence, arrival.sequence])
      }
    }
  }
  return pairs.toSorted(([a], [b]) => a! - b!)
}
