/** Bytes of an AES-256 key. */
export const KEY_BYTES = 32

/** Parses a key: base64 of 32 bytes, or 64 hexadecimal digits; null for any other text. */
export function parseSecretKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return null
  return Buffer.from(text, 'base64')
}
