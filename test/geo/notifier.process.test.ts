// Events of new records: sent once, as they were known then, signed in Geo's own way.

import { createHmac } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GeoReader, openGeo } from '../../src/geo/ask.ts'
import { openRecordNotifier } from '../../src/geo/notifier.ts'
import { RecordEvent } from '../../src/geo/schema.ts'
import { removeGeoWebhook, saveGeoWebhook, testGeoWebhook } from '../../src/geo/webhook.ts'
import { openSender } from '../../src/outbox/sending/sender.ts'
import { systemTimers } from '../../src/outbox/sending/timers.ts'
import { webhookSender } from '../../src/outbox/sending/webhook.ts'
import { secretAbout } from '../../src/platform/webhooks/secretBox.ts'
import { webhookTools } from '../../src/platform/webhooks/tools.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { EVENT, eventsText, findGeoFolder, importText } from '../support/geo.ts'

const NOW_MS = Date.parse('2026-10-14T14:00:00Z')
const ADDRESS = 'https://hooks.example/geo'

let folder: string
let accounts: ServerStore
let geo: GeoReader
let nowMs: number

beforeEach(async () => {
  folder = findGeoFolder()
  accounts = await openAccountStore(join(folder, 'accounts.sqlite'))
  geo = openGeo(folder)
  nowMs = NOW_MS
})
afterEach(async () => {
  await geo.reader.close()
  await accounts.close()
  rmSync(folder, { recursive: true, force: true })
})

const tools = () =>
  webhookTools({ dataFolder: folder }, async () => {
    return { kind: 'addresses', addresses: ['93.184.215.14'] }
  })

/** An account with a webhook that was saved at an instant. */
async function newEndpoint(savedAtMs = NOW_MS - 3_600_000, plan: 'geo' | 'orders' = 'geo') {
  const made = await accounts.addAccount({ name: 'desk', plan, createdAtMs: 1 })
  const account = (await accounts.findAccount(made.id))!
  const requested = { account, atMs: savedAtMs, address: ADDRESS }
  await saveGeoWebhook({ accounts, webhooks: tools() }, requested)
  return account
}

const changes = () => openRecordNotifier({ geo, accounts, nowMs: () => nowMs })

/** Bodies and headers of all that waits, sent to a receiver that takes them. */
async function sendAll() {
  const sent: { headers: Readonly<Record<string, string>>; body: Buffer }[] = []
  const post = async (call: { headers: Readonly<Record<string, string>>; body: Buffer }) => {
    sent.push(call)
    return { result: 'sent', status: 204, error: null, ms: 1, address: null } as const
  }
  const webhook = webhookSender({ client: { post }, box: tools().box(), nowMs: () => nowMs })
  const log = { info: () => {}, error: () => {} }
  const sender = openSender({
    outbox: accounts.outbox,
    channels: { webhook },
    holder: 'one',
    log,
    nowMs: () => nowMs,
    timers: systemTimers,
  })
  sender.start()
  for (;;) {
    const { waiting, trying } = await accounts.outbox.outboxState({ nowMs })
    if (waiting + trying === 0) break
    await new Promise(resolve => setImmediate(resolve))
  }
  await sender.stop()
  return sent
}

const bodies = async () => (await sendAll()).map(({ body }) => JSON.parse(body.toString()))

const eventAt = (id: string, added: string, more: Partial<typeof EVENT> = {}) => {
  return { ...EVENT, id, added, ...more }
}

test('a record is sent once, as it was known then, to each account with the plan', async () => {
  await newEndpoint()
  await importText(
    folder,
    'gdelt-events',
    eventsText([
      eventAt('1', '20261014134500'),
      // the same item, known fifteen minutes later: no event of its own
      eventAt('2', '20261014140000', { mentions: 900 }),
      eventAt('3', '20261014140000', { fips: 'IS' }),
      // too long ago, and not yet
      eventAt('4', '20261014070000', { fips: 'US' }),
      eventAt('5', '20261014141500', { fips: 'RS' }),
    ]),
  )
  expect(await changes().tick()).toBe(2)
  const sent = await bodies()
  expect(sent.map(body => RecordEvent.safeParse(body).success)).toEqual([true, true])
  expect(sent.map(({ known_at }) => known_at)).toEqual([
    '2026-10-14T13:45:00Z',
    '2026-10-14T14:00:00Z',
  ])
  expect(sent[0]).toMatchObject({
    version: 1,
    type: 'geo.record',
    ts: '2026-10-14T14:00:00Z',
    more: 0,
    simulated: false,
    items: [{ country: 'UA', events: 1, mentions: 12, updated_at: '2026-10-14T13:45:00Z' }],
    text: 'New: UA fight, 2026-10-14.',
  })
  expect(sent[1].items).toMatchObject([{ country: 'IL' }])
  nowMs += 15 * 60_000
  expect(await changes().tick()).toBe(1)
  expect((await bodies()).map(body => body.items[0].country)).toEqual(['RU'])
})

test('any number of processes, and any number of ticks, tell it once', async () => {
  await newEndpoint()
  await importText(folder, 'gdelt-events', eventsText([eventAt('1', '20261014134500')]))
  const several = [changes(), changes(), changes()]
  const counts = await Promise.all(several.map(one => one.tick()))
  expect(counts.toSorted()).toEqual([0, 0, 1])
  expect(await several[0]!.tick()).toBe(0)
  await importText(folder, 'gdelt-events', eventsText([eventAt('9', '20261014135900')]))
  // of the same item: nothing new became known
  expect(await several[0]!.tick()).toBe(0)
  expect(await bodies()).toHaveLength(1)
})

test('a record known before the address was saved, or without a plan, is not sent', async () => {
  await newEndpoint(NOW_MS - 600_000)
  const left = await newEndpoint()
  await accounts.removeProduct(left.id, 'geo')
  await importText(folder, 'gdelt-events', eventsText([eventAt('1', '20261014134500')]))
  expect(await changes().tick()).toBe(0)
  await expect(newEndpoint(NOW_MS, 'orders')).rejects.toThrow('this account has no geo plan')
})

test('a source that may not be passed on is not sent', async () => {
  await newEndpoint()
  const head = 'kind,date,country,code,source,known_at\n'
  await importText(
    folder,
    'geo-items',
    `${head}event,2026-10-14,IR,19,acled,2026-10-14T13:50:00Z\n`,
  )
  expect(await changes().tick()).toBe(0)
})

test('an event has 100 items at most and counts the rest, releases first', async () => {
  await newEndpoint()
  const fips = ['UP', 'IS', 'RS', 'US', 'FR', 'GM', 'UK', 'CH', 'IN', 'MX', 'BR', 'AR']
  const roots = ['10', '11', '12', '13', '14', '15', '16', '17', '18', '19']
  const events = fips.flatMap((index, at) =>
    roots.map((root, of) => eventAt(`${at}-${of}`, '20261014123000', { fips: index, root })),
  )
  await importText(folder, 'gdelt-events', eventsText(events))
  const releases = { release_dates: [{ release_id: 10, date: '2026-10-14' }] }
  await importText(folder, 'fred-release-dates', JSON.stringify(releases))
  nowMs = Date.parse('2026-10-14T12:31:00Z')
  await accounts.outbox.saveEndpoint({
    accountId: (await accounts.listAccounts())[0]!.id,
    owner: 'geo',
    url: ADDRESS,
    atMs: nowMs - 120_000,
  })
  expect(await changes().tick()).toBe(1)
  const [body] = await bodies()
  expect([body.items.length, body.more]).toEqual([100, 21])
  expect(body.items[0]).toMatchObject({ kind: 'release', label: 'consumer prices (CPI)' })
})

test('the signature is t and v1 over t, a dot and the body, by the account’s secret', async () => {
  const account = await newEndpoint()
  await testGeoWebhook({ accounts }, { account, atMs: nowMs })
  const [call] = await sendAll()
  const { sealed } = (await accounts.outbox.findSecret(account.id))!
  const secret = tools().box().open(sealed, secretAbout(account.id))!
  const time = NOW_MS / 1000
  const hex = createHmac('sha256', secret).update(`${time}.`).update(call!.body).digest('hex')
  const body = JSON.parse(call!.body.toString())
  expect(RecordEvent.safeParse(body).error).toBeUndefined()
  expect(call!.headers).toEqual({
    'Content-Type': 'application/json',
    'X-Geo-Event': 'geo.test',
    'X-Geo-Event-Id': body.id,
    'X-Geo-Signature': `t=${time},v1=${hex}`,
  })
})

test('a test reaches an address that is switched off, a record does not', async () => {
  const account = await newEndpoint()
  for (let failed = 0; failed < 10; failed++) await failOnce(account.id, failed)
  expect(await accounts.outbox.findEndpoint(account.id, 'geo')).toMatchObject({ state: 'off' })
  await importText(folder, 'gdelt-events', eventsText([eventAt('1', '20261014134500')]))
  expect(await changes().tick()).toBe(0)
  await testGeoWebhook({ accounts }, { account, atMs: nowMs })
  expect((await bodies()).map(({ type }) => type)).toEqual(['geo.test'])
  await removeGeoWebhook({ accounts }, { account })
  await expect(testGeoWebhook({ accounts }, { account, atMs: nowMs })).rejects.toThrow(
    'this account has no webhook for public records',
  )
  await expect(removeGeoWebhook({ accounts }, { account })).rejects.toThrow('no webhook')
})

/** Queues a record and ends its one try as a receiver that refuses it. */
async function failOnce(accountId: string, at: number): Promise<void> {
  const { outbox } = accounts
  await outbox.queueEvent({
    id: `evt_${String(at).padStart(32, '0')}`,
    accountId,
    type: 'geo.record',
    owner: 'geo',
    extra: null,
    minuteEndMs: null,
    priority: 3,
    channels: ['webhook'],
    body: '{}',
    run: 'geo',
    day: '2026-10-14',
    minute: null,
    atMs: nowMs,
  })
  const claim = { nowMs, holder: 'one', leaseMs: 60_000, limit: 9, accountMax: 9, busy: [] }
  const deliveryIds = (await outbox.claim(claim)).map(({ deliveryId }) => deliveryId)
  const attempted = { nowMs, holder: 'one', leaseMs: 60_000, deliveryIds, hasPutSupport: false }
  await outbox.beginAttempts(attempted)
  const outcome = { result: 'failed', status: 400, error: null, ms: 1, address: null } as const
  const ends = deliveryIds.map(deliveryId => ({ deliveryId, attempt: 1, outcome, dueAtMs: null }))
  await outbox.endAttempts({ nowMs, ends })
}

test('the alerts of the account list nothing of it', async () => {
  const account = await newEndpoint()
  const id = await testGeoWebhook({ accounts }, { account, atMs: nowMs })
  const { outbox } = accounts
  const requested = { accountId: account.id, hasPutSupport: false }
  const events = { ...requested, afterSeq: 0, limit: 9 }
  expect(await outbox.listEvents({ ...events, run: 'geo' })).toEqual([])
  expect(await outbox.findEvent({ ...requested, eventId: id })).toBeNull()
  expect(await outbox.listDeliveries({ accountId: account.id, limit: 9 })).toEqual([])
  expect(await outbox.redeliver({ accountId: account.id, eventId: id, atMs: 1 })).toBeNull()
  const own = await outbox.listDeliveries({ accountId: account.id, limit: 9, isGeo: true })
  expect(own).toMatchObject([{ eventId: id, type: 'geo.test', state: 'waiting' }])
})
