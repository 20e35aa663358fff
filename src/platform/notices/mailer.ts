import nodemailer from 'nodemailer'
import { createOutcome, type NoticeOutcome } from './outcome.ts'
import { isMailAddress, type SmtpServer } from './settings.ts'

/** A mail to send; the recipient has no influence on its text. */
export type Mail = {
  readonly to: string
  /** One of a fixed set, without details of the event. */
  readonly subject: string
  readonly text: string
  /** Source of the Message-ID: mail programs recognise a mail that is sent again. */
  readonly id: string
  readonly atMs: number
}

export type Mailer = {
  /** Sends once. Never fails: errors are in the outcome. */
  readonly send: (mail: Mail) => Promise<NoticeOutcome>
  /** Aborts mails in progress and closes all connections. */
  readonly close: () => void
}

export type MailerDeps = {
  readonly server: SmtpServer
  /** Sender address. */
  readonly from: string
  /** Any running clock; measures durations. */
  readonly elapsedMs: () => number
  /** Time limit of a mail, from connecting to the server's final reply. */
  readonly timeoutMs?: number
  /** Trusted certificates, as PEM, instead of the system's. */
  readonly trusted?: string
}

/** Servers may take long to scan a mail before they accept it. */
export const MAIL_TIMEOUT_MS = 20_000
const CONNECT_MS = 8_000
/** A connection that a server has closed meanwhile would cost the next mail an attempt. */
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
    // a password goes to another machine over TLS only; otherwise TLS is used where it is offered
    ...(login && { auth: login, requireTLS: !isSecure && !isHere }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: timeoutMs,
    // a mail lost with its connection is retried by the caller
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

/**
 * Addresses are passed as objects, for envelope and header: no text is parsed as a list of them.
 */
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
    // no automatic replies to it (RFC 3834)
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false as const,
  }
}

type SmtpError = {
  readonly code?: string
  /** Error code of the system below it. */
  readonly originalCode?: string
  readonly command?: string
  readonly responseCode?: number
}

/** Commands whose refusal concerns one mail, not the connection or the sign-in. */
const ABOUT_MAIL: readonly (string | undefined)[] = ['MAIL FROM', 'RCPT TO', 'DATA']

/** Words for the log, since server replies can contain anything. */
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

/** Null when the server replied: the status is enough. */
const toErrorWord = (status: number | null) => (status === null ? 'connection' : null)

function parseStatus(response: string): number | null {
  const status = Number.parseInt(response, 10)
  return isStatus(status) ? status : null
}
