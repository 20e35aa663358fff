// Invariants however many clients, servers and engines share one account store.

import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { randomBase62 } from '../../src/accounts/apiKey.ts'
import { EVENING_MS, startTestApi, type TestApi } from '../support/api.ts'
import { ENGINES, type Engine } from '../support/engines.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'

const SERVE = join(import.meta.dirname, '../support/serveProcess.ts')
const PATH = '/api/positions'
const FOREIGN_COUNT = 10_000
const CONNECTIONS = 16
const DAY_MS = 86_400_000
const STRANGLE = { kind: 'strangle', legs: { sp: 5950, sc: 6050 }, entry: '10:30' }

const REUSED = {
  code: 'idempotency_key_reused',
  message: 'this Idempotency-Key came with another body in the last 24 hours; give a new one.',
}
const isReplayed = ({ headers }: { headers: Headers }): boolean =>
  headers.get('idempotency-replayed') === 'true'

describe.each(ENGINES)('positions in %s', (name, isHere, start) => {
  let engine: Engine
  let api: TestApi
  const given = isHere ? describe : describe.skip

  given('are those of their account', () => {
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())
    beforeEach(async () => {
      const databaseUrl = name === 'PostgreSQL' ? await engine.newPlace() : null
      api = await startTestApi({ databaseUrl })
      other = fork(SERVE, [
        api.dataFolder,
        String(EVENING_MS),
        ...(databaseUrl ? [databaseUrl] : []),
      ])
      otherUrl = await new Promise<string>(resolve => other.once('message', resolve as never))
    })
    afterEach(async () => {
      const ended = new Promise(resolve => other.once('exit', resolve))
      other.disconnect()
      await ended
      await api.close()
    })

    let other: ChildProcess
    let otherUrl: string

    const toBody = (op: string, position: object) => JSON.stringify({ op, position })
    const added = toBody('add', STRANGLE)
    const here = (body: string, headers: Record<string, string> = {}) =>
      api.call(PATH, { method: 'POST', body, headers })
    const there = async (body: string, headers: Record<string, string> = {}) => {
      const authorization = `Bearer ${api.key}`
      const init = { method: 'POST', body, headers: { authorization, ...headers } }
      const response = await fetch(otherUrl + PATH, init)
      const text = await response.text()
      const { status, headers: responseHeaders } = response
      return { status, headers: responseHeaders, body: Buffer.from(text), json: JSON.parse(text) }
    }
    const listStoredIds = async () =>
      (await api.call(PATH)).json.positions.map((position: { id: string }) => position.id)

    test('ten concurrent adds at four stored, from two processes: exactly one succeeds', async () => {
      for (let count = 0; count < 4; count++) await here(added)
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? here : there)(added)),
      )
      const statuses = responses.map(({ status }) => status).sort()
      expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
      expect(await listStoredIds()).toHaveLength(5)
    })

    test('updates of one position at once, from two processes, are all in it', async () => {
      const { id } = (await here(added)).json
      const ids = ['gap', 'skew', 'vol_up', 'time_left', 'move_15m', 'move_used', 'flip_near']
      const responses = await Promise.all(
        ids.map((condition, index) => {
          const conditions = [{ id: condition, on: false }]
          return (index % 2 === 0 ? here : there)(toBody('update', { id, conditions }))
        }),
      )
      expect(responses.map(({ status }) => status)).toEqual(ids.map(() => 200))
      const { position } = (await api.call(`${PATH}?id=${id}`)).json
      const off = position.conditions.filter((condition: { on: boolean }) => !condition.on)
      expect(off.map((condition: { id: string }) => condition.id).sort()).toEqual(ids.sort())
    })

    test('50 concurrent equal adds with one key: one position, 50 equal responses', async () => {
      const headers = { 'idempotency-key': 'first of the day' }
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? here : there)(added, headers)),
      )
      const seen = responses.map(({ status, body }) => `${status} ${body}`)
      expect(new Set(seen).size).toBe(1)
      expect(responses[0]!.status).toBe(200)
      expect(await listStoredIds()).toEqual([responses[0]!.json.id])
      // all but the one that made it say that they are a repetition
      const replayed = responses.filter(({ headers: responseHeaders }) =>
        responseHeaders.has('idempotency-replayed'),
      )
      expect(replayed).toHaveLength(49)
      expect(replayed.every(isReplayed)).toBe(true)
    })

    test('a key repeats the response to the same change for 24 hours, and to no other change', async () => {
      const headers = { 'idempotency-key': 'k'.repeat(255) }
      const first = await here(added, headers)
      const { id } = first.json
      await here(toBody('update', { id, entry: '11:00' }))
      const spelled = `{"position": {"entry": "10:30", "legs": {"sc": 6050, "sp": 5950},
        "kind": "strangle"}, "op": "add"}`
      const again = await there(spelled, headers)
      expect([again.body, isReplayed(again), isReplayed(first)]).toEqual([first.body, true, false])
      await here(toBody('remove', { id }))
      expect((await here(added, headers)).body).toEqual(first.body)
      expect(await listStoredIds()).toEqual([])

      const refused = await there(toBody('add', { ...STRANGLE, entry: '10:31' }), headers)
      expect([refused.status, refused.json]).toEqual([422, { error: REUSED }])
      expect(isReplayed(refused)).toBe(false)
      expect(await listStoredIds()).toEqual([])
      api.clock.atMs += DAY_MS
      expect((await here(added, headers)).body).toEqual(first.body)
      api.clock.atMs += 1
      const later = await here(added, headers)
      expect(later.json.id).not.toBe(id)
      expect(await listStoredIds()).toEqual([later.json.id])
    })

    test('a key is of one account, and is not spent by a refusal', async () => {
      const headers = { 'idempotency-key': 'x' }
      const wrong = toBody('add', { ...STRANGLE, entry: '16:00' })
      expect((await here(wrong, headers)).status).toBe(400)
      const { id } = (await here(added, headers)).json
      const { key } = await api.newKey()
      const foreign = await api.call(PATH, { method: 'POST', body: added, headers, key })
      expect(foreign.status).toBe(200)
      expect(foreign.json.id).not.toBe(id)
      expect(await listStoredIds()).toEqual([id])
    })

    test('positions of another account respond as missing ones, byte for byte', async () => {
      const foreignIds: string[] = []
      const keys: string[] = []
      for (let count = 0; count < 100; count++) {
        if (count % 5 === 0) keys.push((await api.newKey('orders_team')).key)
        const sent = { method: 'POST', body: added, key: keys.at(-1)! }
        foreignIds.push((await api.call(PATH, sent)).json.id)
      }
      await api.setPlan(api.accountId, 'orders_team')
      const unknown = await api.call(`${PATH}?id=p_${randomBase62(12)}`)
      expect([unknown.status, unknown.json.error.code]).toEqual([404, 'not_found'])
      let left = name === 'SQLite' ? FOREIGN_COUNT : FOREIGN_COUNT / 10
      const client = async () => {
        for (; left > 0; left--) {
          const id = foreignIds[left % 100]!
          const response =
            left % 3 === 0
              ? await api.call(`${PATH}?id=${id}`)
              : await here(toBody(left % 3 === 1 ? 'update' : 'remove', { id }))
          if (response.status !== 404) throw new Error(`${id} answered ${response.status}`)
          if (!response.body.equals(unknown.body)) throw new Error(`${response.body}`)
        }
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, client))
      expect(await listStoredIds()).toEqual([])
      const lists = await Promise.all(keys.map(key => api.call(PATH, { key })))
      const positions = lists.flatMap(({ json }) => json.positions as { id: string }[])
      expect(positions.map(({ id }) => id)).toEqual(foreignIds)
    })

    test('a key that is revoked here is refused there at the next call', async () => {
      expect((await there(added)).status).toBe(200)
      const [record] = await api.accounts.listKeys(api.accountId)
      await api.accounts.revokeKey(record!.id, 1)
      expect((await there(added)).status).toBe(401)
    })
  })
})

test.skipIf(!hasPostgres)('a PostgreSQL that goes away is 503, and red in health', async () => {
  const server = await startPostgres()
  const api = await startTestApi({ databaseUrl: server.url })
  expect((await api.call(PATH)).status).toBe(200)
  await server.stop()
  const { status, json, headers } = await api.call(PATH)
  expect([status, json.error.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1'])
  const health = await api.call('/health', { key: null })
  expect(health.json.problems).toContain('the account store does not answer')
  await api.close()
})
