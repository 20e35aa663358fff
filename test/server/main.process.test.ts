import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fixedClock } from '../../src/core/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import { startServer } from '../../src/server/main.ts'
import { startTestApi, type TestApi } from '../support/api.ts'

let api: TestApi

beforeEach(async () => {
  api = await startTestApi()
})
afterEach(() => api.close())

test('a stop lets a call under way end and takes no new one', async () => {
  const log = { info: () => {}, error: () => {} }
  const server = await startServer({
    dataFolder: api.dataFolder,
    host: '127.0.0.1',
    port: 0,
    clock: fixedClock(api.clock.atMs),
    log,
  })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const response = new Promise<string>(resolve => {
    socket.once('data', chunk => resolve(chunk.toString()))
  })
  await new Promise<void>(sent => {
    socket.write('GET /orders/api/sessions HTTP/1.1\r\nHost: a\r\n', () => sent())
  })
  // another connection is served only after the half request above was read
  await fetch(`${server.url}/health`)
  const closed = Promise.all([server.close(), server.close()])
  await expect(fetch(`${server.url}/health`)).rejects.toThrow()
  socket.write(`Authorization: Bearer ${api.key}\r\n\r\n`)
  expect(await response).toMatch(/^HTTP\/1\.1 200 OK/)
  await closed
  await expect(fetch(`${server.url}/health`)).rejects.toThrow()
})

test('a replay logs how long a call took, not how far its clock moved meanwhile', async () => {
  let atMs = api.clock.atMs
  const nowMs = () => {
    atMs += 3_600_000
    return atMs
  }
  const replay = await startTestApi({ clock: { nowMs, isReplay: true } })
  await replay.call('/health', { key: null })
  await replay.call('/health', { key: null })
  const took = replay.logged.filter(({ message }) => message === 'answered')
  expect(took.length).toBeGreaterThan(0)
  for (const { fields } of took) expect(fields.ms).toBeLessThan(3_600_000)
  await replay.close()
})

test('a port that is taken is an error, and leaves nothing open', async () => {
  const other = createServer()
  await new Promise<void>(listening => other.listen(0, '127.0.0.1', listening))
  const { port } = other.address() as AddressInfo
  const log = { info: () => {}, error: () => {} }
  const { dataFolder } = api
  const starting = startServer({ dataFolder, host: '127.0.0.1', port, clock: fixedClock(0), log })
  await expect(starting).rejects.toThrow(`port ${port} of 127.0.0.1 is taken; give`)
  await new Promise(closed => other.close(closed))
})

test('an empty environment has every setting', () => {
  expect(readConfig({ PATH: '/bin' })).toEqual({
    dataFolder: 'data',
    port: 8080,
    host: '127.0.0.1',
    logSeverity: 'info',
    publishGraceMs: 10_800_000,
    isLive: false,
    sharesPrints: false,
    coversSubdomains: false,
    publicUrl: null,
    databaseUrl: null,
    store: null,
    connections: { proxies: [] },
    metricsPort: null,
    oauthIssuer: null,
    secretKey: null,
    webhookAllowed: [],
    webhookSecret: null,
    model: null,
    notices: { mail: null, telegramUrl: null, siteUrl: 'http://127.0.0.1:8080' },
  })
  expect(readConfig({ TAPEFOLD_PORT: '0', TAPEFOLD_DATA: '/srv' })).toMatchObject({
    port: 0,
    dataFolder: '/srv',
  })
})

test('limits of connections that are set, and those alone, are printed', () => {
  const set = { TAPEFOLD_CONNECTIONS: '900', TAPEFOLD_IDLE_SECONDS: '2.5' }
  const { connections } = readConfig({ ...set, TAPEFOLD_TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' })
  const { proxies, ...others } = connections
  expect(others).toEqual({ connections: 900, idleMs: 2500 })
  const networks = proxies as Exclude<typeof proxies, number>
  expect(networks?.map(network => network.join('/'))).toEqual(['127.0.0.1/32', '10.0.0.0/8'])
  expect(readConfig({ TAPEFOLD_TRUST_PROXY: '2' }).connections).toEqual({ proxies: 2 })
  expect(readConfig({ TAPEFOLD_HSTS_SUBDOMAINS: 'on' }).coversSubdomains).toBe(true)
})

test.each([
  ['TAPEFOLD_PORT', '70000', 'TAPEFOLD_PORT is "70000"; give a port from 0 to 65535'],
  ['TAPEFOLD_PORT', 'web', 'TAPEFOLD_PORT is "web"; give a port from 0 to 65535'],
  ['TAPEFOLD_PORT', '', 'TAPEFOLD_PORT is ""; give a port from 0 to 65535'],
  ['TAPEFOLD_PORT', '0x50', 'TAPEFOLD_PORT is "0x50"; give a port from 0 to 65535'],
  [
    'TAPEFOLD_DATA',
    '',
    'TAPEFOLD_DATA is ""; give a folder, without spaces around it, such as data',
  ],
  ['TAPEFOLD_METRICS_PORT', '70000', 'TAPEFOLD_METRICS_PORT is "70000"; give a port'],
  ['DATABASE_URL', 'mysql://me:secret@db', /^DATABASE_URL is no PostgreSQL address; give one/],
  ['TAPEFOLD_HSTS_SUBDOMAINS', 'yes', 'TAPEFOLD_HSTS_SUBDOMAINS is "yes"; give on or off'],
  ['TAPEFOLD_LIVE', 'yes', 'TAPEFOLD_LIVE is "yes"; give on or off'],
  ['TAPEFOLD_TRUST_PROXY', '10.0.0.0/33', 'is "10.0.0.0/33"; give off, how many proxies'],
  ['TAPEFOLD_TRUSTED_PROXIES', '10.0.0.0/8', 'is called TAPEFOLD_TRUST_PROXY now; rename it.'],
  ['TAPEFOLD_TRUST_PROXY', 'true', 'is "true"; any client could name itself by any address: give'],
  ['TAPEFOLD_CONNECTIONS', '0', 'TAPEFOLD_CONNECTIONS is "0"; give a number from 1'],
  ['TAPEFOLD_ANSWER_SECONDS', '0', 'TAPEFOLD_ANSWER_SECONDS is "0"; give at least 0.1'],
  ['TAPEFOLD_IDLE_SECONDS', 'long', 'TAPEFOLD_IDLE_SECONDS is "long"; give seconds'],
  ['TAPEFOLD_LOG', 'loud', 'TAPEFOLD_LOG is "loud"; give debug, info'],
])('%s = %j is refused by name', (name, value, message) => {
  expect(() => readConfig({ [name]: value })).toThrow(message)
})
