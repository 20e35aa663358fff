import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountFilePath } from '../../../src/server/accountStore.ts'
import { sendRaw, startTestApi, type TestApi } from '../../support/api.ts'
import {
  ledgerInput,
  publishLedger,
  VARIED_ORDERS,
  writeManifest,
} from '../../support/published.ts'

let api: TestApi
const DAY = '/orders/api/day?day=2026-10-14'

beforeEach(async () => {
  api = await startTestApi()
})
afterEach(() => api.close())

test('an account store that does not count is 503, until it does', async () => {
  const database = new DatabaseSync(accountFilePath(api.dataFolder))
  database.exec('alter table call_counts rename to away')
  expect((await api.call(DAY)).status).toBe(503)
  database.exec('alter table away rename to call_counts')
  database.close()
  expect((await api.call(DAY)).status).toBe(200)
})

test('what nobody foresaw is 500 without details; the log has them', async () => {
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS))
  const path = join(api.dataFolder, 'published/manifests/2026-10-14.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  writeManifest(api.dataFolder, '2026-10-14', { ...manifest, ledger: {} })
  const { status, json, headers } = await api.call(DAY)
  expect(status).toBe(500)
  expect(json.error).toEqual({
    code: 'internal',
    message: 'the server failed; the request id finds the reason in its log.',
  })
  const line = api.logged.find(entry => entry.message === 'internal')!
  expect(line.fields).toMatchObject({ requestId: headers.get('x-request-id') })
  expect(line.fields.err).toContain('the manifest of 2026-10-14 has no json ledger')
})

test('a folder that was never read is 503 with a time to wait, until it can be', async () => {
  const { dataFolder } = api
  await api.close()
  mkdirSync(join(dataFolder, 'published'), { recursive: true })
  const folder = join(dataFolder, 'published/manifests')
  writeFileSync(folder, 'a file, not a folder')
  api = await startTestApi({ dataFolder })
  const { status, json, headers } = await api.call(DAY)
  expect([status, headers.get('retry-after')]).toEqual([503, '2'])
  expect(json.error).toEqual({
    code: 'unavailable',
    message: 'the server cannot read its files; ask again in 2 s.',
    retry_after_s: 2,
  })
  expect((await api.call('/health', { key: null })).json.problems).toEqual([
    'since 2026-10-14 20:00:00 ET the published sessions cannot be read (ENOTDIR)',
  ])
  rmSync(folder)
  expect((await api.call(DAY)).status).toBe(200)
})

const DAMAGED = {
  code: 'damaged',
  message: 'a file of 2026-10-14 is damaged and has to be repaired; ask again in a minute.',
  retry_after_s: 60,
}

test('a ledger file that is gone or cut is 503, in every form, until it is back', async () => {
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS))
  const folder = join(api.dataFolder, 'published/ledger')
  const stored = join(api.dataFolder, 'kept')
  renameSync(folder, stored)
  for (const path of [DAY, '/orders/api/latest']) {
    const { status, json, headers } = await api.call(path)
    expect([status, json.error]).toEqual([503, DAMAGED])
    expect(headers.get('retry-after')).toBe('60')
  }
  const csv = await api.call(DAY, { headers: { accept: 'text/csv' } })
  expect([csv.status, csv.json.error]).toEqual([503, DAMAGED])
  const line = api.logged.find(entry => entry.message === 'damaged file')!
  expect(line.fields.reason).toContain('ENOENT')
  expect((await api.call('/health')).json.problems).toHaveLength(1)
  renameSync(stored, folder)
  // green at once: nobody has to request the ledger first
  expect((await api.call('/health')).json.problems).toEqual([])
  expect((await api.call(DAY)).status).toBe(200)
})

test('a manifest that cannot be read is 503, not an older or empty session', async () => {
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS, { day: '2026-10-13' }))
  for (const text of ['{', '{"format": 3}', '']) {
    writeManifest(api.dataFolder, '2026-10-14', text)
    api.clock.atMs += 1000
    for (const path of [DAY, '/orders/api/latest']) {
      const { status, json } = await api.call(path)
      expect([status, json.error]).toEqual([503, DAMAGED])
    }
    expect((await api.call('/orders/api/day?day=2026-10-13')).status).toBe(200)
  }
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS))
  api.clock.atMs += 1000
  expect((await api.call(DAY)).status).toBe(200)
})

const parsed = async (text: string | Buffer) => {
  const response = await sendRaw(api.port, text)
  const [head, body] = response.split('\r\n\r\n') as [string, string]
  return { head, json: JSON.parse(body) }
}
const AUTH = () => `Authorization: Bearer ${api.key}\r\n`

test.each([
  ['two Host headers', () => `GET ${DAY} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${AUTH()}\r\n`],
  ['no Host header', () => `GET ${DAY} HTTP/1.1\r\n${AUTH()}\r\n`],
  ['two keys', () => `GET ${DAY} HTTP/1.1\r\nHost: a\r\n${AUTH()}${AUTH()}\r\n`],
  ['an unknown method', () => `FROB ${DAY} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ['no version', () => `GET ${DAY}\r\n\r\n`],
  ['another protocol', () => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
  ['a NUL in a header', () => `GET ${DAY} HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n`],
  ['a relative target', () => `GET orders HTTP/1.1\r\nHost: a\r\n${AUTH()}\r\n`],
  ['both lengths', () => `POST ${DAY} HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n${CHUNKED}abc`],
])('%s is 400 bad_request in the envelope', async (_, text) => {
  const { head, json } = await parsed(text())
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(head.toLowerCase()).toContain('content-type: application/json; charset=utf-8')
  expect(head.toLowerCase()).toMatch(/x-request-id: [0-9a-f-]{36}/)
  expect(json).toEqual({ error: { code: 'bad_request', message: expect.any(String) } })
})

test('an absolute target is the same as its path', async () => {
  const close = 'Connection: close\r\n\r\n'
  const response = await sendRaw(
    api.port,
    `GET http://example.org${DAY} HTTP/1.1\r\nHost: a\r\n${AUTH()}${close}`,
    true,
  )
  expect(response).toMatch(/^HTTP\/1\.1 200 OK/)
})

const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n'
