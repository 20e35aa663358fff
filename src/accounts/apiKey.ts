import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * Format of an API key: a prefix that names its scope, 30 random base62 characters (178 bits), and
 * 6 base62 characters of the CRC-32 of all before them. The checksum lets any scanner, and this
 * service before it queries its store, distinguish a mistyped key from a real one.
 */

export const SCOPES = ['live', 'lab', 'dataset', 'orders', 'geo'] as const
export type Scope = (typeof SCOPES)[number]

/** Prefix of the keys of each scope. */
export const PREFIX_OF_SCOPE: Readonly<Record<Scope, string>> = {
  live: 'ftpl',
  lab: 'labk',
  dataset: 'labk',
  orders: 'ordk',
  geo: 'gk',
}

/** Every key matches this; for secret scanners. */
export const API_KEY_PATTERN = /^(ordk|labk|ftpl|gk)_[0-9A-Za-z]{36}$/

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BODY_LENGTH = 30
const CHECKSUM_LENGTH = 6
/** 4 × 62: bytes from here on would make the first characters likelier than the last. */
const UNBIASED_BYTES = 248

/**
 * Makes a new key of a scope. It appears only in the response that shows it: the store has its
 * hash.
 */
export function makeApiKey(scope: Scope): string {
  const head = `${PREFIX_OF_SCOPE[scope]}_${randomBase62(BODY_LENGTH)}`
  return head + computeChecksum(head)
}

/** True when a text has the form of a key and its checksum is right. */
export function isWellFormedApiKey(text: string): boolean {
  if (!API_KEY_PATTERN.test(text)) return false
  const head = text.slice(0, -CHECKSUM_LENGTH)
  return text.slice(-CHECKSUM_LENGTH) === computeChecksum(head)
}

/** SHA-256, hex. A fast hash is fine: 178 random bits cannot be guessed. */
export const hashApiKey = (apiKey: string): string => hash('sha256', apiKey)

/** Masks a key for lists and logs: `ordk_…x7Qa`. */
export const maskApiKey = (apiKey: string): string =>
  `${apiKey.slice(0, apiKey.indexOf('_'))}_…${apiKey.slice(-4)}`

/** Random base62 text, every character equally likely. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < UNBIASED_BYTES) text += ALPHABET[byte % ALPHABET.length]
    }
  }
  return text
}

function computeChecksum(head: string): string {
  let rest = crc32(head)
  let text = ''
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    text = ALPHABET[rest % ALPHABET.length] + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}
