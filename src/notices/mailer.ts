import nodemailer from 'nodemailer'
import { createOutcome, type NoticeOutcome } from './outcome.ts'
import { isMailAddress, type SmtpServer } from './places.ts'

/** What can be sent: the text is made here, never by who gets it. */
export type Mail = {
  readonly to: string
  /** One of a fixed set, with nothing of what happened in it. */
  readonly subject: string
  readonly text: string
  /** Makes the Message-ID: a mail that is sent again is the same to a reader's program. */
  readonly id: string
  readonly atMs: number
}

export type Mailer = {
  /** Sends once. Never fails: what went wrong is in the outcome. */
  readonly send: (mail: Mail) => Promise<NoticeOutcome>
  /** Ends what is still sent, and all connections. */
  readonly close: () => void
}

export type MailerDeps = {
  readonly server: SmtpServer
  /** Address that mail comes from. */
  readonly from: string
  /** Any clock that does not stand still. */
  readonly elapsedMs: () => number
  /** How long a mail may take, from the connection to the server's last word. */
  readonly timeoutMs?: number
  /** Certificates that are trusted, as PEM, in place of the system's. */
  readonly trusted?: string
}

/** Servers take their time to look through a mail before they take it. */
export const MAIL_TIMEOUT_MS = 20_000
const CONNECT_MS = 8_000
/** A connection that a server has closed meanwhile would cost the next mail a try. */
const IDLE_MS = 10_000
const CONNECTIONS_MAX = 4

const NAME = 'Tapefold'

/** Sends mail through one pool of connections to a server. */
export function openMailer({
  server,
  from,
  elapsedMs,
  timeoutMs = MAIL_TIMEOUT_MS,
  trusted,
}: MailerDeps): Mailer {
  const { host, port, isSecure, login } = server
  const isHere = /^(localhost|127(\.\d+){3}|::1)$/.test(host)
  const transport = nodemailer.createTransport({
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    host,
    port,
    secure: isSecure,
    // a password goes to another machine under TLS alone; else TLS is used where it is offered
    ...(login && { auth: login, requireTLS: !isSecure && !isHere }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: timeoutMs,
    // a mail that a lost connection leaves behind is tried again by who sends it
    idleTimeout: IDLE_MS,
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
    ...(trusted !== undefined && { tls: { ca: trusted } }),
  })
  return {
    send: async mail => {
      const beganMs = elapsedMs()
      const took = () => Math.round(elapsedMs() - beganMs)
      if (!isMailAddress(mail.to)) return createOutcome('failed', took(), { error: 'address' })
      const over = new AbortController()
      const timer = setTimeout(() => over.abort(), timeoutMs)
      try {
        const { response } = await transport.sendMail({
          ...toMessage(mail, from),
          signal: over.signal,
        })
        return createOutcome('sent', took(), { status: parseStatus(response) })
      } catch (error) {
        if (over.signal.aborted) return createOutcome('retry', took(), { error: 'timeout' })
        return toFailure(error as SmtpError, took())
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => (transport as { close: (how: { force: boolean }) => void }).close({ force: true }),
  }
}

/** Addresses go as objects, to the server and into the head: no text is read as a list of them. */
function toMessage({ to, subject, text, id, atMs }: Mail, from: string) {
  const domain = from.slice(from.indexOf('@') + 1)
  return {
    envelope: { from, to: [to] },
    from: { name: NAME, address: from },
    to: { name: '', address: to },
    subject,
    text,
    messageId: `<${id}@${domain}>`,
    date: new Date(atMs),
    // no automatic answers to it (RFC 3834)
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false as const,
  }
}

type SmtpError = {
  readonly code?: string
  /** What the system said below it. */
  readonly originalCode?: string
  readonly command?: string
  readonly responseCode?: number
}

/** What a server says of one mail, not of the connection or the sign-in. */
const ABOUT_MAIL: readonly (string | undefined)[] = ['MAIL FROM', 'RCPT TO', 'DATA']

/** Words for the log: what servers answer can have anything in it. */
const WORDS: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'timeout',
  EDNS: 'dns',
  ETLS: 'tls',
  EAUTH: 'sign_in',
  ENOAUTH: 'sign_in',
}

function toFailure(error: SmtpError, ms: number): NoticeOutcome {
  const { code = '', originalCode = '', command, responseCode = 0 } = error
  const status = isStatus(responseCode) ? responseCode : null
  if (status !== null && status >= 500 && ABOUT_MAIL.includes(command)) {
    return createOutcome('failed', ms, { status })
  }
  const isTls = /CERT|SSL|TLS|ISSUER|SIGNATURE/.test(originalCode)
  return createOutcome('retry', ms, {
    status,
    error: isTls ? 'tls' : (WORDS[code] ?? toErrorWord(status)),
  })
}

const isStatus = (code: number): boolean => code >= 200 && code <= 599

/** Where the server answered, the status says it all. */
const toErrorWord = (status: number | null) => (status === null ? 'connection' : null)

function parseStatus(response: string): number | null {
  const status = Number.parseInt(response, 10)
  return isStatus(status) ? status : null
}
