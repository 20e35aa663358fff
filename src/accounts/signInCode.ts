import { hash, randomBytes } from 'node:crypto'

/**
 * Credentials of the account page: a code that is typed once, and the secret that the browser then
 * stores. A shorter code proves a contact. All exist only where they are shown or sent: the store
 * has their hashes.
 */

/** 26 characters of 5 bits each: 130 bits. Without I, L, O and U, which are misread (Crockford). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 26
const CONTACT_CODE_LENGTH = 10
const SECRET_BYTES = 32

/** Makes a code, in groups: `7KQ2M-…`. */
export function makeSignInCode(): string {
  const text = randomText(CODE_LENGTH)
  // in readable groups
  return text.replace(/^(.{5})(.{5})(.{5})(.{5})(.*)$/, '$1-$2-$3-$4-$5')
}

/** Hash of a typed code; null when its form is wrong. */
export function hashSignInCode(typed: string): string | null {
  const plain = normalizeCode(typed, CODE_LENGTH)
  return plain === null ? null : hash('sha256', plain)
}

/** Makes a code that proves a contact, `7KQ2M-4T9XB`: 50 bits, for few attempts. */
export const makeContactCode = (): string =>
  randomText(CONTACT_CODE_LENGTH).replace(/^(.{5})(.*)$/, '$1-$2')

/** Hash of a code that was typed for a contact; null when its form is wrong. */
export function hashContactCode(contactId: string, typed: string): string | null {
  const plain = normalizeCode(typed, CONTACT_CODE_LENGTH)
  return plain === null ? null : hash('sha256', `${contactId} ${plain}`)
}

// 256 is a multiple of 32: every character is equally likely
const randomText = (length: number): string =>
  [...randomBytes(length)].map(byte => ALPHABET[byte % 32]).join('')

/** Normalises a typed code: small letters, spaces, and letters that look like digits. */
function normalizeCode(typed: string, length: number): string | null {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const isCode = plain.length === length && [...plain].every(one => ALPHABET.includes(one))
  return isCode ? plain : null
}

/** Makes the secret of a browser's cookie. */
export const makeSignInSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** Hash of a cookie's secret; null when its form is wrong. */
export const hashSignInSecret = (secret: string): string | null =>
  /^[\w-]{43}$/.test(secret) ? hash('sha256', secret) : null
