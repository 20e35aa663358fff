import { expect, test } from 'vitest'
import {
  API_KEY_PATTERN,
  hashApiKey,
  isWellFormedApiKey,
  makeApiKey,
  maskApiKey,
  PREFIX_OF_SCOPE,
  SCOPES,
} from '../../src/accounts/apiKey.ts'
import { runs } from '../support/runs.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test.each(SCOPES)('a key of scope %s has its prefix and a right checksum', scope => {
  const key = makeApiKey(scope)
  expect(key).toMatch(API_KEY_PATTERN)
  expect(key.startsWith(`${PREFIX_OF_SCOPE[scope]}_`)).toBe(true)
  expect(isWellFormedApiKey(key)).toBe(true)
})

test('the checksum is CRC-32 of all before it, in base62', () => {
  expect(isWellFormedApiKey(`ordk_${'0'.repeat(30)}${base62(crc(`ordk_${'0'.repeat(30)}`))}`)).toBe(
    true,
  )
})

test('a key is stored as its SHA-256, which other versions find again', () => {
  // FIPS 180-2, example B.1
  expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

const KEYS = runs(100_000)

test(`${KEYS} keys: no two alike, every character of the body equally likely`, () => {
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  for (let index = 0; index < KEYS; index++) {
    const key = makeApiKey('orders')
    seen.add(key)
    for (const letter of key.slice(5, 35)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  expect(seen.size).toBe(KEYS)
  const expected = (30 * KEYS) / 62
  const chiSquare = [...BASE62]
    .map(letter => ((counts.get(letter) ?? 0) - expected) ** 2 / expected)
    .reduce((sum, term) => sum + term, 0)
  // 61 degrees of freedom: above 130 by chance once in 10 million runs
  expect(chiSquare).toBeLessThan(130)
})

test('a key with one character changed is never well formed', () => {
  const key = makeApiKey('orders')
  for (let index = 5; index < key.length; index++) {
    for (const letter of BASE62) {
      if (letter === key[index]) continue
      expect(isWellFormedApiKey(key.slice(0, index) + letter + key.slice(index + 1))).toBe(false)
    }
  }
})

test.each(['', 'ordk_', 'ordk_short', `xxxx_${'a'.repeat(36)}`, `ordk_${'é'.repeat(36)}`])(
  '%j is not a key',
  text => expect(isWellFormedApiKey(text)).toBe(false),
)

test('a masked key shows its prefix and last four characters', () => {
  const key = makeApiKey('geo')
  expect(maskApiKey(key)).toBe(`gk_…${key.slice(-4)}`)
})

// a second, bitwise form of CRC-32 (IEEE 802.3), and of base62
function crc(text: string): number {
  let value = 0xffffffff
  for (const byte of Buffer.from(text)) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return (value ^ 0xffffffff) >>> 0
}

function base62(value: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text
  return text.padStart(6, '0')
}
