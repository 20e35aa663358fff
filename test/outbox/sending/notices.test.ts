// From the queue to a mail server and a bot's server, and what is stored of it: never a secret.

import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSenders } from '../../../src/outbox/sending/contacts.ts'
import type { Sender } from '../../../src/outbox/sending/sender.ts'
import { systemTimers } from '../../../src/outbox/sending/timers.ts'
import { openNotices } from '../../../src/platform/notices/notices.ts'
import { parseTelegramUrl } from '../../../src/platform/notices/settings.ts'
import { openTestOutbox, type TestOutbox } from '../../support/sending.ts'
import { startSmtp, type TestSmtp } from '../../support/smtp.ts'
import { respondJson, startTelegram, type TestTelegram, TOKEN } from '../../support/telegram.ts'

const PASSWORD = 'canary-P@ssword'
const SITE = 'https://tapefold.example'

let outbox: TestOutbox
let smtp: TestSmtp
let telegram: TestTelegram
let sender: Sender
let logged: unknown[]
let refusal: { mail: number; chat: number } | null
let closeNotices: () => void

beforeEach(async () => {
  outbox = await openTestOutbox()
  logged = []
  refusal = null
  smtp = await startSmtp({
    authOptional: false,
    onAuth: ({ password }, _, done) => done(null, password === PASSWORD ? { user: 'u' } : {}),
    onRcptTo: (_, __, done) =>
      refusal
        ? done(Object.assign(new Error(`${PASSWORD} ${TOKEN}`), { responseCode: refusal.mail }))
        : done(),
  })
  telegram = await startTelegram((_, res) => {
    if (!refusal) return false
    const description = `${PASSWORD} ${TOKEN}`
    return respondJson(res, refusal.chat, { ok: false, error_code: refusal.chat, description })
  })
  const server = smtp.server({ user: 'u', pass: PASSWORD })
  const mail = { server, from: 'alerts@tapefold.example', trusted: smtp.trusted }
  const settings = { mail, telegramUrl: parseTelegramUrl(telegram.url), siteUrl: SITE }
  const notices = openNotices(settings, () => performance.now())
  closeNotices = notices.close
  sender = openSenders({
    outbox: outbox.store.outbox,
    notices,
    holder: 'one',
    nowMs: outbox.time.nowMs,
    timers: systemTimers,
    log: {
      info: (...line) => void logged.push(line),
      error: (...line) => void logged.push(line),
    },
    webhook: {
      gapsMs: [],
      send: async () => ({ result: 'sent', status: 200, error: null, ms: 0, address: null }),
    },
  })
})
afterEach(async () => {
  await sender.stop()
  closeNotices()
  await smtp.close()
  await telegram.close()
  await outbox.close()
})

async function newReceiver(): Promise<string> {
  const accountId = await outbox.newAccount()
  for (const [channel, address] of [
    ['email', 'desk@example.com'],
    ['telegram', '4711'],
  ] as const) {
    const atMs = outbox.time.nowMs()
    const contact = { accountId, channel, address, isForAlerts: true, atMs }
    const added = await outbox.store.outbox.addContact(contact)
    if (typeof added === 'string') throw new Error(added)
    const proving = { accountId, contactId: added.contact.id, code: added.code, atMs }
    await outbox.store.outbox.proveContact(proving)
  }
  return accountId
}

/** States of the deliveries of an account, once none is under way. */
async function ended(accountId: string) {
  const underway = async () => {
    const all = await outbox.deliveriesOf(accountId)
    return all.filter(({ state }) => state === 'waiting' || state === 'trying').length
  }
  await expect.poll(underway, { timeout: 30_000 }).toBe(0)
  return await outbox.deliveriesOf(accountId)
}

const body = JSON.stringify({
  version: 1,
  type: 'label_changed',
  position_id: 'p_4fQ8',
  on: ['flip_near', 'gap'],
  simulated: true,
  text: 'Condor p_4fQ8 for 10:30 is CAUTION, was TRADE.',
})
const STOP =
  'To stop these messages, set the alerts of p_4fQ8 to off, or remove this contact: ' +
  `${SITE}/account#contacts`
const event = { body, owner: 'p_4fQ8', channels: ['email', 'telegram'] } as const

test('an event of a position comes by mail and by Telegram, the same words', async () => {
  const id = await newReceiver()
  const eventId = await outbox.queue(id, event)
  sender.start()
  const deliveries = await ended(id)
  expect(deliveries.map(({ channel, state }) => [channel, state]).sort()).toEqual([
    ['email', 'sent'],
    ['telegram', 'sent'],
  ])
  const contacts = await outbox.store.outbox.listContacts(id)
  const contact = contacts.find(({ channel }) => channel === 'email')
  expect(smtp.mails).toHaveLength(1)
  const [mail] = smtp.mails
  expect(mail!.head).toContain('Subject: SIMULATED: Tapefold: one of your positions')
  expect(mail!.head).toContain(`Message-ID: <${eventId}.${contact!.id}@tapefold.example>`)
  expect(mail!.text).toBe(`SIMULATED: Condor p_4fQ8 for 10:30 is CAUTION, was TRADE.
On: flip_near, gap.

${STOP}
`)
  expect(telegram.messages.map(({ body: sent }) => sent.text)).toEqual([mail!.text])
})

test('a disabled webhook is reported by both, in plain words', async () => {
  const id = await newReceiver()
  for (let count = 0; count < 10; count++) await outbox.queue(id)
  const { outbox: store } = outbox.store
  const atMs = outbox.time.nowMs()
  const claim = { nowMs: atMs, holder: 'other', leaseMs: 10_000 }
  const claimed = await store.claim({ ...claim, limit: 10, accountMax: 10, busy: [] })
  const deliveryIds = claimed.map(({ deliveryId }) => deliveryId)
  await store.beginAttempts({ ...claim, deliveryIds, hasPutSupport: false })
  const outcome = { result: 'failed', status: 410, error: null, ms: 1, address: null } as const
  const ends = deliveryIds.map(deliveryId => ({ deliveryId, attempt: 1, outcome, dueAtMs: null }))
  await store.endAttempts({ nowMs: atMs, ends })
  sender.start()
  await ended(id)
  const [mail, ...others] = smtp.mails
  expect(others).toEqual([])
  expect(mail!.head).toContain('Subject: Tapefold: your webhook went off')
  expect(mail!.text).toContain(
    'The webhook of your alerts to hooks.example.com went off on 2026-11-25 at 10:30 ET: 10 ' +
      'events in a row failed, the last with status 410. Nothing more is sent there.',
  )
  expect(telegram.messages.map(({ body: sent }) => sent.text)).toEqual([mail!.text])
})

test('of refusals the status is stored, and no word of their text', async () => {
  const id = await newReceiver()
  refusal = { mail: 550, chat: 400 }
  await outbox.queue(id, event)
  sender.start()
  const deliveries = await ended(id)
  const summaries = deliveries.map(({ channel, state, attempts }) => {
    return [channel, state, attempts.map(({ status, error }) => [status, error])]
  })
  expect(summaries.sort()).toEqual([
    ['email', 'failed', [[550, null]]],
    ['telegram', 'failed', [[400, null]]],
  ])
  const files = ['', '-wal'].map(end => readFileSync(outbox.file + end, 'latin1')).join('')
  expect(files).toContain('desk@example.com')
  for (const text of [files, JSON.stringify(logged)]) {
    expect(text).not.toMatch(/canary/)
    expect(text).not.toContain(TOKEN)
  }
})
