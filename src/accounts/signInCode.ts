import { hash, randomBytes } from 'node:crypto'

/**
 * What opens the account page: a code that is typed once, and the secret that a browser then keeps.
 * Both exist only where they are shown or sent: the store keeps their hashes.
 */

/** 26 characters of 5 bits each: 130 bits. Without I, L, O and U, which are misread (Crockford). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 26
const SECRET_BYTES = 32

/** A new code, in groups: `7KQ2M-…`. */
export function makeSignInCode(): string {
  // 256 is a multiple of 32: every character is equally likely
  const text = [...randomBytes(CODE_LENGTH)].map(byte => ALPHABET[byte % 32]).join('')
  // in groups that an eye can follow
  return text.replace(/^(.{5})(.{5})(.{5})(.{5})(.*)$/, '$1-$2-$3-$4-$5')
}

/** The hash of a typed code; null when it has not the form of one. */
export function hashSignInCode(typed: string): string | null {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const isCode = plain.length === CODE_LENGTH && [...plain].every(one => ALPHABET.includes(one))
  return isCode ? hash('sha256', plain) : null
}

/** What a browser keeps in its cookie. */
export const makeSignInSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** The hash of a cookie's secret; null when it has not the form of one. */
export const hashSignInSecret = (secret: string): string | null =>
  /^[\w-]{43}$/.test(secret) ? hash('sha256', secret) : null
