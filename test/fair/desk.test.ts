import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Asker, openDesk } from '../../src/fair/desk.ts'
import { NOBODY } from '../../src/fair/line.ts'
import { ApiError } from '../../src/http/error.ts'

/** A desk with one lane whose turns end when they are told to. */
function openHeld(bounds = { own: 4, all: 10 }, budget = 1) {
  const desk = openDesk({ bounds })
  const turns: { inputs: readonly string[]; signal: AbortSignal; end: (error?: Error) => void }[] =
    []
  const lane = desk.lane<string, string>({
    budget,
    isTogether: (first, other) => first[0] === other[0],
    serve: (inputs, signal) =>
      new Promise((answer, fail) => {
        const end = (error?: Error) => {
          if (error) fail(error)
          else answer(inputs.map(input => `${input}!`))
        }
        turns.push({ inputs, signal, end })
      }),
  })
  const ask = (account: string, input: string, signal?: AbortSignal) => {
    const asker: Asker = signal ? { account, signal } : { account }
    return lane.ask({ key: input, cost: 1, input }, asker)
  }
  /** The turn of a number, once it has begun. */
  const turn = async (number: number) => {
    while (turns.length <= number) await new Promise(setImmediate)
    return turns[number]!
  }
  return { desk, lane, ask, turn, turns }
}

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    error => (error instanceof ApiError ? `${error.code} ${error.headers['retry-after']}` : error),
  )

test('equal questions share one turn and one answer, whoever asks and whenever', async () => {
  const { ask, turn, turns } = openHeld()
  const asked = Array.from({ length: 200 }, (_, index) => ask(`account ${index % 7}`, 'x'))
  const first = await turn(0)
  // also one that comes while the turn is under way
  asked.push(ask('late', 'x'))
  first.end()
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['x!']))
  expect(turns.map(({ inputs }) => inputs)).toEqual([['x']])
  const again = ask('late', 'x')
  ;(await turn(1)).end()
  expect(await again).toBe('x!')
})

test('what was answered at once is told a few at a time, by account', async () => {
  const { ask, turn } = openHeld()
  const told: string[] = []
  const asked = ['greedy', 'greedy', 'greedy', 'greedy', 'greedy', 'greedy', 'careful'].map(
    account => ask(account, 'x').then(() => told.push(account)),
  )
  ;(await turn(0)).end()
  const counts = new Set<number>()
  while (told.length < asked.length) {
    await new Promise(setImmediate)
    counts.add(told.length)
  }
  expect([...counts].filter(count => count > 0)).toEqual([4, 7])
  expect(told.indexOf('careful')).toBeLessThan(4)
})

test('an equal question comes up with the first of its askers whose turn it is', async () => {
  const { ask, turn } = openHeld({ own: 9, all: 99 })
  const held = ask('other', 'held')
  await turn(0)
  const greedy = Array.from({ length: 5 }, (_, index) => ask('greedy', `${index}`))
  const shared = [ask('greedy', 'shared'), ask('careful', 'shared')]
  for (const number of [0, 1, 2]) (await turn(number)).end()
  expect(await Promise.all(shared)).toEqual(['shared!', 'shared!'])
  for (const number of [3, 4, 5, 6]) (await turn(number)).end()
  await Promise.all([held, ...greedy])
})

test('questions that can be answered together are, up to the budget of a turn', async () => {
  const { ask, turn } = openHeld({ own: 9, all: 99 }, 3)
  const asked = ['a1', 'a2', 'b1', 'a3', 'a4'].map((input, index) => ask(`${index}`, input))
  const settled = Promise.allSettled(asked)
  const first = await turn(0)
  expect(first.inputs).toEqual(['a1', 'a2', 'a3'])
  first.end()
  const second = await turn(1)
  expect(second.inputs).toEqual(['b1'])
  second.end(new Error('torn'))
  ;(await turn(2)).end()
  const ends = await settled
  expect(ends.map(end => (end.status === 'fulfilled' ? end.value : end.reason.message))).toEqual([
    ...['a1!', 'a2!', 'torn', 'a3!', 'a4!'],
  ])
})

test('an account with 4 waiting is refused with 429 and when to ask again', async () => {
  const { desk, ask, turn, turns } = openHeld()
  const held = ask('a', '0')
  await turn(0)
  const waiting = ['1', '2', '3', '4'].map(input => ask('a', input))
  expect(await codeOf(ask('a', '5'))).toBe('rate 2')
  // a question that waits already takes no other place
  waiting.push(ask('a', '4'), ask('b', '5'))
  expect(desk.waiting()).toBe(5)
  for (let number = 0; number < 6; number++) (await turn(number)).end()
  await Promise.all([held, ...waiting])
  expect(turns).toHaveLength(6)
  expect(desk.waiting()).toBe(0)
})

test('a full desk takes the newest place of who has the most, else it answers 503', async () => {
  const { desk, ask, turn } = openHeld({ own: 4, all: 6 })
  const held = ask('a', 'held')
  await turn(0)
  const greedy = ['a1', 'a2', 'a3', 'a4'].map(input => ask('a', input))
  const modest = ['b1', 'b2'].map(input => ask('b', input))
  const newcomer = ask('c', 'c1')
  expect(await codeOf(greedy[3]!)).toBe('unavailable 5')
  // three of a, two of b and one of c: a third one would only change who has the most
  expect(await codeOf(ask('b', 'b3'))).toBe('unavailable 5')
  expect(desk.waiting()).toBe(6)
  for (let number = 0; number < 7; number++) (await turn(number)).end()
  await Promise.all([held, ...greedy.slice(0, 3), ...modest, newcomer])
})

test('whatever is asked, no account waits beyond its bound, nor all beyond theirs', async () => {
  const asked = fc.array(fc.record({ account: fc.nat(5), input: fc.nat(30) }), { maxLength: 80 })
  await fc.assert(
    fc.asyncProperty(asked, async questions => {
      const { desk, ask, turn, turns } = openHeld({ own: 4, all: 10 })
      const ends = questions.map(({ account, input }) => codeOf(ask(`${account}`, `${input}`)))
      expect(desk.waiting()).toBeLessThanOrEqual(10)
      for (let number = 0; desk.waiting() > 0; number++) (await turn(number)).end()
      for (const { end } of turns) end()
      const codes = new Set(await Promise.all(ends))
      for (const code of codes) expect(['answered', 'rate 2', 'unavailable 5']).toContain(code)
    }),
    { numRuns: 50 },
  )
})

test('who leaves while waiting is gone at once, and gives its place back', async () => {
  const { desk, ask, turn, turns } = openHeld()
  const held = ask('a', 'held')
  await turn(0)
  const hangUp = new AbortController()
  const left = ask('a', 'left', hangUp.signal)
  const stayed = ask('a', 'stayed', new AbortController().signal)
  hangUp.abort(new Error('hung up'))
  await expect(left).rejects.toThrow('hung up')
  await expect(ask('a', 'late', hangUp.signal)).rejects.toThrow('hung up')
  expect(desk.waiting()).toBe(1)
  for (const number of [0, 1]) (await turn(number)).end()
  expect(await Promise.all([held, stayed])).toEqual(['held!', 'stayed!'])
  expect(turns.map(({ inputs }) => inputs)).toEqual([['held'], ['stayed']])
})

test('a turn is told to stop when the last who asked left; the next begins anew', async () => {
  const { ask, turn } = openHeld()
  const [one, two] = [new AbortController(), new AbortController()]
  const asked = [ask('a', 'x', one.signal), ask('b', 'x', two.signal)]
  const first = await turn(0)
  one.abort(new Error('hung up'))
  await expect(asked[0]).rejects.toThrow('hung up')
  expect(first.signal.aborted).toBe(false)
  two.abort(new Error('hung up'))
  await expect(asked[1]).rejects.toThrow('hung up')
  expect(first.signal.aborted).toBe(true)
  const again = ask('c', 'x')
  first.end(new Error('stopped'))
  const second = await turn(1)
  expect(second.signal.aborted).toBe(false)
  second.end()
  expect(await again).toBe('x!')
})

test('who leaves a question that others of its account ask leaves it to them', async () => {
  const { desk, ask, turn } = openHeld()
  const held = ask('a', 'held')
  await turn(0)
  const hangUp = new AbortController()
  const left = ask('a', 'x', hangUp.signal)
  const stayed = ask('a', 'x')
  hangUp.abort(new Error('hung up'))
  await expect(left).rejects.toThrow('hung up')
  expect(desk.waiting()).toBe(1)
  for (const number of [0, 1]) (await turn(number)).end()
  expect(await Promise.all([held, stayed])).toEqual(['held!', 'x!'])
})

test('work that nobody waits for takes no place, and is next when somebody asks', async () => {
  const { desk, ask, turn } = openHeld({ own: 1, all: 2 })
  const ahead = ['held', 'n1', 'n2', 'n3'].map(input => ask(NOBODY, input))
  await turn(0)
  expect(desk.waiting()).toBe(0)
  const asked = ask('a', 'n3')
  ;(await turn(0)).end()
  const next = await turn(1)
  expect(next.inputs).toEqual(['n3'])
  next.end()
  expect(await asked).toBe('n3!')
  for (const number of [2, 3]) (await turn(number)).end()
  await Promise.all(ahead)
})

test('a desk that closes refuses what waits, and ends when the turn under way has', async () => {
  const { lane, ask, turn } = openHeld()
  const held = ask('a', 'held')
  const first = await turn(0)
  const waiting = ask('a', 'waiting')
  let isClosed = false
  const closing = lane.close().then(() => {
    isClosed = true
  })
  await expect(waiting).rejects.toThrow('the desk is closed')
  await expect(ask('b', 'late')).rejects.toThrow('the desk is closed')
  expect(isClosed).toBe(false)
  first.end()
  expect(await held).toBe('held!')
  await closing
})
