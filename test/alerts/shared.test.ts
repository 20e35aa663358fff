// What holds however many servers share one account store.

import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EVENING_MS, startTestApi, type TestApi } from '../support/api.ts'
import { ENGINES, type Engine } from '../support/engines.ts'

const SERVE = join(import.meta.dirname, '../support/serveProcess.ts')
const PATH = '/api/alerts'

describe.each(ENGINES)('alerts in %s', (name, isHere, start) => {
  let engine: Engine
  let api: TestApi
  let other: ChildProcess
  let otherUrl: string
  const given = isHere ? describe : describe.skip

  given('are changed by two servers at once', () => {
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())
    beforeEach(async () => {
      const databaseUrl = name === 'PostgreSQL' ? await engine.newPlace() : null
      api = await startTestApi({ databaseUrl })
      const place = databaseUrl === null ? [] : [databaseUrl]
      other = fork(SERVE, [api.dataFolder, String(EVENING_MS), ...place])
      otherUrl = await new Promise<string>(resolve => other.once('message', resolve as never))
    })
    afterEach(async () => {
      const ended = new Promise(resolve => other.once('exit', resolve))
      other.disconnect()
      await ended
      await api.close()
    })

    /** Sends a change to one of the two, again as long as the store is too busy for it. */
    async function send(at: number, body: object, headers: Record<string, string> = {}) {
      for (;;) {
        const answer = await sendOnce(at, body, headers)
        if (answer.status !== 503) return answer
      }
    }
    async function sendOnce(at: number, body: object, headers: Record<string, string>) {
      const authorization = `Bearer ${api.key}`
      const url = at % 2 === 0 ? api.url : otherUrl
      const init = { method: 'POST', headers: { authorization, ...headers } }
      const answer = await fetch(url + PATH, { ...init, body: JSON.stringify(body) })
      const isReplayed = answer.headers.has('idempotency-replayed')
      return { status: answer.status, isReplayed, text: await answer.text() }
    }
    const many = <Answer>(count: number, ask: (at: number) => Promise<Answer>) =>
      Promise.all(Array.from({ length: count }, (_, at) => ask(at)))
    const kept = async () => (await api.call(PATH)).json

    test.each([
      ['line', { kind: 'price', price: 6000 }, 50],
      ['rule', { name: 'big' }, 20],
    ] as const)(
      'adds of a %s beyond the limit: exactly as many as there may be',
      async (...row) => {
        const [part, value, most] = row
        const answers = await many(most + 14, at => send(at, { op: 'add', [part]: value }))
        const taken = answers.filter(({ status }) => status === 200)
        const refused = answers.filter(({ status }) => status === 400)
        expect([taken.length, refused.length]).toEqual([most, 14])
        expect(refused[0]!.text).toContain(`the account keeps ${most} ${part}s, which is the limit`)
        expect((await kept())[`${part}s`]).toHaveLength(most)
      },
    )

    test('sets of different entries at once are all in the list', async () => {
      const types = ['wall_move', 'flip_move', 'level_near']
      const books = ['measured', 'volume', 'open_interest']
      const pairs = types.flatMap(type => books.map(book => ({ type, book })))
      const answers = await many(pairs.length, at => {
        return send(at, { op: 'set', entry: { ...pairs[at], on: true } })
      })
      expect(answers.map(({ status }) => status)).toEqual(pairs.map(() => 200))
      const { list } = await kept()
      const on = list.filter((entry: { on: boolean }) => entry.on)
      expect(on).toHaveLength(3 + pairs.length)
    })

    test('50 equal adds with one key: one line, 50 equal answers', async () => {
      const headers = { 'idempotency-key': 'once' }
      const body = { op: 'add', line: { kind: 'price', price: 6000 } }
      const answers = await many(50, at => send(at, body, headers))
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(answers[0]!.status).toBe(200)
      expect(answers.filter(({ isReplayed }) => isReplayed)).toHaveLength(49)
      expect((await kept()).lines).toHaveLength(1)
    })
  })
})
