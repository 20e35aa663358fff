// Mail over a real server: what arrives, what a refusal becomes, and that nothing can be injected.

import { createServer } from 'node:net'
import fc from 'fast-check'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import {
  type Mail,
  type Mailer,
  type MailerDeps,
  openMailer,
} from '../../../src/platform/notices/mailer.ts'
import type { SmtpServer } from '../../../src/platform/notices/settings.ts'
import { runs } from '../../support/runs.ts'
import { type ReceivedMail, startSmtp, type TestSmtp } from '../../support/smtp.ts'

const PASSWORD = 'canary-P@ss w0rd/of:SMTP'
const LOGIN = { user: 'tapefold', pass: PASSWORD }
const FROM = 'alerts@tapefold.example'
const MAIL: Mail = {
  to: 'desk@example.com',
  subject: 'Tapefold: an alert',
  text: 'SPX 5,994.10 is below the measured flip 5,998.76 at 10:37 ET.\n',
  id: 'evt_1.con_1',
  atMs: Date.parse('2026-11-25T15:37:03Z'),
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serve(options?: SMTPServerOptions): Promise<TestSmtp> {
  const smtp = await startSmtp(options)
  closing.push(smtp.close)
  return smtp
}

function mailerTo(server: SmtpServer, more: Partial<MailerDeps> = {}): Mailer {
  const mailer = openMailer({ server, from: FROM, elapsedMs: () => performance.now(), ...more })
  closing.push(mailer.close)
  return mailer
}

const readHeaders = ({ head }: ReceivedMail) =>
  Object.fromEntries(head.map(line => line.split(/: (.*)/s) as [string, string]))

const WHOLE_HEAD = {
  'Auto-Submitted': 'auto-generated',
  From: 'Tapefold <alerts@tapefold.example>',
  To: 'desk@example.com',
  Subject: 'Tapefold: an alert',
  'Message-ID': '<evt_1.con_1@tapefold.example>',
  Date: 'Wed, 25 Nov 2026 15:37:03 +0000',
  'MIME-Version': '1.0',
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Transfer-Encoding': '7bit',
}

test('a mail arrives as text with a fixed head, and a second one over the same line', async () => {
  let connections = 0
  const smtp = await serve({
    onConnect: (_, done) => {
      connections++
      done()
    },
  })
  const mailer = mailerTo(smtp.server(), { trusted: smtp.trusted })
  const outcome = await mailer.send(MAIL)
  expect(outcome).toMatchObject({ result: 'sent', status: 250, error: null, waitMs: 0 })
  expect(await mailer.send({ ...MAIL, id: 'evt_2.con_1' })).toMatchObject({ result: 'sent' })
  expect(connections).toBe(1)
  const [mail, second] = smtp.mails
  expect([mail!.from, mail!.to]).toEqual([FROM, ['desk@example.com']])
  expect(readHeaders(mail!)).toEqual(WHOLE_HEAD)
  expect(mail!.text).toBe(MAIL.text)
  expect(readHeaders(second!)['Message-ID']).toBe('<evt_2.con_1@tapefold.example>')
})

test('STARTTLS and a sign-in are used, and TLS from the start', async () => {
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _, done) =>
    password === PASSWORD ? done(null, { user: username }) : done(new Error('no'))
  const starting = await serve({ authOptional: false, onAuth })
  const first = mailerTo(starting.server(LOGIN), { trusted: starting.trusted })
  expect(await first.send(MAIL)).toMatchObject({ result: 'sent' })
  const secure = await serve({ secure: true, authOptional: false, onAuth })
  const second = mailerTo(secure.server(LOGIN, true), { trusted: secure.trusted })
  expect(await second.send(MAIL)).toMatchObject({ result: 'sent' })
  for (const { mails } of [starting, secure]) {
    expect(mails.map(({ isSecure, user }) => [isSecure, user])).toEqual([[true, 'tapefold']])
  }
})

test('a strange certificate and a wrong password send nothing', async () => {
  const passwords: (string | null | undefined)[] = []
  const smtp = await serve({
    authOptional: false,
    onAuth: ({ password }, _, done) => {
      passwords.push(password)
      done(null, {})
    },
  })
  const strange = await mailerTo(smtp.server(LOGIN)).send(MAIL)
  expect(strange).toMatchObject({ result: 'retry', status: null, error: 'tls' })
  expect(passwords).toEqual([])
  const wrong = await mailerTo(smtp.server(LOGIN), { trusted: smtp.trusted }).send(MAIL)
  expect(wrong).toMatchObject({ result: 'retry', status: 535, error: 'sign_in' })
  expect(smtp.mails).toEqual([])
})

test('a password goes to another machine only under TLS', async () => {
  const heard: string[] = []
  const server = createServer(socket => {
    socket.write('220 plain\r\n')
    socket.on('data', data => {
      heard.push(String(data))
      socket.write(
        /^EHLO/.test(String(data)) ? '250-plain\r\n250 AUTH PLAIN LOGIN\r\n' : '502 no\r\n',
      )
    })
    socket.on('error', () => {})
  })
  await new Promise<void>(listening => server.listen(0, '0.0.0.0', listening))
  closing.push(() => new Promise(done => server.close(done)))
  const { port } = server.address() as { port: number }
  // an address of this machine that is not written as one
  const there = { host: '0.0.0.0', port, isSecure: false, login: LOGIN }
  expect((await mailerTo(there).send(MAIL)).result).toBe('retry')
  expect(heard.join()).toMatch(/^EHLO/)
  expect(heard.join()).not.toMatch(/AUTH/)
})

const refusing = (at: 'onMailFrom' | 'onRcptTo' | 'onData', responseCode: number, reply = 'no') =>
  ({
    [at]: (first: unknown, _: unknown, done: (error: Error) => void) => {
      const stream = first as { resume?: () => void; on?: (name: string, end: () => void) => void }
      const end = () => done(Object.assign(new Error(reply), { responseCode }))
      if (at !== 'onData') return end()
      stream.on!('end', end)
      stream.resume!()
    },
  }) as SMTPServerOptions

test.each([
  ['onMailFrom', 451, 'retry'],
  ['onRcptTo', 450, 'retry'],
  ['onRcptTo', 421, 'retry'],
  ['onData', 452, 'retry'],
  ['onMailFrom', 550, 'failed'],
  ['onRcptTo', 550, 'failed'],
  ['onRcptTo', 553, 'failed'],
  ['onData', 554, 'failed'],
] as const)('%s that says %i is %s, and the next mail goes on', async (at, status, result) => {
  let isRefusing = true
  const handlers = refusing(at, status) as Record<string, (...args: unknown[]) => void>
  const smtp = await serve({
    [at]: (...args: unknown[]) => {
      if (isRefusing) return handlers[at]!(...args)
      if (at !== 'onData') return (args[2] as () => void)()
      const stream = args[0] as { resume: () => void; on: (name: string, end: unknown) => void }
      stream.on('end', args[2])
      stream.resume()
    },
  })
  const mailer = mailerTo(smtp.server(), { trusted: smtp.trusted })
  expect(await mailer.send(MAIL)).toMatchObject({ result, status, error: null })
  isRefusing = false
  expect(await mailer.send(MAIL)).toMatchObject({ result: 'sent' })
})

// text that would be more than one recipient, another header, or the end of the mail
const PIECES = [
  '\r',
  '\n',
  '\r\n',
  '\r\n ',
  '\u2028',
  '\u0085',
  '\0',
  ' ',
  '\t',
  ',',
  ';',
  ':',
  '"',
  "'",
  '<',
  '>',
  '(',
  ')',
  '[',
  ']',
  '\\',
  '@',
  '.',
  '=?utf-8?Q?=0D=0A?=',
  '%0d%0a',
  'é',
  '\u{1F4C8}',
  'Bcc: evil@evil.example',
  'Subject: x',
  'evil@evil.example',
  'desk',
  'example.com',
  'a',
  '\u202E',
]
const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map(parts => parts.join(''))

const anyAddress = fc.oneof(
  hostile,
  fc.tuple(hostile, hostile).map(([before, behind]) => `${before}desk@example.com${behind}`),
  fc.emailAddress(),
  fc.stringMatching(/^[A-Za-z0-9]{1,9}[._+-][a-z]{1,9}@[a-z]{2,9}\.[a-z]{2,4}$/),
)

test('whatever an address has in it, one recipient gets it and the head stays', async () => {
  const smtp = await serve()
  const mailer = mailerTo(smtp.server(), { trusted: smtp.trusted })
  let sent = 0
  await fc.assert(
    fc.asyncProperty(anyAddress, hostile, async (to, text) => {
      const before = smtp.mails.length
      const { result, error } = await mailer.send({ ...MAIL, to, text: `x${text}` })
      if (result !== 'sent') {
        expect([result, error]).toEqual(['failed', 'address'])
        expect(smtp.mails).toHaveLength(before)
        return
      }
      sent++
      const mail = smtp.mails.at(-1)!
      expect(smtp.mails).toHaveLength(before + 1)
      expect([mail.from, mail.to]).toEqual([FROM, [to]])
      const head = readHeaders(mail)
      expect(Object.keys(head).sort()).toEqual(Object.keys(WHOLE_HEAD).sort())
      expect([head.To, head.Subject, head.From]).toEqual([to, WHOLE_HEAD.Subject, WHOLE_HEAD.From])
    }),
    { numRuns: 500 },
  )
  // plain addresses came through
  expect(sent).toBeGreaterThan(20)
})

test('a text of any characters arrives as it was written', async () => {
  const smtp = await serve()
  const mailer = mailerTo(smtp.server(), { trusted: smtp.trusted })
  const line = fc
    .string({ unit: 'grapheme', maxLength: 200 })
    .map(text => text.replace(/[\r\n]/g, ''))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), async lines => {
      const text = `${lines.join('\n')}\n.\n`
      expect(await mailer.send({ ...MAIL, text })).toMatchObject({ result: 'sent' })
      expect(smtp.mails.at(-1)!.text.trimEnd()).toBe(text.trimEnd())
    }),
    { numRuns: runs(100) },
  )
})

test('no outcome has anything of the password, whatever the server says', async () => {
  const echoing = `${PASSWORD} ${Buffer.from(`\0tapefold\0${PASSWORD}`).toString('base64')}`
  for (const status of [421, 450, 535, 550, 554]) {
    const smtp = await serve({
      authOptional: false,
      onAuth: (_, __, done) => done(Object.assign(new Error(echoing), { responseCode: status })),
    })
    const outcome = await mailerTo(smtp.server(LOGIN), { trusted: smtp.trusted }).send(MAIL)
    expect(outcome).toMatchObject({ result: 'retry', error: 'sign_in' })
    expect(JSON.stringify(outcome)).not.toMatch(/canary|dGFwZWZvbGQ/)
  }
})
