// The verbs of `tapefold webhook` that work on an account, and `alert events`.

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { perform } from '../../../src/cli/perform.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { verifyWebhook } from '../../../src/platform/webhooks/verify.ts'
import {
  accountFilePath,
  openAccountStore,
  type ServerStore,
} from '../../../src/server/accountStore.ts'
import { readBodyVectors } from '../../support/alertBodies.ts'
import { beginAll, findMinute, single, went } from '../../support/outbox.ts'
import { openReceiver } from '../../support/receiver.ts'

let folder: string
let store: ServerStore
let account: string
const URL_SAVED = 'https://1.1.1.1/hook'

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-webhook-'))
  store = await openAccountStore(accountFilePath(folder))
  account = (await store.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 0 })).id
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await store.close()
  rmSync(folder, { recursive: true })
})

/** Output of the command; ACCOUNT stands for the account. */
async function run(command: 'webhook' | 'alert', ...words: string[]): Promise<string> {
  const written: string[] = []
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation(text => {
      written.push(String(text))
      return true
    })
  }
  const args = words.map(word => (word === 'ACCOUNT' ? account : word))
  await perform([command, ...args, '--data', folder]).finally(() => vi.restoreAllMocks())
  return written.join('')
}

/** Sends the account the first vector, and returns its id. */
async function tellVector(owner: 'alerts' | 'p_4fQ8sK2mZx0T' = 'alerts'): Promise<string> {
  const bodies = readBodyVectors().map(vector => JSON.parse(vector.body))
  const { id, ...body } = bodies.find(one => (one.position_id ?? 'alerts') === owner)
  const reported = { id, owner, type: body.type, minuteEndMs: null, body: JSON.stringify(body) }
  await store.outbox.queueEvent(single(1, account, reported))
  return id
}

const findSecret = (text: string) => /whsec_[A-Za-z0-9+/]{40}/.exec(text)?.[0]

test('the first save makes a secret and prints it once; rotate prints another', async () => {
  const saved = await run('webhook', 'save', 'ACCOUNT', 'https://1.1.1.1:443/hook')
  const secret = findSecret(saved)
  expect(saved).toBe(`${URL_SAVED} is saved, and on\nits secret is ${secret}\n`)
  expect(await run('webhook', 'save', 'ACCOUNT', URL_SAVED)).toBe(`${URL_SAVED} is saved, and on\n`)
  const shown = await run('webhook', 'show', 'ACCOUNT')
  expect(shown).toMatch(
    /^alerts {2}https:\/\/1\.1\.1\.1\/hook {2}on since .*, 0 failed in a row\n$/,
  )
  expect(findSecret(await run('webhook', 'show', 'ACCOUNT', '--secret'))).toBe(secret)
  const rotated = findSecret(await run('webhook', 'rotate', 'ACCOUNT'))
  expect(rotated).not.toBe(secret)
  expect(findSecret(await run('webhook', 'show', 'ACCOUNT', '--secret'))).toBe(rotated)
  for (const file of ['accounts.sqlite', 'accounts.sqlite-wal']) {
    const bytes = readFileSync(join(folder, file), 'latin1')
    for (const one of [secret, rotated]) expect(bytes).not.toContain(one!.slice(6))
  }
  expect(await run('webhook', 'remove', 'ACCOUNT')).toBe('the webhook of the alerts is removed\n')
  expect(await run('webhook', 'show', 'ACCOUNT')).toBe('there is no webhook\n')
})

test('a webhook that is off is shown with why, and saving its address switches it on', async () => {
  await run('webhook', 'save', 'ACCOUNT', URL_SAVED)
  for (let id = 1; id <= 10; id++) {
    await store.outbox.queueEvent(single(id, account, { minuteEndMs: null }))
    const [begun] = went(await beginAll(store.outbox))
    const outcome = {
      result: 'failed',
      status: 410,
      error: null,
      ms: 9,
      address: '1.1.1.1',
    } as const
    const end = { deliveryId: begun!.deliveryId, attempt: 1, outcome, dueAtMs: null }
    await store.outbox.endAttempts({ nowMs: 1, ends: [end] })
  }
  expect(await run('webhook', 'show', 'ACCOUNT')).toMatch(/ {2}off: .+, 10 failed in a row\n$/)
  await run('webhook', 'save', 'ACCOUNT', URL_SAVED)
  expect(await run('webhook', 'show', 'ACCOUNT')).toMatch(/ {2}on since .+, 0 failed in a row\n$/)
})

test('a test is queued, and its deliveries and events are listed', async () => {
  await run('webhook', 'save', 'ACCOUNT', URL_SAVED)
  const queued = await run('webhook', 'test', 'ACCOUNT')
  const [id] = /evt_[0-9a-f]{32}/.exec(queued)!
  expect(queued).toContain(`webhook deliveries ${account} --event ${id}`)
  const [begun] = went(await beginAll(store.outbox, systemClock.nowMs()))
  const outcome = { result: 'sent', status: 204, error: null, ms: 9, address: '1.1.1.1' } as const
  const end = { deliveryId: begun!.deliveryId, attempt: 1, outcome, dueAtMs: null }
  await store.outbox.endAttempts({ nowMs: 1, ends: [end] })
  const reported = await run('webhook', 'deliveries', 'ACCOUNT', '--event', id)
  expect(reported).toMatch(
    new RegExp(
      `^20.* {2}${id} {2}test {2}webhook {2}sent\n {2}1 .* sent {2}204 {2}9 ms {2}1.1.1.1\n$`,
    ),
  )
  const json = await run('webhook', 'deliveries', 'ACCOUNT', '--json', '--limit', '1')
  expect(JSON.parse(json).deliveries).toMatchObject([{ event: id, attempts: [{ status: 204 }] }])
  const listed = await run('alert', 'events', 'ACCOUNT', '--type', 'test', '--limit', '1')
  expect(listed).toContain(`${id}  test  Test of the alerts webhook, sent on demand.\n`)
  expect(await run('alert', 'events', 'ACCOUNT', '--day', '2020-01-02')).toBe('no events\n')
})

test('events are listed by pages, and those of a replay by its name', async () => {
  for (const id of [1, 2, 3]) await store.outbox.queueEvent(single(id, account))
  await store.outbox.queueEvent(single(4, account, { run: 'replay_000000000000' }))
  const page = await run('alert', 'events', 'ACCOUNT', '--limit', '2')
  const [, last] = /there are more: --after (\d+)\n$/.exec(page)!
  const rest = await run('alert', 'events', 'ACCOUNT', '--after', last!)
  expect(rest.split('\n')).toHaveLength(2)
  const replay = await run('alert', 'events', 'ACCOUNT', '--run', 'replay_000000000000', '--json')
  expect(JSON.parse(replay).events).toHaveLength(1)
})

test('an account with events of a replay alone reads how to list those', async () => {
  expect(await run('alert', 'events', 'ACCOUNT')).toBe('no events\n')
  await store.outbox.takeMinute(findMinute([], { run: 'replay_000000000000' }))
  expect(await run('alert', 'events', 'ACCOUNT')).toBe(
    'no events; a replay has its own: --run replay_000000000000\n',
  )
  expect(await run('alert', 'events', 'ACCOUNT', '--run', 'replay_000000000000')).toBe(
    'no events\n',
  )
})

test.each([
  ['alerts', false],
  ['p_4fQ8sK2mZx0T', true],
] as const)('an event of %s is sent from this shell to loopback, signed', async (owner, isOld) => {
  await run('webhook', 'save', 'ACCOUNT', URL_SAVED)
  const secret = findSecret(await run('webhook', 'show', 'ACCOUNT', '--secret'))!
  const id = await tellVector(owner)
  const received: { headers: Record<string, unknown>; body: Buffer }[] = []
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    received.push({ headers: req.headers, body: Buffer.concat(chunks) })
    res.writeHead(received.length === 1 ? 204 : 500).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`
  expect(await run('webhook', 'replay', 'ACCOUNT', id, '--to', to)).toBe(
    `${id} was sent to ${to}: 204\n`,
  )
  const [call] = received
  const { headers, body } = call!
  const check = { headers: headers as never, body, secret, nowMs: systemClock.nowMs() }
  expect(verifyWebhook(check)).toBe(true)
  expect(JSON.parse(body.toString()).id).toBe(id)
  expect(headers['x-service-signature-v0'] !== undefined).toBe(isOld)
  await expect(run('webhook', 'replay', 'ACCOUNT', id, '--to', to)).rejects.toThrow(
    `${to} did not take it: 500.`,
  )
  server.close()
  // nothing of it is in the log
  const { deliveries } = JSON.parse(await run('webhook', 'deliveries', 'ACCOUNT', '--json'))
  expect(deliveries).toHaveLength(1)
  expect(deliveries[0].attempts).toEqual([])
})

test('without --to an event goes to the saved address, as a server would send it', async () => {
  const receiver = await openReceiver()
  vi.stubEnv('TAPEFOLD_WEBHOOK_ALLOW', `127.0.0.1:${receiver.port}`)
  await run('webhook', 'save', 'ACCOUNT', `https://127.0.0.1:${receiver.port}/in`)
  const id = await tellVector()
  // its certificate signs itself, and nobody here trusts it
  await expect(run('webhook', 'replay', 'ACCOUNT', id)).rejects.toThrow(
    /did not take it: tls after/,
  )
  vi.unstubAllEnvs()
  await expect(run('webhook', 'replay', 'ACCOUNT', id)).rejects.toThrow(/: refused_address after/)
  expect(receiver.received).toEqual([])
  await receiver.close()
})

const ID = 'evt_00000000000000000000000000000000'

test.each([
  ['webhook show acc_none', 'account acc_none does not exist; `account list` shows ids'],
  ['webhook save ACCOUNT http://1.1.1.1', 'the address is "http://1.1.1.1", which does n'],
  ['webhook save ACCOUNT https://127.0.0.1/', 'the address is "https://127.0.0.1/", whi'],
  ['webhook show ACCOUNT --secret', 'this account has no secret yet; saving a webhook'],
  ['webhook remove ACCOUNT', 'this account has no webhook for alerts.'],
  ['webhook test ACCOUNT', 'this account has no webhook for alerts; save its address on'],
  ['webhook test ACCOUNT --position p_1', 'this account keeps no position with this'],
  [`webhook replay ACCOUNT ${ID}`, 'this account has no event with this id; GET /api/alerts'],
  [`webhook deliveries ACCOUNT --event ${ID}`, 'this account has no event with this id; '],
  ['alert events ACCOUNT --type x', '--type is x; give one of flip_cross, wall_brea'],
])('%s is refused in one sentence', async (line, sentence) => {
  const [command, ...words] = line.split(' ') as ['webhook' | 'alert', ...string[]]
  const error = await run(command, ...words).catch(thrown => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(error.message.slice(0, sentence.length)).toBe(sentence)
})

test.each(['ftp://127.0.0.1/', 'http://example.com/', 'no address'])(
  'an event is not sent to %s',
  async to => {
    await run('webhook', 'save', 'ACCOUNT', URL_SAVED)
    const id = await tellVector()
    await expect(run('webhook', 'replay', 'ACCOUNT', id, '--to', to)).rejects.toThrow(
      `--to is "${to}"; give an https:// address, or http:// on this machine, such as http://127`,
    )
  },
)
