// A server whose disk fails goes on with what it knew, says so, and recovers by itself.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountFilePath, openAccountStore } from '../../src/server/accountStore.ts'
import { EVENING_MS } from '../support/api.ts'
import { until } from '../support/clients.ts'
import { type FaultyServer, startFaultyServer } from '../support/faultyServer.ts'
import { simulateSessions } from '../support/history.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../support/published.ts'

const LATEST = '/orders/api/latest'
const OTHER = '/orders/api/day?day=2026-10-13'

let dataFolder: string
let key: string
let server: FaultyServer

beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-faults-'))
  key = await newKey(dataFolder)
})
afterEach(async () => {
  await server.stop()
  rmSync(dataFolder, { recursive: true, force: true })
})

async function newKey(folder: string): Promise<string> {
  const accounts = await openAccountStore(accountFilePath(folder))
  const account = await accounts.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 0 })
  const made = { accountId: account.id, scope: 'orders', name: 'a', createdAtMs: 0 } as const
  const added = await accounts.addKey(made)
  await accounts.close()
  return added!.apiKey
}

async function query(path: string, options: RequestInit = {}) {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(server.url + path, { headers, ...options })
  const text = await response.text()
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, text, retryAfter }
}
const problems = async (): Promise<string[]> =>
  JSON.parse((await query('/status.json')).text).problems
const publish = (day: string) => publishLedger(dataFolder, ledgerInput(VARIED_ORDERS, { day }))

test.each(['EIO', 'EMFILE', 'ENFILE', 'ESTALE', 'ELOOP', 'EACCES'])(
  'while every read fails with %s the last good view is served, and nothing ends',
  async code => {
    await publish('2026-10-13')
    await publish('2026-10-14')
    server = await startFaultyServer({ dataFolder, startMs: EVENING_MS })
    const before = await query(LATEST)
    expect([before.status, await problems()]).toEqual([200, []])

    await server.order({ code })
    await until(async () => (await problems()).length > 0)
    const reported = await problems()
    const words = `the published sessions cannot be read \\(${code}\\)`
    expect(reported[0]).toMatch(new RegExp(`^since 2026-10-14 20:\\d\\d:\\d\\d ET ${words}$`))
    expect(reported.join()).not.toContain(dataFolder)
    await until(async () => (await query('/health')).status === 503)
    expect((await query('/status')).text).toContain(`(${code})`)
    expect(await query(LATEST)).toEqual(before)
    // never read before the fault: not there, and not damaged for good
    const other = await query(OTHER)
    expect([other.status, other.retryAfter]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect(server.errors.filter(line => line === 'files cannot be read')).toHaveLength(2)

    await server.order({ code: null })
    await until(async () => (await problems()).length === 0)
    // each page is judged at its own second
    await until(async () => (await query('/health')).status === 200)
    expect((await query(OTHER)).status).toBe(200)
    expect(server.isAlive()).toBe(true)
  },
)

test('a server that starts on a disk it cannot read returns 503 until it can', async () => {
  await publish('2026-10-14')
  server = await startFaultyServer({ dataFolder, startMs: EVENING_MS, code: 'EIO' })
  for (const path of [LATEST, OTHER, '/orders/api/sessions']) {
    const { status, text, retryAfter } = await query(path)
    expect([status, retryAfter]).toEqual([503, '2'])
    expect(JSON.parse(text).error).toMatchObject({ code: 'unavailable', retry_after_s: 2 })
  }
  const reported = await problems()
  expect(reported).toEqual([
    expect.stringMatching(/ the published sessions cannot be read \(EIO\)$/),
    expect.stringMatching(/ the running session cannot be read \(EIO\)$/),
  ])
  await server.order({ code: null })
  await until(async () => (await query(LATEST)).status === 200)
  await until(async () => (await problems()).length === 0)
})

test('a server without a descriptor to spare returns 503, and recovers by itself', async () => {
  const history = await simulateSessions('2026-10-14', 2)
  const stored = dataFolder
  dataFolder = history.dataFolder
  key = await newKey(dataFolder)
  server = await startFaultyServer({ dataFolder, startMs: EVENING_MS, descriptors: 400 })
  const legs = { kind: 'strangle', legs: { sp: 5900, sc: 6100 }, entry: '10:30' }
  const body = JSON.stringify({ op: 'add', position: legs })
  const headers = { authorization: `Bearer ${key}` }
  expect((await query('/api/positions', { method: 'POST', headers, body })).status).toBe(200)

  const check = '/api/positions/check?day=2026-10-14&t='
  expect((await query(`${check}10:30`)).status).toBe(200)
  await server.order({ isHoarding: true })
  await until(async () => (await problems()).some(text => text.endsWith('(EMFILE)')))
  const refused = await query('/api/positions/check?day=2026-10-13&t=11:00')
  expect([refused.status, refused.retryAfter]).toEqual([503, '2'])
  expect(JSON.parse(refused.text).error.code).toBe('unavailable')
  // what was judged before is there
  expect((await query(`${check}10:30`)).status).toBe(200)

  await server.order({ isHoarding: false })
  await until(async () => (await problems()).every(text => !text.endsWith('(EMFILE)')))
  expect((await query('/api/positions/check?day=2026-10-13&t=11:00')).status).toBe(200)
  rmSync(stored, { recursive: true, force: true })
})
