import { expect, test } from 'vitest'
import { webhookSender } from '../../../src/outbox/sending/webhook.ts'
import { makeSecret, openSecretBox, secretAbout } from '../../../src/platform/webhooks/secretBox.ts'
import { verifyWebhook } from '../../../src/platform/webhooks/verify.ts'

const NOW_MS = Date.parse('2026-11-25T15:30:00.500Z')
const OUTCOME = { result: 'sent', status: 204, error: null, ms: 5, address: '1.1.1.1' } as const
const box = openSecretBox({
  secretKey: Buffer.alloc(32, 7),
  databaseUrl: null,
  dataFolder: '/nowhere',
})

type Call = { url: string; headers: Readonly<Record<string, string>>; body: Buffer }

function openTest() {
  const calls: Call[] = []
  const post = async (call: Call) => {
    calls.push(call)
    return OUTCOME
  }
  const { send, gapsMs } = webhookSender({ client: { post }, box, nowMs: () => NOW_MS })
  const body = Buffer.from('{"version":1,"id":"evt_1","type":"test"}')
  const begun = (secret: string, owner = 'alerts', accountId = 'acc_1') => ({
    ...({ kind: 'go', channel: 'webhook', deliveryId: 1, attempt: 1, endedAttempts: 0 } as const),
    eventId: 'evt_1',
    type: 'test',
    owner,
    accountId,
    body,
    url: 'https://hooks.example.com/',
    sealedSecret: box.seal(secret, secretAbout('acc_1')),
  })
  return { calls, send, gapsMs, begun, body }
}

test('a try is signed with the secret that it has, at its own time', async () => {
  const { calls, send, begun, body } = openTest()
  const secrets = [makeSecret(), makeSecret()]
  for (const secret of secrets) expect(await send(begun(secret))).toEqual(OUTCOME)
  for (const [at, { headers, body: sent, url }] of calls.entries()) {
    expect([url, sent]).toEqual(['https://hooks.example.com/', body])
    const call = { headers, body: sent, nowMs: NOW_MS }
    expect(secrets.map(secret => verifyWebhook({ ...call, secret }))).toEqual([at === 0, at === 1])
    expect(headers['X-Service-Signature-V0']).toBeUndefined()
  }
})

test('an event of a position has the old signature next to the new one', async () => {
  const { calls, send, begun } = openTest()
  const secret = makeSecret()
  await send(begun(secret, 'p_4fQ8sK2mZx0T'))
  const [{ headers, body }] = calls as [Call]
  for (const legacy of [false, true]) {
    expect(verifyWebhook({ headers, body, secret, nowMs: NOW_MS, legacy })).toBe(true)
  }
})

test('a secret that nobody can open, or that is another account’s, sends nothing', async () => {
  const { calls, send, begun } = openTest()
  const failed = { result: 'failed', error: 'secret', status: null, ms: 0, address: null }
  expect(await send({ ...begun('x'), sealedSecret: 'v1.AAAA' })).toEqual(failed)
  expect(await send(begun(makeSecret(), 'alerts', 'acc_2'))).toEqual(failed)
  expect(calls).toEqual([])
})

test('there are three attempts, after 1 s and after 4 s', () => {
  expect(openTest().gapsMs).toEqual([1000, 4000])
})
