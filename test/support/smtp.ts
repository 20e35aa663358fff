// A server of mail on this machine, and what it was sent.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { SmtpServer } from '../../src/platform/notices/settings.ts'

export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  /** The lines of the head, those that were folded in one. */
  readonly head: readonly string[]
  readonly text: string
  readonly isSecure: boolean
  readonly user: string | null
}

export type TestSmtp = {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** Its address, with the login or without one. */
  readonly server: (login?: SmtpServer['login'], isSecure?: boolean) => SmtpServer
  /** Its certificate, as PEM. */
  readonly trusted: string
  readonly close: () => Promise<void>
}

/** Starts one; the options say what it refuses. */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const mails: ReceivedMail[] = []
  const { cert, private: key } = await certificate()
  const smtp = new SMTPServer({
    authOptional: true,
    logger: false,
    key,
    cert,
    closeTimeout: 1,
    disableReverseLookup: true,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const parts = listParts(Buffer.concat(chunks).toString('utf8'))
        const from = mailFrom ? mailFrom.address : ''
        const to = rcptTo.map(({ address }) => address)
        mails.push({ from, to, ...parts, isSecure: session.secure, user: session.user ?? null })
        done()
      })
    },
    ...options,
  })
  // a client that goes away in the middle is no fault of a test
  smtp.on('error', () => {})
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  return {
    port,
    mails,
    trusted: cert,
    server: (login = null, isSecure = false) => ({ host: '127.0.0.1', port, isSecure, login }),
    close: () => new Promise(done => smtp.close(() => done())),
  }
}

let made: ReturnType<typeof generate> | null = null

/** One for all tests of a file: it takes its time. */
function certificate() {
  made ??= generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  return made
}

function listParts(message: string): { head: string[]; text: string } {
  const [, head, body] = /^([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(message) ?? []
  const lines = head!.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const encoding = lines.find(line => /^content-transfer-encoding:/i.test(line)) ?? ''
  return { head: lines, text: decoded(body!, encoding).replaceAll('\r\n', '\n') }
}

function decoded(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(encoding)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
