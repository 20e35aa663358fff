import { Agent, request } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeApiKey } from '../../src/accounts/apiKey.ts'
import { startTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
const SESSIONS = '/orders/api/sessions'

beforeEach(async () => {
  api = await startTestApi()
})
afterEach(() => api.close())

const revoke = async (accountId: string) => {
  const [record] = await api.accounts.listKeys(accountId)
  await api.accounts.revokeKey(record!.id, 1)
}

test('none, mistyped, unknown, revoked and of another scope are one and the same 401', async () => {
  const revoked = await api.newKey()
  await revoke(revoked.accountId)
  const lab = await api.newKey('orders', 'lab')
  const typo = api.key.slice(0, -1) + (api.key.endsWith('a') ? 'b' : 'a')
  const keys = [null, '', 'x', typo, makeApiKey('orders'), revoked.key, lab.key, 'a'.repeat(5000)]
  const responses = await Promise.all(
    keys.map(key => api.call(SESSIONS, { key, headers: { 'x-request-id': 'same' } })),
  )
  const seen = responses.map(({ status, headers, body }) => {
    const shown = [...headers].filter(([name]) => name !== 'date')
    return JSON.stringify([status, shown, body.toString()])
  })
  expect(new Set(seen).size).toBe(1)
  expect(responses[0]!.status).toBe(401)
  expect(responses[0]!.json.error.code).toBe('no_key')
  expect(responses[0]!.headers.get('www-authenticate')).toBe('Bearer')
})

test.each([
  ['Bearer KEY', 200],
  ['bearer KEY', 200],
  ['Bearer  KEY', 200],
  ['Basic KEY', 401],
  ['KEY', 401],
  ['Bearer KEY KEY', 401],
  ['Bearer "KEY"', 401],
])('Authorization: %s gives %i', async (header, status) => {
  const authorization = header.replaceAll('KEY', api.key)
  const response = await api.call(SESSIONS, { key: null, headers: { authorization } })
  expect(response.status).toBe(status)
})

test('a key in the address or in a cookie opens nothing', async () => {
  const cookie = `key=${api.key}`
  const response = await api.call(`${SESSIONS}?key=${api.key}`, { key: null, headers: { cookie } })
  expect(response.status).toBe(401)
})

test('a key revoked between two calls of one connection is refused at the second', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports: (number | undefined)[] = []
  const callOnce = () =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${api.key}` }
      const sent = request({ agent, port: api.port, path: SESSIONS, headers }, res => {
        ports.push(res.socket.localPort)
        res.resume().on('end', () => resolve(res.statusCode!))
      })
      sent.on('error', reject).end()
    })
  expect(await callOnce()).toBe(200)
  await revoke(api.accountId)
  expect(await callOnce()).toBe(401)
  expect(ports[0]).toBe(ports[1])
  agent.destroy()
})

test('the log has the request id and the masked key of each call, never a key', async () => {
  await api.call(`${SESSIONS}?k=${api.key}`, { headers: { 'x-request-id': 'abc-1' } })
  await api.call(`/orders/api/${api.key}`, { headers: { 'x-request-id': 'no spaces' } })
  await api.call(SESSIONS, { key: makeApiKey('orders') })
  const escaped = `/orders/api/${api.key.replace('_', '%5F')}`
  await api.call(escaped, { headers: { 'x-request-id': api.key } })
  const lines = api.logged.filter(line => line.message === 'answered').map(line => line.fields)
  const shownKey = `ordk_…${api.key.slice(-4)}`
  expect(lines).toMatchObject([
    { requestId: 'abc-1', path: SESSIONS, status: 200, shownKey, accountId: api.accountId },
    { requestId: expect.stringMatching(/^[0-9a-f-]{36}$/), path: `/orders/api/${shownKey}` },
    { status: 401, method: 'GET' },
    { requestId: expect.stringMatching(/^[0-9a-f-]{36}$/), path: `/orders/api/${shownKey}` },
  ])
  const text = JSON.stringify(api.logged)
  expect(text).not.toContain(api.key.slice(5, 20))
  expect(text.toLowerCase()).not.toContain('bearer')
})
