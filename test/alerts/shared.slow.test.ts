// Invariants however many servers share one account store.

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
      const databaseArguments = databaseUrl === null ? [] : [databaseUrl]
      other = fork(SERVE, [api.dataFolder, String(EVENING_MS), ...databaseArguments])
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
        const response = await sendOnce(at, body, headers)
        if (response.status !== 503) return response
      }
    }
    async function sendOnce(at: number, body: object, headers: Record<string, string>) {
      const authorization = `Bearer ${api.key}`
      const url = at % 2 === 0 ? api.url : otherUrl
      const init = { method: 'POST', headers: { authorization, ...headers } }
      const response = await fetch(url + PATH, { ...init, body: JSON.stringify(body) })
      const isReplayed = response.headers.has('idempotency-replayed')
      return { status: response.status, isReplayed, text: await response.text() }
    }
    const many = <Result>(count: number, request: (at: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: count }, (_, at) => request(at)))
    const readStored = async () => (await api.call(PATH)).json

    test.each([
      ['line', { kind: 'price', price: 6000 }, 50],
      ['rule', { name: 'big' }, 20],
    ] as const)(
      'adds of a %s beyond the limit: exactly as many as there may be',
      async (...row) => {
        const [part, value, most] = row
        const responses = await many(most + 14, at => send(at, { op: 'add', [part]: value }))
        const taken = responses.filter(({ status }) => status === 200)
        const refused = responses.filter(({ status }) => status === 400)
        expect([taken.length, refused.length]).toEqual([most, 14])
        expect(refused[0]!.text).toContain(`the account keeps ${most} ${part}s, which is the limit`)
        expect((await readStored())[`${part}s`]).toHaveLength(most)
      },
    )

    test('sets of different entries at once are all in the list', async () => {
      const types = ['wall_move', 'flip_move', 'level_near']
      const books = ['measured', 'volume', 'open_interest']
      const pairs = types.flatMap(type => books.map(book => ({ type, book })))
      const responses = await many(pairs.length, at => {
        return send(at, { op: 'set', entry: { ...pairs[at], on: true } })
      })
      expect(responses.map(({ status }) => status)).toEqual(pairs.map(() => 200))
      const { list } = await readStored()
      const on = list.filter((entry: { on: boolean }) => entry.on)
      expect(on).toHaveLength(3 + pairs.length)
    })

    test('50 equal adds with one key: one line, 50 equal responses', async () => {
      const headers = { 'idempotency-key': 'once' }
      const body = { op: 'add', line: { kind: 'price', price: 6000 } }
      const responses = await many(50, at => send(at, body, headers))
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(responses[0]!.status).toBe(200)
      expect(responses.filter(({ isReplayed }) => isReplayed)).toHaveLength(49)
      expect((await readStored()).lines).toHaveLength(1)
    })
  })
})
