// A folder as the demo has it: one session with a ledger, after sessions that have minutes alone.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClientServer, startClientServer } from '../support/clientServer.ts'
import { findClient, refusal, reported } from '../support/mcp.ts'
import { tapefold } from '../support/tapefold.ts'

const DAY = '2026-10-15'
/** Newest of the twelve sessions of minutes. */
const BEFORE = '2026-10-14'
const SENTENCE = `${BEFORE} has market minutes alone, for replays: neither a ledger nor levels`
const NOON = Date.parse(`${DAY}T16:00:00Z`)
const NEXT_NOON = Date.parse('2026-10-16T16:00:00Z')

let server: ClientServer
beforeAll(async () => {
  server = await startClientServer()
})
afterAll(() => server.close())

const readPage = async (path: string) => {
  const { status, body } = await server.api.call(path, { key: null })
  return { status, text: body.toString() }
}

/** Addresses of this server on a page, without those of a place on a page. */
const findLinks = (text: string): string[] => [
  ...new Set([...text.matchAll(/ (?:href|src)="(\/[^"#]*)/g)].map(([, path]) => path!)),
]

test.each([
  ['a day later', NEXT_NOON, DAY],
  ['while the session runs', NOON, null],
])(
  '%s each of the links of the start page is there, and of the session',
  async (_, atMs, newest) => {
    server.api.clock.atMs = atMs
    const start = await readPage('/')
    expect(/href="\/sessions\/([\d-]+)"/.exec(start.text)?.[1] ?? null).toBe(newest)
    const pages = ['/', '/sessions', ...(newest === null ? [] : [`/sessions/${newest}`])]
    const texts = await Promise.all(pages.map(async path => (await readPage(path)).text))
    // without a session of an account, its page leads to another
    const links = [...new Set(texts.flatMap(findLinks))].filter(link => link !== '/account')
    expect(links.length).toBeGreaterThan(10)
    for (const link of links) {
      expect([link, (await readPage(link.replaceAll('&amp;', '&'))).status]).toEqual([link, 200])
    }
    expect(texts.join('')).not.toContain(BEFORE)
  },
)

test('of 13 published days every list has the one that has a ledger', async () => {
  server.api.clock.atMs = NEXT_NOON
  const { api } = server
  const { json: orders } = await api.call('/orders/api/sessions')
  expect(orders).toEqual({ sessions: [DAY], first: DAY, last: DAY })
  const { json: archive } = await api.call('/api/days')
  expect(archive.days.map(({ day }: { day: string }) => day)).toEqual([DAY])
  const { json: status } = await api.call('/status.json')
  expect(status.newest.day).toBe(DAY)
  const states = new Map(
    status.days.map(({ day, state }: { day: string; state: string }) => [day, state]),
  )
  expect([states.get(DAY), states.get(BEFORE)]).toEqual(['published', 'not_kept'])
  const client = await findClient(api)
  const listed = await reported(client, 'orders_sessions')
  expect(listed.sessions.map(({ day }: { day: string }) => day)).toEqual([DAY])
  expect(await refusal(client, 'orders_levels', { day: BEFORE })).toBe(`${SENTENCE}.`)
  await client.close()
})

test('a day with minutes alone is not a ledger of 0 orders, and positions are replayed on it', async () => {
  server.api.clock.atMs = NEXT_NOON
  const { api, environment } = server
  const { json: ledger } = await api.call(`/orders/api/day?day=${BEFORE}`)
  expect([ledger.stats, ledger.note]).toEqual([
    undefined,
    `${SENTENCE}; the newest session is ${DAY}.`,
  ])
  for (const path of [`/api/session/${BEFORE}`, `/api/v1/levels?sym=SPX&day=${BEFORE}`]) {
    const key = environment.TAPEFOLD_LIVE_KEY!
    const { status, json } = await api.call(path, { key })
    expect([status, json.error.message]).toEqual([404, `${SENTENCE}.`])
  }
  const position = { kind: 'strangle', legs: { sp: 5900, sc: 6100 }, entry: '10:30' }
  await api.call('/api/positions', {
    method: 'POST',
    body: JSON.stringify({ op: 'add', position }),
  })
  const { json: checked } = await api.call(`/api/positions/check?day=${BEFORE}&t=10:30`)
  expect(checked.checks[0].counts.unknown).toBeLessThan(checked.checks[0].conditions.length)
})

test.each([
  [['orders', BEFORE], `${SENTENCE}; the newest session is ${DAY}.`],
  [['levels', BEFORE], `${SENTENCE}.`],
  [['alert', 'preview', BEFORE], `${SENTENCE}.`],
  [['status'], 'minutes alone (simulated)'],
])('tapefold %j says that there are minutes alone', async (args, sentence) => {
  const data = server.environment.TAPEFOLD_DATA_FOLDER!
  const { out, error } = await tapefold([...args, '--data', data])
  expect(out + error).toContain(sentence)
})
