// Texts of events for people, from the bodies that webhooks get, and their recipients.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { plainText } from '../../../src/outbox/notices/plainText.ts'
import {
  CHAT_SHUT,
  contactSenders,
  LONGEST_ATTEMPT_MS,
} from '../../../src/outbox/notices/senders.ts'
import { eventWords } from '../../../src/outbox/notices/words.ts'
import { eventBody } from '../../../src/outbox/store/body.ts'
import { type Notices, openNotices } from '../../../src/platform/notices/notices.ts'
import { parseTelegramUrl } from '../../../src/platform/notices/settings.ts'
import { startSmtp, type TestSmtp } from '../../support/smtp.ts'
import { respondJson, startTelegram, type TestTelegram } from '../../support/telegram.ts'

const SITE = 'https://tapefold.example'

let smtp: TestSmtp
let telegram: TestTelegram
let notices: Notices
let isShut: boolean
let unproven: [string, string][]

beforeAll(async () => {
  smtp = await startSmtp()
  telegram = await startTelegram((_, res) => {
    return isShut && respondJson(res, 403, { ok: false, error_code: 403, description: 'blocked' })
  })
  const mail = { server: smtp.server(), from: 'alerts@tapefold.example', trusted: smtp.trusted }
  const telegramUrl = parseTelegramUrl(telegram.url)
  notices = openNotices({ mail, telegramUrl, siteUrl: SITE }, () => performance.now())
})
afterAll(async () => {
  notices.close()
  await smtp.close()
  await telegram.close()
})
beforeEach(() => {
  isShut = false
  unproven = []
})

// every kind of event, whole, written without this code
const FILE = join(import.meta.dirname, '../../vectors/alert_bodies.jsonl')
const BODIES: Record<string, unknown>[] = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(JSON.parse(line).body))

const makeAttempt = (body: object, more: object = {}) => ({
  eventId: 'evt_1',
  contactId: 'con_1',
  address: 'desk@example.com',
  atMs: 1e12,
  body: Buffer.from(JSON.stringify(body)),
  ...more,
})

const senders = () =>
  contactSenders(notices, {
    unproveContact: async (id, reason) => {
      unproven.push([id, reason])
      return true
    },
  })

test('every event has its text, its conditions that are on, and how to stop', () => {
  expect(BODIES).toHaveLength(13)
  const subjects = new Set<string>()
  for (const body of BODIES) {
    const { subject, text } = eventWords(Buffer.from(JSON.stringify(body)), SITE)
    const [first, ...lines] = text.split('\n')
    expect(first).toBe(body.text)
    const on = body.on as string[] | undefined
    expect(lines[0]).toBe(on ? `On: ${on.join(', ')}.` : '')
    expect(text).toContain('To stop these messages')
    expect(text).toContain(`${SITE}/account#contacts`)
    subjects.add(subject)
  }
  expect([...subjects].sort()).toEqual([
    'Tapefold: a test',
    'Tapefold: an alert',
    'Tapefold: one of your positions',
  ])
})

const STOP =
  'To stop these messages, set the alerts of p_4fQ8sK2mZx0T to off, or remove this contact: ' +
  `${SITE}/account#contacts`

test('the message of a changed label', () => {
  const body = BODIES.find(one => one.type === 'label_changed')!
  expect(eventWords(Buffer.from(JSON.stringify(body)), SITE).text).toBe(
    `Condor p_4fQ8sK2mZx0T for 10:30 is CAUTION, was TRADE: 3 conditions are on at 10:12 ET.
On: flip_near, gap, skew.

${STOP}
`,
  )
})

test('what is of a replay or simulated says so first, in the text and in the subject', () => {
  const formatWords = (more: object) => {
    const body = JSON.stringify({ type: 'flip_cross', text: 'SPX is below.', ...more })
    const bytes = eventBody({ id: 'evt_1', body, extra: null, hasPutSupport: false })
    const { subject, text } = eventWords(Buffer.from(bytes), SITE)
    return [subject, text.split('\n')[0]]
  }
  expect(formatWords({})).toEqual(['Tapefold: an alert', 'SPX is below.'])
  expect(formatWords({ replay: true })).toEqual([
    'REPLAY: Tapefold: an alert',
    'REPLAY: SPX is below.',
  ])
  expect(formatWords({ simulated: true })).toEqual([
    'SIMULATED: Tapefold: an alert',
    'SIMULATED: SPX is below.',
  ])
  expect(formatWords({ replay: true, simulated: true })).toEqual([
    'REPLAY: SIMULATED: Tapefold: an alert',
    'REPLAY: SIMULATED: SPX is below.',
  ])
})

test('whatever a rule is called, the subject is fixed and the text is one line', () => {
  const subjects = /^(REPLAY: )?(SIMULATED: )?Tapefold: an alert$/
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 5_000 }), name => {
      const body = { type: 'order', text: `Order of 13:00; it matched "${name}".` }
      const { subject, text } = eventWords(Buffer.from(JSON.stringify(body)), SITE)
      expect(subject).toMatch(subjects)
      const [first, empty, stop] = text.split('\n')
      expect(first).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202e]/u)
      expect([empty, stop!.slice(0, 7)]).toEqual(['', 'To stop'])
      // as much as Telegram takes
      expect(text.length).toBeLessThan(4_096)
    }),
  )
  expect(plainText(' a\r\n b\u202Ec\ud800 ')).toBe('a bc')
})

test('a mail has an id of its event and contact: sent again it is the same mail', async () => {
  for (let index = 0; index < 2; index++) {
    expect(await senders().email(makeAttempt(BODIES[0]!))).toMatchObject({ result: 'sent' })
  }
  const heads = smtp.mails.map(({ head }) => head.find(line => line.startsWith('Message-ID')))
  expect(heads).toEqual(Array(2).fill('Message-ID: <evt_1.con_1@tapefold.example>'))
  expect(smtp.mails[0]!.text).toContain(BODIES[0]!.text)
})

test('a chat that shuts the bot out becomes unproven, one that does not stays', async () => {
  const chat = makeAttempt(BODIES[0]!, { address: '4711' })
  expect(await senders().telegram(chat)).toMatchObject({ result: 'sent' })
  expect(telegram.messages.at(-1)!.body.text).toContain(BODIES[0]!.text)
  expect(unproven).toEqual([])
  isShut = true
  const refused = await senders().telegram({ ...chat, address: '4712' })
  expect(refused).toMatchObject({ result: 'failed', status: 403 })
  // what the store of deliveries takes, and no more
  expect(Object.keys(refused)).not.toContain('isShut')
  expect(unproven).toEqual([['con_1', CHAT_SHUT]])
})

test('a database that does not respond costs no attempt', async () => {
  isShut = true
  const { telegram: send } = contactSenders(notices, {
    unproveContact: async () => {
      throw new Error('gone')
    },
  })
  const chat = makeAttempt(BODIES[0]!, { address: '4713' })
  expect(await send(chat)).toMatchObject({ result: 'failed', status: 403 })
})

test('where nothing is set up, nothing is sent and the log says so', async () => {
  const none = openNotices({ mail: null, telegramUrl: null, siteUrl: SITE }, () => 0)
  const nowhere = contactSenders(none, { unproveContact: async () => true })
  for (const send of [nowhere.email, nowhere.telegram]) {
    expect(await send(makeAttempt(BODIES[0]!))).toMatchObject({
      result: 'failed',
      error: 'not_set_up',
    })
  }
})

test('a lease of 30 s outlasts every try', () => {
  expect(Math.max(...Object.values(LONGEST_ATTEMPT_MS))).toBeLessThan(30_000)
})
