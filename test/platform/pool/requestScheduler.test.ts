import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../../src/platform/http/error.ts'
import { NOBODY } from '../../../src/platform/pool/fairQueue.ts'
import {
  openRequestScheduler,
  type Requester,
} from '../../../src/platform/pool/requestScheduler.ts'
import { runs } from '../../support/runs.ts'

/** A request scheduler with one queue whose batches end on demand. */
function openHeld(bounds = { own: 4, all: 10 }, budget = 1) {
  const scheduler = openRequestScheduler({ bounds })
  const batches: {
    inputs: readonly string[]
    signal: AbortSignal
    end: (error?: Error) => void
  }[] = []
  const queue = scheduler.openQueue<string, string>({
    budget,
    isTogether: (first, other) => first[0] === other[0],
    serve: (inputs, signal) =>
      new Promise((settle, fail) => {
        const end = (error?: Error) => {
          if (error) fail(error)
          else settle(inputs.map(input => `${input}!`))
        }
        batches.push({ inputs, signal, end })
      }),
  })
  const submit = (account: string, input: string, signal?: AbortSignal) => {
    const requester: Requester = signal ? { account, signal } : { account }
    return queue.submit({ key: input, cost: 1, input }, requester)
  }
  /** The batch of a number, once it has begun. */
  const waitForBatch = async (number: number) => {
    while (batches.length <= number) await new Promise(setImmediate)
    return batches[number]!
  }
  return { scheduler, queue, submit, waitForBatch, batches }
}

const describeOutcome = (pending: Promise<unknown>) =>
  pending.then(
    () => 'answered',
    error => (error instanceof ApiError ? `${error.code} ${error.headers['retry-after']}` : error),
  )

test('equal queries share one batch and one response, whoever sends them whenever', async () => {
  const { submit, waitForBatch, batches } = openHeld()
  const pending = Array.from({ length: 200 }, (_, index) => submit(`account ${index % 7}`, 'x'))
  const first = await waitForBatch(0)
  // also one that comes while the batch is under way
  pending.push(submit('late', 'x'))
  first.end()
  expect(new Set(await Promise.all(pending))).toEqual(new Set(['x!']))
  expect(batches.map(({ inputs }) => inputs)).toEqual([['x']])
  const again = submit('late', 'x')
  ;(await waitForBatch(1)).end()
  expect(await again).toBe('x!')
})

test('immediate responses are delivered a few at a time, by account', async () => {
  const { submit, waitForBatch } = openHeld()
  const served: string[] = []
  const pending = ['greedy', 'greedy', 'greedy', 'greedy', 'greedy', 'greedy', 'careful'].map(
    account => submit(account, 'x').then(() => served.push(account)),
  )
  ;(await waitForBatch(0)).end()
  const counts = new Set<number>()
  while (served.length < pending.length) {
    await new Promise(setImmediate)
    counts.add(served.length)
  }
  expect([...counts].filter(count => count > 0)).toEqual([4, 7])
  expect(served.indexOf('careful')).toBeLessThan(4)
})

test('an equal query runs with the first of its callers to be served', async () => {
  const { submit, waitForBatch } = openHeld({ own: 9, all: 99 })
  const held = submit('other', 'held')
  await waitForBatch(0)
  const greedy = Array.from({ length: 5 }, (_, index) => submit('greedy', `${index}`))
  const shared = [submit('greedy', 'shared'), submit('careful', 'shared')]
  for (const number of [0, 1, 2]) (await waitForBatch(number)).end()
  expect(await Promise.all(shared)).toEqual(['shared!', 'shared!'])
  for (const number of [3, 4, 5, 6]) (await waitForBatch(number)).end()
  await Promise.all([held, ...greedy])
})

test('queries that can be evaluated together are, up to the budget of a batch', async () => {
  const { submit, waitForBatch } = openHeld({ own: 9, all: 99 }, 3)
  const pending = ['a1', 'a2', 'b1', 'a3', 'a4'].map((input, index) => submit(`${index}`, input))
  const settled = Promise.allSettled(pending)
  const first = await waitForBatch(0)
  expect(first.inputs).toEqual(['a1', 'a2', 'a3'])
  first.end()
  const second = await waitForBatch(1)
  expect(second.inputs).toEqual(['b1'])
  second.end(new Error('torn'))
  ;(await waitForBatch(2)).end()
  const ends = await settled
  expect(ends.map(end => (end.status === 'fulfilled' ? end.value : end.reason.message))).toEqual([
    'a1!',
    'a2!',
    'torn',
    'a3!',
    'a4!',
  ])
})

test('an account with 4 waiting is refused with 429 and when to retry', async () => {
  const { scheduler, submit, waitForBatch, batches } = openHeld()
  const held = submit('a', '0')
  await waitForBatch(0)
  const waiting = ['1', '2', '3', '4'].map(input => submit('a', input))
  expect(await describeOutcome(submit('a', '5'))).toBe('rate 2')
  // a query that waits already takes no other slot
  waiting.push(submit('a', '4'), submit('b', '5'))
  expect(scheduler.waiting()).toBe(5)
  for (let number = 0; number < 6; number++) (await waitForBatch(number)).end()
  await Promise.all([held, ...waiting])
  expect(batches).toHaveLength(6)
  expect(scheduler.waiting()).toBe(0)
})

test('a full queue drops the newest of the account with most, else it returns 503', async () => {
  const { scheduler, submit, waitForBatch } = openHeld({ own: 4, all: 6 })
  const held = submit('a', 'held')
  await waitForBatch(0)
  const greedy = ['a1', 'a2', 'a3', 'a4'].map(input => submit('a', input))
  const modest = ['b1', 'b2'].map(input => submit('b', input))
  const newcomer = submit('c', 'c1')
  expect(await describeOutcome(greedy[3]!)).toBe('unavailable 5')
  // three of a, two of b and one of c: a third one would only change who has the most
  expect(await describeOutcome(submit('b', 'b3'))).toBe('unavailable 5')
  expect(scheduler.waiting()).toBe(6)
  for (let number = 0; number < 7; number++) (await waitForBatch(number)).end()
  await Promise.all([held, ...greedy.slice(0, 3), ...modest, newcomer])
})

test('whatever is requested, no account waits beyond its bound, nor all beyond theirs', async () => {
  const questionLists = fc.array(fc.record({ account: fc.nat(5), input: fc.nat(30) }), {
    maxLength: 80,
  })
  await fc.assert(
    fc.asyncProperty(questionLists, async questions => {
      const { scheduler, submit, waitForBatch, batches } = openHeld({ own: 4, all: 10 })
      const ends = questions.map(({ account, input }) =>
        describeOutcome(submit(`${account}`, `${input}`)),
      )
      expect(scheduler.waiting()).toBeLessThanOrEqual(10)
      for (let number = 0; scheduler.waiting() > 0; number++) (await waitForBatch(number)).end()
      for (const { end } of batches) end()
      const codes = new Set(await Promise.all(ends))
      for (const code of codes) expect(['answered', 'rate 2', 'unavailable 5']).toContain(code)
    }),
    { numRuns: runs(50) },
  )
})

test('a caller that leaves while waiting is gone at once, and frees its slot', async () => {
  const { scheduler, submit, waitForBatch, batches } = openHeld()
  const held = submit('a', 'held')
  await waitForBatch(0)
  const hangUp = new AbortController()
  const left = submit('a', 'left', hangUp.signal)
  const stayed = submit('a', 'stayed', new AbortController().signal)
  hangUp.abort(new Error('hung up'))
  await expect(left).rejects.toThrow('hung up')
  await expect(submit('a', 'late', hangUp.signal)).rejects.toThrow('hung up')
  expect(scheduler.waiting()).toBe(1)
  for (const number of [0, 1]) (await waitForBatch(number)).end()
  expect(await Promise.all([held, stayed])).toEqual(['held!', 'stayed!'])
  expect(batches.map(({ inputs }) => inputs)).toEqual([['held'], ['stayed']])
})

test('a batch is cancelled when its last caller left; the next starts again', async () => {
  const { submit, waitForBatch } = openHeld()
  const [one, two] = [new AbortController(), new AbortController()]
  const pending = [submit('a', 'x', one.signal), submit('b', 'x', two.signal)]
  const first = await waitForBatch(0)
  one.abort(new Error('hung up'))
  await expect(pending[0]).rejects.toThrow('hung up')
  expect(first.signal.aborted).toBe(false)
  two.abort(new Error('hung up'))
  await expect(pending[1]).rejects.toThrow('hung up')
  expect(first.signal.aborted).toBe(true)
  const again = submit('c', 'x')
  first.end(new Error('stopped'))
  const second = await waitForBatch(1)
  expect(second.signal.aborted).toBe(false)
  second.end()
  expect(await again).toBe('x!')
})

test('a caller that leaves a query that others of its account share leaves it to them', async () => {
  const { scheduler, submit, waitForBatch } = openHeld()
  const held = submit('a', 'held')
  await waitForBatch(0)
  const hangUp = new AbortController()
  const left = submit('a', 'x', hangUp.signal)
  const stayed = submit('a', 'x')
  hangUp.abort(new Error('hung up'))
  await expect(left).rejects.toThrow('hung up')
  expect(scheduler.waiting()).toBe(1)
  for (const number of [0, 1]) (await waitForBatch(number)).end()
  expect(await Promise.all([held, stayed])).toEqual(['held!', 'x!'])
})

test('work that nobody waits for takes no slot, and is next when somebody requests it', async () => {
  const { scheduler, submit, waitForBatch } = openHeld({ own: 1, all: 2 })
  const ahead = ['held', 'n1', 'n2', 'n3'].map(input => submit(NOBODY, input))
  await waitForBatch(0)
  expect(scheduler.waiting()).toBe(0)
  const pending = submit('a', 'n3')
  ;(await waitForBatch(0)).end()
  const next = await waitForBatch(1)
  expect(next.inputs).toEqual(['n3'])
  next.end()
  expect(await pending).toBe('n3!')
  for (const number of [2, 3]) (await waitForBatch(number)).end()
  await Promise.all(ahead)
})

test('a scheduler that closes refuses its queue, and ends when the running batch has', async () => {
  const { queue, submit, waitForBatch } = openHeld()
  const held = submit('a', 'held')
  const first = await waitForBatch(0)
  const waiting = submit('a', 'waiting')
  let isClosed = false
  const closing = queue.close().then(() => {
    isClosed = true
  })
  await expect(waiting).rejects.toThrow('the desk is closed')
  await expect(submit('b', 'late')).rejects.toThrow('the desk is closed')
  expect(isClosed).toBe(false)
  first.end()
  expect(await held).toBe('held!')
  await closing
})
