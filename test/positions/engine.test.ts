import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openJudgeQueue } from '../../src/positions/engine.ts'

const queue = openJudgeQueue(1, [])
afterAll(() => queue.close())

test('queries run one after the other, in order, also behind those that fail', async () => {
  const question = fc.record({ pauses: fc.nat(3), isBad: fc.boolean(), isLater: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(question, { maxLength: 12 }), async questions => {
      const begun: number[] = []
      let underWay = 0
      const submit = (index: number, pauses: number, isBad: boolean) =>
        queue.alone(async () => {
          begun.push(index)
          underWay += 1
          expect(underWay).toBe(1)
          for (let pause = 0; pause < pauses; pause++) await new Promise(setImmediate)
          underWay -= 1
          if (isBad) throw new Error(`question ${index}`)
          return index
        })
      const results: Promise<number>[] = []
      for (const [index, { pauses, isBad, isLater }] of questions.entries()) {
        if (isLater) await new Promise(setImmediate)
        const result = submit(index, pauses, isBad)
        // one may fail before anybody waits for it here
        result.catch(() => {})
        results.push(result)
      }
      const ends = await Promise.allSettled(results)
      expect(begun).toEqual(questions.map((_, index) => index))
      for (const [index, end] of ends.entries()) {
        if (end.status === 'fulfilled')
          expect([end.value, questions[index]!.isBad]).toEqual([index, false])
        else expect(end.reason).toEqual(new Error(`question ${index}`))
      }
    }),
  )
})

test('all questions have the same engine, and a close waits for those under way', async () => {
  const own = openJudgeQueue(1, [])
  const seen = await Promise.all([1, 2].map(() => own.alone(async engine => engine)))
  expect(seen[0]).toBe(seen[1])
  const last = own.alone(async ({ db }) =>
    db.rows('select sum(range)::integer as n from range(1000)'),
  )
  await own.close()
  expect(await last).toEqual([{ n: 499_500 }])
})

test('an engine that does not open is reported, and opened again by the next query', async () => {
  const own = openJudgeQueue(1, ['positions/no_such_model'])
  const reasons = await Promise.all(
    [1, 2].map(() => own.alone(async () => 'answered').catch(String)),
  )
  expect(reasons.map(reason => /no_such_model/.test(reason))).toEqual([true, true])
  await own.close()
})
