import { expect, test } from 'vitest'
import { createRandom } from '../../../pipelines/simulate/random.ts'
import { after, openFoldDb } from '../../support/fold.ts'

type Message = {
  sequence: number
  knownUs: number
  condition: string
  tradeId: string | null
}

const isCancel = ({ condition }: Message) => 'ACEGO'.includes(condition)

test('a cancel keeps what it took, whatever comes in after it', async () => {
  const messages = [
    message({ sequence: 1 }),
    // printed before the cancel, and known half an hour after it
    message({ sequence: 2, knownUs: 1_800_000_000 }),
    message({ sequence: 3, knownUs: 300_000_000, condition: 'A' }),
  ]
  expect(await matchesOf(messages)).toEqual([[3, 1]])
})

test('a cancel that is known before its print waits for it', async () => {
  const cancel = message({ sequence: 2, knownUs: 5, condition: 'C' })
  expect(await matchesOf([message({ sequence: 1, knownUs: 9 }), cancel])).toEqual([[2, 1]])
  // what printed after the cancel is no print of before it
  expect(await matchesOf([cancel, message({ sequence: 3, knownUs: 9 })])).toEqual([])
  expect(await matchesOf([cancel, message({ sequence: 3, knownUs: 4 })])).toEqual([])
})

test('a cancel takes the print of its identifier, and where none is known the latest', async () => {
  const prints = [1, 2, 3].map(sequence => message({ sequence, tradeId: `${sequence}0` }))
  const named = message({ sequence: 4, knownUs: 4, condition: 'A', tradeId: '10' })
  expect(await matchesOf([...prints, named])).toEqual([[4, 1]])
  expect(await matchesOf([...prints, { ...named, tradeId: '77' }])).toEqual([[4, 3]])
  expect(await matchesOf([...prints, { ...named, tradeId: '0' }])).toEqual([[4, 3]])
})

test('hundreds of equal prints are taken off by hundreds of cancels', async () => {
  const count = 600
  const messages = Array.from({ length: 2 * count }, (_, index) =>
    message({ sequence: index + 1, knownUs: index, condition: index < count ? 'I' : 'A' }),
  )
  const pairs = messages.slice(count).map(({ sequence }) => [sequence, 2 * count + 1 - sequence])
  expect(await matchesOf(messages)).toEqual(pairs)
})

test('at every instant the matches are those of the whole tape', async () => {
  const random = createRandom(7, 'cancels')
  for (let round = 0; round < 12; round++) {
    const messages = Array.from({ length: 30 }, (_, index) =>
      message({
        sequence: index + 1,
        knownUs: index * 10 + (random.chance(0.5) ? 0 : random.integer(0, 200)),
        condition: random.chance(0.6) ? 'I' : random.pick([...'ACEGO']),
        tradeId: random.chance(0.5) ? null : String(random.integer(1, 8)),
      }),
    )
    const whole = await matchesOf(messages)
    expect(whole.length).toBeGreaterThan(3)
    expect(whole).toEqual(matchOneByOne(messages))
    const cut = random.integer(10, 290)
    const known = new Set(messages.filter(m => m.knownUs < cut).map(m => m.sequence))
    const before = whole.filter(pair => pair.every(sequence => known.has(sequence)))
    expect(await matchesOf(messages.filter(m => known.has(m.sequence)))).toEqual(before)
  }
})

function message(own: Partial<Message>): Message {
  return { sequence: 1, knownUs: 0, condition: 'I', tradeId: null, ...own }
}

/** The matches of equal prints and their cancels, by the models. */
async function matchesOf(messages: readonly Message[]): Promise<number[][]> {
  const db = await openFoldDb()
  await db.addPrints(
    messages.map(({ sequence, knownUs, condition, tradeId }) => ({
      sequence,
      condition,
      trade_id: tradeId,
      printed_at: after(sequence),
      known_at: after(knownUs),
    })),
  )
  await db.build('fold/cancel_matches')
  const rows = await db.all('fold.cancel_matches', 'cancel_sequence')
  return rows.map(row => [Number(row.cancel_sequence), Number(row.sequence)])
}

/** The same rule, message by message as they come in. */
function matchOneByOne(messages: readonly Message[]): number[][] {
  const arrivals = messages.toSorted((a, b) => a.knownUs - b.knownUs || a.sequence - b.sequence)
  const standing: Message[] = []
  const waiting: Message[] = []
  const pairs: number[][] = []
  for (const arrival of arrivals) {
    if (isCancel(arrival)) {
      const before = standing
        .filter(({ sequence }) => sequence < arrival.sequence)
        .toSorted((a, b) => a.sequence - b.sequence)
      const target =
        before.find(({ tradeId }) => tradeId !== null && tradeId === arrival.tradeId) ??
        before.at(arrival.condition === 'E' ? 0 : -1)
      if (target === undefined) waiting.push(arrival)
      else {
        standing.splice(standing.indexOf(target), 1)
        pairs.push([arrival.sequence, target.sequence])
      }
    } else {
      const cancel = waiting.find(({ sequence }) => sequence > arrival.sequence)
      if (cancel === undefined) standing.push(arrival)
      else {
        waiting.splice(waiting.indexOf(cancel), 1)
        pairs.push([cancel.sequence, arrival.sequence])
      }
    }
  }
  return pairs.toSorted(([a], [b]) => a! - b!)
}
