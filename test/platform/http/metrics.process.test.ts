// Metrics of Prometheus: off unless configured, true, and nothing of keys or accounts.

import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { startServer } from '../../../src/server/main.ts'
import { openMetrics } from '../../../src/server/metrics.ts'
import { sendRaw, startTestApi, type TestApi } from '../../support/api.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../../support/published.ts'

let api: TestApi

beforeEach(async () => {
  api = await startTestApi({ metricsPort: 0 })
})
afterEach(() => api.close())

const metricsUrl = () => String(api.logged.find(({ message }) => message === 'metrics')?.fields.url)

/** The samples of one scrape: `name{labels}` and value. */
async function scrape(): Promise<Map<string, number>> {
  const response = await fetch(metricsUrl())
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n').filter(line => line !== '' && line[0] !== '#')
  return new Map(
    lines.map(line => {
      const end = line.lastIndexOf(' ')
      const value = line.slice(end + 1)
      return [line.slice(0, end), value === 'Nan' ? Number.NaN : Number(value)]
    }),
  )
}

const calls = (route: string, method: string, status: number | string) =>
  `tapefold_http_requests_total{route="${route}",method="${method}",status="${status}"}`

test('calls are counted by route, method and status; a path cannot invent a route', async () => {
  const paths = ['/health', '/orders/api/sessions', '/orders/api/sessions?x=1', '/docs']
  for (const path of paths) await api.call(path)
  await api.call('/orders/api/latest', { key: null })
  await api.call('/orders/api/day?day=x')
  await api.call('/api/positions', { method: 'POST', body: '{' })
  for (const path of ['/a', '/b', '/orders/api/c']) await api.call(path)
  await api.call('/docs', { key: null, method: 'PROPFIND' })
  const reported = await scrape()
  expect(reported.get(calls('/health', 'GET', 200))).toBe(1)
  expect(reported.get(calls('/orders/api/sessions', 'GET', 200))).toBe(2)
  expect(reported.get(calls('/orders/api/latest', 'GET', 401))).toBe(1)
  expect(reported.get(calls('/orders/api/day', 'GET', 400))).toBe(1)
  expect(reported.get(calls('/api/positions', 'POST', 400))).toBe(1)
  expect(reported.get(calls('other', 'GET', 404))).toBe(3)
  expect(reported.get(calls('/docs', 'other', 405))).toBe(1)
  const count = 'tapefold_http_request_duration_seconds_count{route="/orders/api/sessions"}'
  expect(reported.get(count)).toBe(2)
  expect(reported.get('tapefold_http_request_duration_seconds_sum{route="/docs"}')).toBeGreaterThan(
    0,
  )
})

test('no key, account or address is exposed', async () => {
  await api.call('/orders/api/sessions')
  await api.call(`/${api.key}`, { key: null })
  const text = await (await fetch(metricsUrl())).text()
  expect(text).toContain('tapefold_http_requests_total')
  for (const secret of [api.key, api.key.slice(5), api.accountId, api.dataFolder]) {
    expect(text).not.toContain(secret)
  }
})

test('the data are as /health reports them; a missing one is no number', async () => {
  const ages = async () => {
    const reported = await scrape()
    const counts = ['up', 'data_red', 'problems', 'warnings']
    const names = [...counts, 'data_age_seconds', 'minute_lag_seconds']
    return names.map(name => reported.get(`tapefold_${name}`))
  }
  expect(await ages()).toEqual([1, 1, 0, 1, Number.NaN, Number.NaN])
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS, { day: '2026-10-14' }))
  expect(await ages()).toEqual([1, 0, 0, 0, 13_500, Number.NaN])
  const live = ledgerInput(VARIED_ORDERS, { day: '2026-10-15', asof: '10:36:12' })
  await publishLedger(api.dataFolder, live)
  api.clock.atMs = instantMs('2026-10-15', '10:38')
  // the running session was begun before the one before it was published: a warning
  expect(await ages()).toEqual([1, 0, 0, 1, 108, 108])
})

test('sockets, broken requests, memory and the event loop', async () => {
  const socket = connect(api.port, '127.0.0.1')
  await new Promise<void>(open => socket.once('connect', open))
  await sendRaw(api.port, 'no HTTP\r\n\r\n')
  const reported = await scrape()
  expect(reported.get('tapefold_sockets_open')).toBeGreaterThanOrEqual(1)
  expect(reported.get('tapefold_client_errors_total')).toBe(1)
  expect(reported.get('process_resident_memory_bytes')).toBeGreaterThan(1e6)
  expect(reported.has('nodejs_eventloop_lag_p99_seconds')).toBe(true)
  socket.destroy()
})

test('a client that leaves before its response is counted separately', async () => {
  await api.close()
  api = await startTestApi({ metricsPort: 0, pageLimit: { atOnce: 0, perSecond: 1 } })
  const socket = connect(api.port, '127.0.0.1')
  // held back for half a second, since its address may send nothing
  socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
  for (;;) {
    const reported = await scrape()
    if (reported.get('tapefold_sockets_open')) break
  }
  socket.destroy()
  for (;;) {
    const reported = await scrape()
    const ends = [
      reported.get(calls('/health', 'GET', 'none')),
      reported.get(calls('/health', 'GET', 429)),
    ]
    if (ends.some(end => end === 1)) break
  }
})

test('waiting queries are counted when they are requested', async () => {
  let waiting = 0
  const metrics = openMetrics([], () => waiting)
  expect(await metrics.text()).toMatch(/^tapefold_queue_length 0$/m)
  waiting = 7
  expect(await metrics.text()).toMatch(/^tapefold_queue_length 7$/m)
  expect((await scrape()).get('tapefold_queue_length')).toBe(0)
})

test('metrics have a port of this machine alone, and no path of the API', async () => {
  expect(metricsUrl()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  expect((await api.call('/metrics', { key: null })).status).toBe(404)
  const other = await fetch(metricsUrl().replace('/metrics', '/'))
  const { error } = (await other.json()) as { error: { code: string } }
  expect([other.status, error.code]).toEqual([404, 'no_route'])
  const post = await fetch(metricsUrl(), { method: 'POST' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await fetch(metricsUrl(), { method: 'HEAD' })).status).toBe(200)
})

test('without a port there are none; a port that is taken is refused by name', async () => {
  const options = {
    dataFolder: api.dataFolder,
    host: '127.0.0.1',
    port: 0,
    clock: { nowMs: () => api.clock.atMs },
    log: { info: () => {}, error: () => {} },
  }
  const without = await startServer(options)
  expect(without.metricsUrl).toBeNull()
  await without.close()
  const taken = createServer()
  await new Promise<void>(open => taken.listen(0, '127.0.0.1', open))
  const { port } = taken.address() as { port: number }
  await expect(startServer({ ...options, metricsPort: port })).rejects.toThrow(
    `port ${port} of 127.0.0.1, for metrics, cannot be had (EADDRINUSE); give another as TAPEFOLD_`,
  )
  taken.close()
})

test('the page of metrics names each one there is, and no other', async () => {
  const page = readFileSync('docs/metrics.md', 'utf8')
  const documented = [...page.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, ...cells]) => cells)
  const text = await (await fetch(metricsUrl())).text()
  const reported = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, ...cells]) => cells)
  expect(documented).toEqual(expect.arrayContaining(reported))
  const isOurs = ([name]: (string | undefined)[]) => name!.startsWith('tapefold_')
  expect(documented.filter(isOurs).toSorted()).toEqual(reported.filter(isOurs).toSorted())
})
