// From the account page to a receiver: saved, tested, delivered, verified with the shown secret.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSender } from '../../src/outbox/sending/sender.ts'
import { systemTimers } from '../../src/outbox/sending/timers.ts'
import { webhookSender } from '../../src/outbox/sending/webhook.ts'
import { openWebhookClient } from '../../src/platform/webhooks/client.ts'
import { tlsDial } from '../../src/platform/webhooks/connect.ts'
import { webhookTools } from '../../src/platform/webhooks/tools.ts'
import { verifyWebhook } from '../../src/platform/webhooks/verify.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { until } from '../support/clients.ts'
import { openReceiver, type Receiver, saying } from '../support/receiver.ts'
import { signedIn, type Visitor } from '../support/visitor.ts'

let api: TestApi
let receiver: Receiver
let visitor: Visitor
let status = 204
let stop: () => Promise<void>

beforeEach(async () => {
  status = 204
  receiver = await openReceiver((...call) => saying(status)(...call))
  const webhookAllowed = [`127.0.0.1:${receiver.port}`]
  api = await startTestApi({ webhookAllowed })
  visitor = await signedIn(api)
  const client = openWebhookClient({
    allowed: webhookAllowed,
    ownHosts: [],
    elapsedMs: () => api.clock.atMs,
    dial: tlsDial(receiver.ca),
  })
  const nowMs = () => api.clock.atMs
  const box = webhookTools({ dataFolder: api.dataFolder }).box()
  const sender = openSender({
    outbox: api.accounts.outbox,
    holder: 'one',
    nowMs,
    timers: systemTimers,
    channels: { webhook: webhookSender({ client, box, nowMs }) },
    log: { info: () => {}, error: () => {} },
  })
  sender.start()
  stop = async () => {
    await sender.stop()
    await client.close()
  }
})
afterEach(async () => {
  await stop()
  await api.close()
  await receiver.close()
})

const address = () => `https://127.0.0.1:${receiver.port}/in`
const findSecret = (html: string) => /whsec_[A-Za-z0-9+/]{40}/.exec(html)![0]
const isGood = (at: number, secret: string, legacy = false) => {
  const { headers, body } = receiver.received[at]!
  return verifyWebhook({ headers, body, secret, nowMs: api.clock.atMs, legacy })
}
const findState = async () =>
  (await api.call('/api/alerts/deliveries')).json.deliveries.map(
    (one: { state: string; attempts: { status: number }[] }) => [
      one.state,
      ...one.attempts.map(attempt => attempt.status),
    ],
  )
const ended = (count: number) =>
  until(async () => {
    const states = await findState()
    return states.length === count && states.every(([state]: [string]) => state === 'sent')
  })

test('a test arrives signed with the shown secret; a rotated one signs the next', async () => {
  const saved = await visitor.post('/account/webhook/save', { address: address() })
  const secret = findSecret(saved.html)
  await visitor.post('/account/webhook/test', {})
  await until(() => receiver.received.length === 1)
  expect(isGood(0, secret)).toBe(true)
  const rotated = findSecret((await visitor.post('/account/webhook/rotate', {})).html)
  const id = JSON.parse(receiver.received[0]!.body.toString()).id
  await ended(1)
  await visitor.post('/account/deliveries/again', { id })
  await until(() => receiver.received.length === 2)
  expect([isGood(1, rotated), isGood(1, secret)]).toEqual([true, false])
  expect(receiver.received[1]!.body).toEqual(receiver.received[0]!.body)
  expect(receiver.received[1]!.headers['x-service-event-id']).toBe(id)
})

test('the webhook of a position is signed both ways, with the same secret', async () => {
  const position = {
    kind: 'strangle',
    legs: { sp: 5950, sc: 6050 },
    entry: '10:30',
    alert: { channel: 'webhook', url: address() },
  }
  const body = JSON.stringify({ op: 'add', position })
  const { id } = (await api.call('/api/positions', { method: 'POST', body })).json
  const sent = JSON.stringify({ op: 'test', position: id })
  expect((await api.call('/api/alerts', { method: 'POST', body: sent })).status).toBe(200)
  await until(() => receiver.received.length === 1)
  const secret = findSecret((await visitor.post('/account/webhook/reveal', {})).html)
  // the clock of the test is before the last day of the old signature
  expect([isGood(0, secret), isGood(0, secret, true)]).toEqual([true, true])
  expect(JSON.parse(receiver.received[0]!.body.toString()).position_id).toBe(id)
})

test('a refusal stands in the deliveries with its status', async () => {
  status = 410
  await visitor.post('/account/webhook/save', { address: address() })
  await visitor.post('/account/webhook/test', {})
  await until(() => receiver.received.length === 1)
  await until(async () => (await findState())[0]?.[0] === 'failed')
  expect(await findState()).toEqual([['failed', 410]])
  const { html } = await visitor.get('/account')
  expect(html.replace(/<[^>]+>/g, ' ')).toContain('failed: 410, 0 ms, 127.0.0.1')
})
