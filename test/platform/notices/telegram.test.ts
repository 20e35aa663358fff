// Messages of a bot: posts, results of responses, and no token anywhere.

import { afterEach, expect, test } from 'vitest'
import { parseTelegramUrl } from '../../../src/platform/notices/settings.ts'
import { openTelegram, type TelegramDeps } from '../../../src/platform/notices/telegram.ts'
import {
  type Responding,
  respondJson,
  startTelegram,
  type TestTelegram,
  TOKEN,
} from '../../support/telegram.ts'
import { virtualTime } from '../../support/virtualTime.ts'

let server: TestTelegram | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function serving(reply?: Responding, deps: Partial<TelegramDeps> = {}) {
  server = await startTelegram(reply)
  const url = parseTelegramUrl(server.url)!
  const time = virtualTime()
  return { telegram: openTelegram({ url, ...time, ...deps }), sent: server, time }
}

const MESSAGE = { chat: '123456789', text: '<b>SPX</b> *5,994.10* is below\nthe flip' }

test('a message is text alone, without markup or previews, to the number of a chat', async () => {
  const { telegram, sent } = await serving()
  expect(await telegram.send(MESSAGE)).toMatchObject({ result: 'sent', status: 200, isShut: false })
  await telegram.send({ ...MESSAGE, chat: '-1001234567890' })
  expect(sent.messages.map(({ path, body }) => [path, body])).toEqual([
    [
      `/bot${TOKEN}/sendMessage`,
      { chat_id: 123456789, text: MESSAGE.text, link_preview_options: { is_disabled: true } },
    ],
    [
      `/bot${TOKEN}/sendMessage`,
      { chat_id: -1001234567890, text: MESSAGE.text, link_preview_options: { is_disabled: true } },
    ],
  ])
})

const refused = (error_code: number, more: object = {}) => {
  return { ok: false, error_code, description: `of ${TOKEN}`, ...more }
}

/** Response of Telegram for a group that it has made a supergroup. */
const MOVED_GROUP = {
  ok: false,
  error_code: 400,
  description: 'Bad Request: group chat was upgraded to a supergroup chat',
  parameters: { migrate_to_chat_id: -1001557912345 },
}
const NO_CHAT = { result: 'failed', error: 'no_chat', isShut: true }
const NO_RIGHTS = { result: 'failed', error: 'no_rights', isShut: true }
const NO_RIGHTS_TEXT = 'not enough rights to send text messages to the chat'

test('responses 100 and 103 before the last one are passed over', async () => {
  const { telegram, sent } = await serving((_, res) => {
    res.writeContinue()
    res.writeEarlyHints({ link: '</style.css>; rel=preload' })
    return false
  })
  expect(await telegram.send(MESSAGE)).toMatchObject({ result: 'sent', status: 200, error: null })
  expect(sent.messages).toHaveLength(1)
})

test.each([
  [429, refused(429, { parameters: { retry_after: 7 } }), { result: 'retry', waitMs: 7_000 }],
  [429, refused(429), { result: 'retry', waitMs: 1_000 }],
  [429, refused(429, { parameters: { retry_after: 1e9 } }), { result: 'retry', waitMs: 3_600_000 }],
  [429, refused(429, { parameters: { retry_after: 'soon' } }), { result: 'retry', waitMs: 1_000 }],
  [500, refused(500), { result: 'retry' }],
  [502, {}, { result: 'retry' }],
  [403, refused(403), { result: 'failed', isShut: true }],
  // something in between, not Telegram
  [403, {}, { result: 'failed', isShut: false }],
  [400, refused(400), { result: 'failed', isShut: false }],
  [400, MOVED_GROUP, { result: 'retry', error: 'moved', movedTo: '-1001557912345' }],
  // not of Telegram, or no chat
  [403, MOVED_GROUP, { result: 'failed', isShut: false }],
  [400, { ...MOVED_GROUP, error_code: undefined }, { result: 'failed', isShut: false }],
  [400, refused(400, { parameters: { migrate_to_chat_id: '@x' } }), { result: 'failed' }],
  [400, refused(400, { parameters: { migrate_to_chat_id: 1.5 } }), { result: 'failed' }],
  [400, refused(400, { description: 'Bad Request: chat not found' }), NO_CHAT],
  [400, refused(400, { description: 'Bad Request: PEER_ID_INVALID' }), NO_CHAT],
  [400, refused(400, { description: 'Bad Request: group chat was deactivated' }), NO_CHAT],
  [400, refused(400, { description: `Bad Request: ${NO_RIGHTS_TEXT}` }), NO_RIGHTS],
  [400, refused(400, { description: 'Bad Request: CHAT_WRITE_FORBIDDEN' }), NO_RIGHTS],
  [400, refused(400, { description: 'Bad Request: message is too long' }), { isShut: false }],
  [401, refused(401), { result: 'failed', isShut: false }],
  [404, refused(404), { result: 'failed', isShut: false }],
  [307, {}, { result: 'failed', isShut: false }],
] as const)('a response %i with %j is %j', async (status, body, outcome) => {
  const { telegram, sent } = await serving((_, res) => {
    if (status !== 307) return respondJson(res, status, body)
    res.writeHead(307, { location: `${sent.url}/elsewhere` }).end()
    return true
  })
  const result = await telegram.send(MESSAGE)
  expect(result).toMatchObject({ status, error: null, ...outcome })
  expect(sent.messages).toHaveLength(1)
  expect(JSON.stringify(result)).not.toContain('canary')
})

const SLOW: [string, Responding, object][] = [
  ['never answers', () => true, { result: 'retry', error: 'timeout' }],
  [
    'never ends its refusal',
    (_, res) => {
      res.writeHead(400, { 'content-type': 'application/json' }).write('{"ok":')
      return true
    },
    { result: 'retry', error: 'timeout' },
  ],
  [
    'takes it and never ends its answer',
    (_, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).write('{"ok":')
      return true
    },
    { result: 'sent', status: 200 },
  ],
  [
    'answers without end',
    (_, res) => {
      res.writeHead(403)
      const timer = setInterval(() => res.write('x'.repeat(50_000)), 1)
      res.on('close', () => clearInterval(timer))
      return true
    },
    { result: 'failed', status: 403, isShut: false },
  ],
  [
    'breaks off',
    (_, res) => {
      res.destroy()
      return true
    },
    { result: 'retry', error: 'connection' },
  ],
]

test.each(SLOW)('a server that %s costs a try', async (_, reply, outcome) => {
  const { telegram } = await serving(reply, { timeoutMs: 300 })
  expect(await telegram.send(MESSAGE)).toMatchObject(outcome)
})

test('nobody there is a retry, and its words have no token', async () => {
  const { telegram, sent } = await serving()
  await sent.close()
  const outcome = await telegram.send(MESSAGE)
  expect(outcome).toMatchObject({ result: 'retry', error: 'connection', status: null })
  expect(JSON.stringify(outcome)).not.toContain('canary')
})

test('after a 429 the chat waits as long as it says, and others do not', async () => {
  let isBusy = true
  const { telegram, sent, time } = await serving((_, res) => {
    if (!isBusy) return false
    isBusy = false
    return respondJson(res, 429, refused(429, { parameters: { retry_after: 20 } }))
  })
  expect(await telegram.send(MESSAGE)).toMatchObject({ result: 'retry', waitMs: 20_000 })
  const early = await telegram.send(MESSAGE)
  expect(early).toMatchObject({ result: 'retry', error: 'paced', status: null })
  expect(early.waitMs).toBeGreaterThan(19_900)
  expect(await telegram.send({ ...MESSAGE, chat: '42' })).toMatchObject({ result: 'sent' })
  expect(sent.messages).toHaveLength(2)
  time.set(20_000)
  expect(await telegram.send(MESSAGE)).toMatchObject({ result: 'sent' })
})

test('what is not the number of a chat is not sent', async () => {
  const { telegram, sent } = await serving()
  const chats = [
    '',
    '0',
    '@channel',
    '1e5',
    ' 1',
    '12345678901234567',
    '9007199254740993',
    '1\n2',
    '-',
  ]
  for (const chat of chats) {
    expect(await telegram.send({ ...MESSAGE, chat })).toMatchObject({ error: 'address' })
  }
  expect(sent.messages).toEqual([])
})

test.each([
  ['https://api.telegram.org/bot1:a_B-c', 'https://api.telegram.org/bot1:a_B-c/sendMessage'],
  ['https://api.telegram.org/bot1:a/sendMessage', 'https://api.telegram.org/bot1:a/sendMessage'],
  ['https://bots.example:8443/api/bot1:a/', 'https://bots.example:8443/api/bot1:a/sendMessage'],
  ['http://127.0.0.1:8081/bot1:a', 'http://127.0.0.1:8081/bot1:a/sendMessage'],
  ['http://[::1]:8081/bot1:a', 'http://[::1]:8081/bot1:a/sendMessage'],
  ['http://api.telegram.org/bot1:a', null],
  ['https://u:p@api.telegram.org/bot1:a', null],
  ['https://api.telegram.org/bot1:a?x=1', null],
  ['https://api.telegram.org/', null],
  ['https://api.telegram.org/1:a', null],
  ['file:///bot1:a', null],
  ['bot1:a', null],
])('a bot at %s is posted to at %s', (text, url) => {
  expect(parseTelegramUrl(text)).toBe(url)
})
