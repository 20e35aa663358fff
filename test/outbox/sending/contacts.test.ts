// Mail and Telegram next to webhooks: when they are attempted, and that nobody waits for
// another.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSenders } from '../../../src/outbox/sending/contacts.ts'
import type { Sender } from '../../../src/outbox/sending/sender.ts'
import type { ContactChannel } from '../../../src/outbox/store/types.ts'
import type { Mailer } from '../../../src/platform/notices/mailer.ts'
import type { Notices } from '../../../src/platform/notices/notices.ts'
import type { NoticeOutcome } from '../../../src/platform/notices/outcome.ts'
import type { Telegram } from '../../../src/platform/notices/telegram.ts'
import { openTestOutbox, START_MS, type TestOutbox } from '../../support/sending.ts'

let outbox: TestOutbox
let sent: [channel: string, to: string, atMs: number][]
let underway: number
let mostUnderway: number
let logged: string[]
beforeEach(async () => {
  outbox = await openTestOutbox()
  sent = []
  underway = 0
  mostUnderway = 0
  logged = []
})
afterEach(() => outbox.close())

type StagedOutcome = Partial<NoticeOutcome> & {
  readonly afterMs?: number
  readonly isShut?: boolean
}
type Say = (channel: ContactChannel, count: number, to: string) => StagedOutcome

/** Notices that send nothing, and say of each try what a test wants. */
function noticesThat(say: Say, has = BOTH): Notices {
  const counts = new Map<string, number>()
  const send = async (channel: ContactChannel, to: string) => {
    const count = (counts.get(`${channel} ${to}`) ?? 0) + 1
    counts.set(`${channel} ${to}`, count)
    sent.push([channel, to, outbox.time.nowMs() - START_MS])
    mostUnderway = Math.max(mostUnderway, ++underway)
    const { afterMs = 0, isShut = false, ...outcome } = say(channel, count, to)
    if (afterMs > 0) await outbox.time.sleep(afterMs)
    underway--
    const usual = { result: 'sent', status: null, error: null, address: null } as const
    return { ...usual, ms: afterMs, waitMs: 0, isShut, ...outcome }
  }
  const mailer: Mailer = { send: ({ to }) => send('email', to), close: () => {} }
  const telegram: Telegram = { send: ({ chat }) => send('telegram', chat) }
  return {
    mailer: has.includes('email') ? mailer : null,
    telegram: has.includes('telegram') ? telegram : null,
    siteUrl: 'https://tapefold.example',
    close: () => {},
  }
}

const BOTH: readonly ContactChannel[] = ['email', 'telegram']

function start(notices: Notices, webhookMs = 0): Sender {
  const { time, store } = outbox
  const sender = openSenders({
    outbox: store.outbox,
    notices,
    holder: 'one',
    nowMs: time.nowMs,
    timers: time.timers,
    log: {
      info: (_fields, text) => logged.push(text),
      error: (fields, text) =>
        'err' in (fields as object) ? Promise.reject(fields) : logged.push(text),
    },
    webhook: {
      gapsMs: [1000, 4000],
      send: async ({ accountId }) => {
        sent.push(['webhook', accountId, time.nowMs() - START_MS])
        if (webhookMs > 0) await time.sleep(webhookMs)
        return { result: 'sent', status: 200, error: null, ms: webhookMs, address: null }
      },
    },
  })
  sender.start()
  return sender
}

async function newContact(accountId: string, channel: ContactChannel, address: string) {
  const request = { accountId, channel, address, isForAlerts: true, atMs: START_MS }
  const added = await outbox.store.outbox.addContact(request)
  if (typeof added === 'string') throw new Error(added)
  const { contact, code } = added
  const proving = { accountId, contactId: contact.id, code, atMs: START_MS }
  expect(await outbox.store.outbox.proveContact(proving)).toBe('proven')
}

const body = (text: string) => ({ body: JSON.stringify({ version: 1, type: 'flip_cross', text }) })
const queue = (accountId: string, channels: readonly ('webhook' | ContactChannel)[]) =>
  outbox.queue(accountId, { channels, ...body('SPX is below.') })

test('a mail is attempted at 0, 5 and 30 s, and then it has failed', async () => {
  const id = await outbox.newAccount()
  await newContact(id, 'email', 'desk@example.com')
  await queue(id, ['email'])
  start(noticesThat(() => ({ result: 'retry', status: 451 })))
  await outbox.time.advance(120_000)
  expect(sent.map(([, , atMs]) => atMs)).toEqual([0, 5_000, 30_000])
  expect(await outbox.deliveriesOf(id)).toMatchObject([
    { channel: 'email', state: 'failed', endedAttempts: 3, attempts: [{ status: 451 }, {}, {}] },
  ])
})

test('a delay that a receiver requests is observed, at most three attempts in all', async () => {
  const id = await outbox.newAccount()
  await newContact(id, 'telegram', '4711')
  await queue(id, ['telegram'])
  start(
    noticesThat((_, count) =>
      count === 1 ? { result: 'retry', status: 429, waitMs: 17_000 } : { result: 'sent' },
    ),
  )
  await outbox.time.advance(60_000)
  expect(sent.map(([, , atMs]) => atMs)).toEqual([0, 17_000])
  expect(await outbox.deliveriesOf(id)).toMatchObject([{ state: 'sent', endedAttempts: 2 }])
})

test('a chat that shuts the bot out is attempted once, and then it is no contact', async () => {
  const id = await outbox.newAccount()
  await newContact(id, 'telegram', '4711')
  for (let count = 0; count < 3; count++) await queue(id, ['telegram'])
  start(noticesThat(() => ({ result: 'failed', status: 403, isShut: true })))
  await outbox.time.advance(60_000)
  expect(sent).toHaveLength(1)
  const states = (await outbox.deliveriesOf(id)).map(({ state, reason }) => [state, reason])
  expect(states.reverse()).toEqual([
    ['failed', null],
    ['dropped', 'no_contact'],
    ['dropped', 'no_contact'],
  ])
  expect(await outbox.store.outbox.listContacts(id)).toMatchObject([{ isProven: false }])
})

const MOVED = { result: 'retry', status: 400, error: 'moved', movedTo: '-1001557912345' } as const
const sayMoved: Say = (_channel, _count, to) => (to === '-4711' ? MOVED : {})
const listContacts = async (accountId: string) =>
  (await outbox.store.outbox.listContacts(accountId)).map(one => {
    return [one.address, one.isProven, one.reason]
  })

test('a group that has moved is followed once, and the contact has its new chat', async () => {
  const id = await outbox.newAccount()
  await newContact(id, 'telegram', '-4711')
  for (let count = 0; count < 3; count++) await queue(id, ['telegram'])
  start(noticesThat(sayMoved))
  await outbox.time.advance(10_000)
  expect(sent.map(([, to]) => to)).toEqual(['-4711', ...Array(3).fill('-1001557912345')])
  expect(await listContacts(id)).toEqual([['-1001557912345', true, null]])
  const deliveries = (await outbox.deliveriesOf(id)).reverse()
  expect(deliveries).toMatchObject([
    {
      state: 'sent',
      endedAttempts: 1,
      attempts: [
        { number: 1, result: 'retry', status: 400, error: 'moved' },
        { number: 2, result: 'sent', error: null },
      ],
    },
    ...Array(2).fill({ state: 'sent', endedAttempts: 1, attempts: [{}] }),
  ])
  expect(deliveries[0]!.attempts[1]!.beganAtMs - START_MS).toBeLessThan(1_000)
  expect(logged).toEqual(['a contact has moved; it is followed'])
})

test('a group that has moved is followed after two failed attempts, too', async () => {
  const id = await outbox.newAccount()
  await newContact(id, 'telegram', '-4711')
  await queue(id, ['telegram'])
  start(
    noticesThat((channel, count, to) =>
      to === '-4711' && count < 3 ? { result: 'retry', status: 502 } : sayMoved(channel, count, to),
    ),
  )
  await outbox.time.advance(60_000)
  expect(sent.map(([, to]) => to)).toEqual(['-4711', '-4711', '-4711', '-1001557912345'])
  expect(await outbox.deliveriesOf(id)).toMatchObject([{ state: 'sent', endedAttempts: 3 }])
})

test('a sender that is killed behind the move sends once, to the new chat', async () => {
  const id = await outbox.newAccount()
  await newContact(id, 'telegram', '-4711')
  await queue(id, ['telegram'])
  const killed = outbox.sender(() => ({ result: 'sent' }), {
    channels: { telegram: { gapsMs: [5_000], send: () => new Promise(() => {}) } },
  })
  killed.start()
  await outbox.time.advance(100)
  void killed.stop()
  expect(await listContacts(id)).toEqual([['-4711', true, null]])
  await outbox.time.advance(60_000)
  const [store, nowMs] = [outbox.store.outbox, outbox.time.nowMs()]
  const claim = { nowMs, holder: 'next', leaseMs: 30_000, limit: 1, accountMax: 1, busy: [] }
  const { deliveryId } = (await store.claim(claim))[0]!
  const [begun] = await store.beginAttempts({
    ...claim,
    deliveryIds: [deliveryId],
    hasPutSupport: false,
  })
  expect(begun).toMatchObject({ kind: 'go', attempt: 2, address: '-4711' })
  const outcome = { ...MOVED, ms: 5, address: null }
  await store.endAttempts({ nowMs, ends: [{ deliveryId, attempt: 2, outcome, dueAtMs: nowMs }] })
  start(noticesThat(sayMoved))
  await outbox.time.advance(10_000)
  expect(sent.map(([, to]) => to)).toEqual(['-1001557912345'])
  expect(await outbox.deliveriesOf(id)).toMatchObject([{ state: 'sent', endedAttempts: 1 }])
})

test('a group that is another contact by now is shut, and gets each alert once', async () => {
  const id = await outbox.newAccount()
  await newContact(id, 'telegram', '-4711')
  await newContact(id, 'telegram', '-1001557912345')
  for (let count = 0; count < 2; count++) await queue(id, ['telegram'])
  start(noticesThat(sayMoved))
  await outbox.time.advance(60_000)
  expect(sent.filter(([, to]) => to === '-1001557912345')).toHaveLength(2)
  expect(sent.filter(([, to]) => to === '-4711')).toHaveLength(1)
  const reason =
    'Telegram says that this group is the chat -1001557912345 now, which is another contact of ' +
    'this account'
  expect((await listContacts(id)).toSorted()).toEqual([
    ['-1001557912345', true, null],
    ['-4711', false, reason],
  ])
  const states = (await outbox.deliveriesOf(id)).map(({ state, reason: why }) => [state, why])
  expect(states.toSorted()).toEqual([
    ['dropped', 'no_contact'],
    ['failed', null],
    ['sent', null],
    ['sent', null],
  ])
})

test('100 chats at a second each wait in the database: webhooks and mails go at once', async () => {
  const ids: string[] = []
  for (let index = 0; index < 100; index++) {
    const id = await outbox.newAccount()
    await newContact(id, 'telegram', String(1_000 + index))
    if (index < 4) await newContact(id, 'email', `${index}@example.com`)
    await queue(id, ['telegram', 'email', 'webhook'])
    ids.push(id)
  }
  start(noticesThat(channel => ({ afterMs: channel === 'telegram' ? 1_000 : 0 })))
  await outbox.time.advance(60_000)
  const of = (channel: string) => sent.filter(one => one[0] === channel)
  const last = (channel: string) => Math.max(...of(channel).map(([, , atMs]) => atMs))
  expect([of('webhook').length, of('email').length, of('telegram').length]).toEqual([100, 4, 100])
  expect([last('webhook'), last('email')]).toEqual([0, 0])
  expect(mostUnderway).toBeLessThanOrEqual(25 + 4)
  for (const id of ids) {
    const deliveries = await outbox.deliveriesOf(id)
    expect(deliveries.map(({ state, endedAttempts }) => [state, endedAttempts])).toEqual(
      deliveries.map(() => ['sent', 1]),
    )
  }
})

test('one account with 20 messages leaves the others of a channel their share', async () => {
  const [busy, other] = [await outbox.newAccount(), await outbox.newAccount()]
  await newContact(busy, 'telegram', '1')
  await newContact(other, 'telegram', '2')
  for (let index = 0; index < 20; index++) await queue(busy, ['telegram'])
  await queue(other, ['telegram'])
  start(noticesThat(() => ({ afterMs: 1_000 })))
  await outbox.time.advance(60_000)
  expect(sent.find(([, to]) => to === '2')![2]).toBe(0)
  expect(sent).toHaveLength(21)
})

test('what is not set up has failed at its first try, and the log says why', async () => {
  const id = await outbox.newAccount()
  await newContact(id, 'email', 'desk@example.com')
  await newContact(id, 'telegram', '4711')
  await queue(id, ['webhook', 'email', 'telegram'])
  start(noticesThat(() => ({}), ['telegram']))
  await outbox.time.advance(1_000)
  const states = (await outbox.deliveriesOf(id)).map(({ channel, state, attempts }) => {
    return [channel, state, attempts[0]!.error]
  })
  expect(states.sort()).toEqual([
    ['email', 'failed', 'not_configured'],
    ['telegram', 'sent', null],
    ['webhook', 'sent', null],
  ])
})

test('to stop waits for what is under way, and is written', async () => {
  const id = await outbox.newAccount()
  await newContact(id, 'email', 'desk@example.com')
  await queue(id, ['email', 'webhook'])
  const sender = start(
    noticesThat(() => ({ afterMs: 2_000 })),
    2_000,
  )
  await outbox.time.advance(1_000)
  const stopped = sender.stop()
  await outbox.time.advance(5_000)
  await stopped
  expect((await outbox.deliveriesOf(id)).map(({ state }) => state)).toEqual(['sent', 'sent'])
})
