// Servers of mail that are broken or mean harm.

import { createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Mailer, type MailerDeps, openMailer } from '../../../src/platform/notices/mailer.ts'
import type { SmtpServer } from '../../../src/platform/notices/settings.ts'
import { startSmtp } from '../../support/smtp.ts'

const FROM = 'alerts@tapefold.example'
const MAIL = {
  to: 'desk@example.com',
  subject: 'Tapefold: an alert',
  text: 'SPX',
  id: 'evt_1.con_1',
  atMs: Date.parse('2026-11-25T15:37:03Z'),
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function mailerTo(server: SmtpServer, more: Partial<MailerDeps> = {}): Mailer {
  const mailer = openMailer({ server, from: FROM, elapsedMs: () => performance.now(), ...more })
  closing.push(mailer.close)
  return mailer
}

/** A server with arbitrary replies to any command. */
async function sayingServer(
  say: (socket: Socket, line: string | null) => void,
): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    say(socket, null)
    socket.on('data', data => say(socket, String(data)))
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise(done => server.close(done))
  })
  const { port } = server.address() as { port: number }
  return { host: '127.0.0.1', port, isSecure: false, login: null }
}

const HOSTILE: [string, (socket: Socket, line: string | null) => void, object][] = [
  ['closes at once', socket => socket.destroy(), { result: 'retry', error: 'connection' }],
  ['greets with 554', socket => socket.write('554 go away\r\n'), { result: 'retry', status: 554 }],
  ['speaks no SMTP', socket => socket.write('HTTP/1.1 200 OK\r\n\r\n'), { result: 'retry' }],
  ['says nothing', () => {}, { result: 'retry', error: 'timeout' }],
  [
    'greets without end',
    socket => socket.write(`220-${'x'.repeat(1_000)}\r\n`.repeat(2_000)),
    { result: 'retry' },
  ],
  [
    'closes after the mail was named',
    (socket, line) => {
      if (line === null) return void socket.write('220 hello\r\n')
      if (/^EHLO/.test(line)) return void socket.write('250 hello\r\n')
      socket.end('451 \u001b[31m evil\r\n')
    },
    { result: 'retry' },
  ],
]

test.each(HOSTILE)('a server that %s costs a try, and nothing breaks', async (_, say, outcome) => {
  const mailer = mailerTo(await sayingServer(say), { timeoutMs: 400 })
  expect(await mailer.send(MAIL)).toMatchObject(outcome)
})

test('a server that drips its words is left when the time of a try is over', async () => {
  const timers: NodeJS.Timeout[] = []
  closing.push(() => timers.forEach(clearInterval))
  const server = await sayingServer((socket, line) => {
    if (line === null) return void socket.write('220 hello\r\n')
    timers.push(setInterval(() => socket.write('250-still\r\n'), 20))
  })
  const mailer = mailerTo(server, { timeoutMs: 300 })
  expect(await mailer.send(MAIL)).toMatchObject({ result: 'retry', error: 'timeout' })
})

test('nobody there is a retry', async () => {
  const smtp = await startSmtp()
  const server = smtp.server()
  await smtp.close()
  expect(await mailerTo(server).send(MAIL)).toMatchObject({ result: 'retry', error: 'connection' })
})
