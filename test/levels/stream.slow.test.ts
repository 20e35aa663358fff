// A thousand streams on one server, and clients that move between two servers which come and go.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { monotonicMs } from '../../src/core/clock.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { type EventClient, openEventClient } from '../support/eventClient.ts'
import { publishLevels } from '../support/levels.ts'
import { randomNumbers } from '../support/random.ts'

const TODAY = '2026-10-15'
const CLIENTS = 1000
const STREAMS_PER_KEY = 3
/** A stream ends after ten minutes, which are those of the clock of the test. */
const MINUTES = Array.from({ length: 9 }, (_, at) => `11:${String(15 + at).padStart(2, '0')}`)
const KILLS = 200

let apis: TestApi[]
beforeAll(async () => {
  // all clients come from one address
  const connections = { ofAddress: 5000, connections: 5000 }
  const first = await startTestApi({ connections })
  apis = [first, await startTestApi({ connections, dataFolder: first.dataFolder })]
  const has = ['strikes', 'basis'] as const
  await publishLevels(first.dataFolder, { day: TODAY, until: '11:40', has, isLive: true, seed: 2 })
  goTo('11:14')
})
afterAll(async () => {
  for (const api of apis.toReversed()) await api.close()
})

function goTo(minute: string) {
  for (const api of apis) api.clock.atMs = Date.parse(`${TODAY}T${minute}:30-04:00`)
}

const newKeys = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => (await apis[0]!.newKey('live', 'live')).key),
  )

test('a state reaches a thousand clients, once each', async () => {
  const keys = await newKeys(Math.ceil(CLIENTS / STREAMS_PER_KEY))
  const clients: EventClient[] = []
  for (let number = 0; number < CLIENTS; number++) {
    const key = keys[Math.floor(number / STREAMS_PER_KEY)]!
    const client = await openEventClient(`${apis[0]!.url}/api/v1/stream?sym=SPX`, { key })
    expect(client.status).toBe(200)
    clients.push(client)
  }
  await Promise.all(clients.map(client => client.until(1)))
  const lateMs: number[] = []
  for (const [number, minute] of MINUTES.entries()) {
    const fromMs = monotonicMs()
    goTo(minute)
    await Promise.all(
      clients.map(async client => {
        await client.until(2 + number)
        lateMs.push(monotonicMs() - fromMs)
      }),
    )
  }
  for (const client of clients) client.close()
  const expected = ['11:14', ...MINUTES].map(minute => `${TODAY}T${minute}`)
  for (const { events } of clients) expect(events.map(({ id }) => id)).toEqual(expected)
  lateMs.sort((a, b) => a - b)
  const at = (share: number) => lateMs[Math.ceil(share * lateMs.length) - 1]!.toFixed(0)
  process.stdout.write(
    `${CLIENTS} streams: a state after ${at(0.5)} ms (half), ${at(0.99)} ms (99 %), ${at(1)} ms (all)\n`,
  )
  const heapMb = Math.round(process.memoryUsage().rss / 1e6)
  process.stdout.write(`server and clients together: ${heapMb} MB\n`)
})

test('clients that hang up at any event and come back to either server lose and double none', async () => {
  const [key] = await newKeys(1)
  const random = randomNumbers(7)
  goTo('11:40')
  const from = `${TODAY}T09:31`
  const whole = await openEventClient(`${apis[0]!.url}/api/v1/stream?sym=SPX`, {
    key: key!,
    lastId: from,
  })
  await whole.until(129)
  whole.close()
  let seen: EventClient['events'] = []
  let keys = await newKeys(4)
  for (let kill = 0; kill < KILLS; kill++) {
    // each call of a key counts, 120 a minute
    if (kill % 100 === 99) keys = await newKeys(4)
    const lastId = seen.at(-1)?.id ?? from
    const missing = 129 - seen.length
    if (missing === 0) {
      expect(seen).toEqual(whole.events)
      seen = []
      continue
    }
    const api = apis[Math.floor(random() * 2)]!
    const own = keys[kill % keys.length]!
    const client = await openEventClient(`${api.url}/api/v1/stream?sym=SPX`, { key: own, lastId })
    expect(client.status).toBe(200)
    await client.until(1 + Math.floor(random() * Math.min(missing, 5)))
    client.close()
    await client.ended
    seen = [...seen, ...client.events]
    expect(seen).toEqual(whole.events.slice(0, seen.length))
  }
})
