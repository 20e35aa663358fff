// Keys and secrets that a client may paste where they do not belong, and what they look like then.

import fc from 'fast-check'
import { expect } from 'vitest'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Number of characters of a secret in a row that are not there by chance. */
const PART_LENGTH = 8
/** Visible part of a long key: its last four characters. */
const TAIL_LENGTH = 4

const body = fc.string({
  unit: fc.constantFrom(...BASE62),
  minLength: 30,
  maxLength: 40,
})

/** A key of a product, or the secret of a webhook. */
export const anySecret = fc
  .tuple(fc.constantFrom('ordk_', 'labk_', 'ftpl_', 'gk_', 'whsec_'), body)
  .map(([prefix, random]) => prefix + random)

/** A secret with characters percent-encoded, once or twice, and some of its prefix in capitals. */
export function disguised(secret: string, dice: Iterator<number>): string {
  const roll = () => dice.next().value as number
  const encodings = roll() % 3
  const prefixEnd = secret.indexOf('_')
  return [...secret]
    .map((character, index) => {
      const isCapital = index < prefixEnd && roll() < 30
      const written = isCapital ? character.toUpperCase() : character
      let text = written
      for (let count = 0; count < encodings; count++) {
        // the first time a character, then the percent sign before it
        if (count > 0 && text.startsWith('%')) text = `%25${text.slice(1)}`
        else if (roll() < 40) text = `%${written.charCodeAt(0).toString(16)}`
      }
      return text
    })
    .join('')
}

/** Fails when a text, however it is decoded, has eight characters of a secret in a row. */
export function expectNoPart(secret: string, text: string): void {
  expectNoParts([secret], text)
}

/** The same of many secrets, at one look at the text. */
export function expectNoParts(secrets: readonly string[], text: string): void {
  const parts = new Set<string>()
  let decoded = text.toLowerCase()
  for (let count = 0; count < 4; count++) {
    for (const part of listParts(decoded)) parts.add(part)
    decoded = decoded.replace(/%([0-9a-f]{2})/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)).toLowerCase(),
    )
  }
  for (const secret of secrets) {
    const random = secret.slice(secret.indexOf('_') + 1, -TAIL_LENGTH).toLowerCase()
    const found = listParts(random).find(part => parts.has(part))
    if (found !== undefined) expect.fail(`${found} of ${secret} is in ${text.slice(0, 2000)}`)
  }
}

const listParts = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - PART_LENGTH + 1) }, (_, at) =>
    text.slice(at, at + PART_LENGTH),
  )
