// Streams of a running session: each new state once, on every server the same, whoever goes away.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { HEARTBEAT_MS } from '../../src/platform/http/eventStream.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { type EventClient, openEventClient } from '../support/eventClient.ts'
import { publishLevels } from '../support/levels.ts'

const BEFORE = '2026-10-14'
const TODAY = '2026-10-15'
const has = ['strikes', 'basis'] as const

let api: TestApi
let other: TestApi
let key = ''
beforeAll(async () => {
  api = await startTestApi()
  // both are closed at the end: closing one removes the folder
  other = await startTestApi({ dataFolder: api.dataFolder })
  await publishLevels(api.dataFolder, { day: BEFORE, has })
  await publish('11:14')
  key = (await api.newKey('live', 'live')).key
})
afterAll(async () => {
  await other.close()
  await api.close()
})

/** Publishes the session of today up to a minute, and lets the clock of the servers stand there. */
async function publish(until: string) {
  await publishLevels(api.dataFolder, { day: TODAY, until, has, isLive: true, seed: 2 })
  for (const one of [api, other]) {
    one.clock.atMs = Date.parse(`${TODAY}T${until}:30-04:00`)
  }
}

const open = (
  options: { lastId?: string; key?: string; query?: string; of?: TestApi } = {},
): Promise<EventClient> => {
  const { of = api, query = 'sym=SPX,XSP&g=2', ...rest } = options
  return openEventClient(`${of.url}/api/v1/stream?${query}`, { key, ...rest })
}
const ids = ({ events }: EventClient) => events.map(({ id }) => id)

test('a client gets the newest state, then each new one, as the levels of its minute', async () => {
  const client = await open()
  expect([client.status, client.contentType]).toEqual([200, 'text/event-stream; charset=utf-8'])
  await client.until(1)
  await publish('11:15')
  await client.until(2)
  await publish('11:18')
  await client.until(5)
  client.close()
  expect(ids(client)).toEqual(
    ['11:14', '11:15', '11:16', '11:17', '11:18'].map(t => `${TODAY}T${t}`),
  )
  for (const { id, event, data } of client.events) {
    expect(event).toBe('levels')
    const { json } = await api.call(`/api/v1/levels?sym=SPX,XSP&g=2&time=${id.slice(11)}`, { key })
    expect(JSON.parse(data)).toEqual(json)
  }
})

test('a client that comes back has what it missed first, of the session before as well', async () => {
  const client = await open({ lastId: `${BEFORE}T15:57` })
  await client.until(2 + 108)
  client.close()
  expect(ids(client).slice(0, 4)).toEqual([
    `${BEFORE}T15:58`,
    `${BEFORE}T15:59`,
    `${TODAY}T09:31`,
    `${TODAY}T09:32`,
  ])
  expect(ids(client).at(-1)).toBe(`${TODAY}T11:18`)
  expect(new Set(ids(client)).size).toBe(110)
  const odd = await open({ lastId: 'what was it?' })
  await odd.until(108)
  odd.close()
  expect(ids(odd)[0]).toBe(`${TODAY}T09:31`)
})

test('two servers send the same, and a client that moves between them loses and doubles none', async () => {
  await publish('11:20')
  const seen: { id: string; data: string }[] = []
  let lastId = `${TODAY}T11:10`
  for (let turn = 0; turn < 10; turn++) {
    const client = await open({ lastId, of: turn % 2 === 0 ? api : other })
    // hangs up in the middle of what it is sent
    await client.until(turn < 5 ? 1 + (turn % 3) : 1)
    client.close()
    seen.push(...client.events)
    lastId = seen.at(-1)!.id
    if (lastId === `${TODAY}T11:20`) break
  }
  const [one, two] = await Promise.all(
    [api, other].map(of => open({ of, lastId: `${TODAY}T11:10` })),
  )
  await Promise.all([one!.until(10), two!.until(10)])
  for (const client of [one!, two!]) client.close()
  expect(one!.events).toEqual(two!.events)
  expect(seen).toEqual(one!.events.slice(0, seen.length))
})

test('a stream ends with its server', async () => {
  const third = await startTestApi()
  await publishLevels(third.dataFolder, { day: BEFORE, has })
  const client = await open({ of: third, key: (await third.newKey('live', 'live')).key })
  await client.until(1)
  const closed = third.close()
  await client.ended
  await closed
})

test.each(['the key is revoked', 'the plan ends'])(
  'a stream ends within 15 seconds after %s, and no other does',
  async event => {
    expect(HEARTBEAT_MS).toBe(15_000)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const third = await startTestApi()
    await publishLevels(third.dataFolder, { day: BEFORE, has })
    const [mine, other] = [await third.newKey('live', 'live'), await third.newKey('live', 'live')]
    const [ending, staying] = await Promise.all(
      [mine, other].map(({ key }) => open({ of: third, key })),
    )
    await Promise.all([ending!.until(1), staying!.until(1)])
    const [key] = await third.accounts.listKeys(mine.accountId)
    if (event === 'the plan ends') await third.accounts.removeProduct(mine.accountId, 'live')
    else await third.accounts.revokeKey(key!.id, 1)
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
    await ending!.ended
    const isOpen = await Promise.race([staying!.ended.then(() => false), Promise.resolve(true)])
    expect(isOpen).toBe(true)
    staying!.close()
    vi.useRealTimers()
    await third.close()
  },
)

test('a key has at most three streams, of which each has a slot again when it is closed', async () => {
  const { key: own } = await api.newKey('live', 'live')
  const clients = await Promise.all([1, 2, 3].map(() => open({ key: own })))
  await Promise.all(clients.map(client => client.until(1)))
  const { status, json, headers } = await api.call('/api/v1/stream?sym=SPX', { key: own })
  expect([status, json.error.code]).toEqual([429, 'rate_limited'])
  expect(json.error.message).toBe(
    'the key has 3 streams open on this server process, as many as it may; close one.',
  )
  expect(headers.get('retry-after')).toBe('60')
  clients[0]!.close()
  await expect
    .poll(async () => {
      const client = await open({ key: own })
      client.close()
      return client.status
    })
    .toBe(200)
  for (const client of clients) client.close()
})
