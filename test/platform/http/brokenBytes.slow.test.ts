// Requests that are broken as bytes: the parser of HTTP refuses them in the envelope.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw, startTestApi, type TestApi } from '../../support/api.ts'

const SEED = 20261014
const RAW_COUNT = 1_000
const CONNECTIONS = 32

let api: TestApi
let key: string
beforeAll(async () => {
  api = await startTestApi()
  key = (await api.newKey('orders_team')).key
})
afterAll(() => api.close())

test('1,000 broken byte streams: each gets 4xx in the envelope, or is closed', async () => {
  const valid = `GET /orders/api/latest HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const flaw = fc.record({
    at: fc.nat(valid.length),
    cut: fc.integer({ min: 0, max: 6 }),
    put: fc.uint8Array({ maxLength: 12 }),
  })
  const sample = fc.sample(fc.array(flaw, { minLength: 1, maxLength: 3 }), {
    seed: SEED,
    numRuns: RAW_COUNT,
  })
  let refused = 0
  const client = async () => {
    for (let flaws = sample.pop(); flaws; flaws = sample.pop()) {
      let text = Buffer.from(valid)
      for (const { at, cut, put } of flaws) {
        text = Buffer.concat([text.subarray(0, at), put, text.subarray(at + cut)])
      }
      const response = await sendRaw(api.port, text)
      if (response === '') continue
      const [head, body] = response.split('\r\n\r\n') as [string, string]
      expect(head, text.toString('latin1')).toMatch(/^HTTP\/1\.1 (200|4\d\d) /)
      if (!head.startsWith('HTTP/1.1 4')) continue
      refused++
      const length = Number(/content-length: (\d+)/i.exec(head)![1])
      expect(JSON.parse(body.slice(0, length)).error.code).toMatch(/^[a-z_]+$/)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  expect(refused).toBeGreaterThan(RAW_COUNT / 2)
  expect((await api.call('/orders/api/latest')).status).toBe(200)
})
