import { z } from 'zod'

/** Expected form of each setting, for error messages. */
export const SHAPES = {
  smtp: 'give one such as smtps://user:password@mail.example.com, with % escapes in the password',
  address: 'give one plain address, such as alerts@example.com',
  telegram:
    'give https://api.telegram.org/bot and the token of your bot; http:// is for this machine only',
} as const

/** A mail server and its credentials. */
export type SmtpServer = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS. */
  readonly isSecure: boolean
  readonly login: { readonly user: string; readonly pass: string } | null
}

const SMTP_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }

/** Parses a URL such as smtps://user:password@mail.example.com; null when it is invalid. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  // a URL parser drops spaces, and an empty query or fragment
  if (/[\s?#]/.test(text) || !URL.canParse(text)) return null
  const { protocol, hostname, port, pathname, username, password } = new URL(text)
  const usual = SMTP_PORTS[protocol]
  const isBare = ['', '/'].includes(pathname)
  if (usual === undefined || hostname === '' || port === '0' || !isBare) return null
  const [user, pass] = [decoded(username), decoded(password)]
  if (user === null || pass === null || (user === '') !== (pass === '')) return null
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usual : Number(port),
    isSecure: protocol === 'smtps:',
    login: user === '' ? null : { user, pass },
  }
}

function decoded(text: string): string | null {
  try {
    const plain = decodeURIComponent(text)
    return /\p{Cc}/u.test(plain) ? null : plain
  } catch {
    return null
  }
}

/** Maximum length of a mail address and of the part before its @ (RFC 5321, 4.5.3.1). */
const ADDRESS_LENGTH_MAX = 254
const LOCAL_LENGTH_MAX = 64

const Email = z.email().max(ADDRESS_LENGTH_MAX)

/** True for one plain mail address: no display name, no quotes, no second address. */
export const isMailAddress = (text: string): boolean =>
  Email.safeParse(text).success && text.indexOf('@') <= LOCAL_LENGTH_MAX

/** True for the number of a chat; those of groups are negative. */
export const isChatId = (text: string): boolean =>
  /^-?[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))

/** Returns the URL to post a bot's messages to; null when the text is no such URL. */
export function parseTelegramUrl(text: string): string | null {
  if (/[\s?#]/.test(text) || !URL.canParse(text)) return null
  const { protocol, hostname, username, password, origin, pathname } = new URL(text)
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) return null
  if (username !== '' || password !== '') return null
  const bot = /^((?:\/[\w.-]+)*?\/bot\d+:[\w-]+)(?:\/sendMessage)?\/?$/.exec(pathname)?.[1]
  return bot === undefined ? null : `${origin}${bot}/sendMessage`
}
