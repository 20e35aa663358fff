import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeApiKey, SCOPES } from '../../../src/accounts/apiKey.ts'
import { hasKey, maskedStart, maskSecrets } from '../../../src/platform/http/mask.ts'
import { runs } from '../../support/runs.ts'
import { anySecret, disguised, expectNoPart } from '../../support/secrets.ts'

const SEED = 20261125
const RUNS = { seed: SEED, numRuns: runs(5_000) }
const BODY = '0123456789abcdefABCDEFGHIJKLMNOPQRST'

test.each([
  // keys of every product, whole and cut
  [`ordk_${BODY}`, 'ordk_…QRST'],
  [`labk_${BODY}`, 'labk_…QRST'],
  [`ftpl_${BODY}`, 'ftpl_…QRST'],
  [`gk_${BODY}`, 'gk_…QRST'],
  ['ordk_0123', 'ordk_…'],
  ['ordk_012', 'ordk_012'], // three characters are no key, and give none away
  [`ORDK_${BODY}`, 'ORDK_…QRST'],
  [`xordk_${BODY}, ${BODY.slice(0, 9)}`, 'xordk_…QRST, 012345678'],
  // escaped once, twice, in part
  [`/a/ordk%5F${BODY}/b`, '/a/ordk_…QRST/b'],
  [`%6Frdk_${BODY}`, 'ordk_…QRST'],
  [`ordk%255f${BODY}&x=%20`, 'ordk_…QRST&x=%20'],
  ['%C3%A9/gk%5Fabcd%2Fday', '%C3%A9/gk_…%2Fday'],
  // other secrets
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_…'],
  ['Bearer abcdefgh12', 'Bearer …'],
  ['authorization=bearer%20abc-def_ghi', 'authorization=bearer …'],
  ['https://desk:pass@example.com/hook', 'https://…@example.com/hook'],
  ['https://desk:p@ss@example.com/hook', 'https://…@example.com/hook'],
  ['hook?token=abcd&x=1', 'hook?token=…&x=1'],
  ['api_key: "s3cr3t"', 'api_key: "…"'],
  ['eyJhbGciOiJI.eyJzdWIiOiIx.dozjgNryP4', 'eyJ…'],
  ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', '…'],
  // words, times, ids of ours and hashes stay
  ['day is "2026-10-14x"; give a date written YYYY-MM-DD.', null],
  ['send a valid key as `Authorization: Bearer ordk_…`.', null],
  ['5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11', null],
  ['p_4fQ8sK2mZx0T', null],
  ['71c073bd1dbb974a71c073bd1dbb974a71c073bd1dbb974a', null],
  ['there is no endpoint "/orders/api/nothing-of-the-kind"; see /docs.', null],
  ['100%', null],
])('%s is shown as %s', (text, shown) => {
  expect(maskSecrets(text)).toBe(shown ?? text)
  expect(maskSecrets(maskSecrets(text))).toBe(shown ?? text)
})

test('no part of a secret is left of a text, wherever it stands and however it is escaped', () => {
  const around = fc.string({ unit: 'grapheme-ascii', maxLength: 60 })
  const check = fc.property(
    anySecret,
    around,
    around,
    fc.infiniteStream(fc.nat(99)),
    (...given) => {
      const [secret, before, after, dice] = given
      const text = `${before}/${disguised(secret, dice)} ${after}`
      expectNoPart(secret, maskSecrets(text))
      expectNoPart(secret, maskedStart(text, 40))
    },
  )
  fc.assert(check, RUNS)
})

test('text is masked before it is cut, so that no cut hides a key', () => {
  for (const scope of SCOPES) {
    const key = makeApiKey(scope)
    for (let before = 0; before < 50; before++) {
      const shown = maskedStart('x'.repeat(before) + key, 40)
      expect(shown.length).toBeLessThanOrEqual(41)
      expectNoPart(key, shown)
    }
  }
})

test('an id of a request may be of any form but that of a key', () => {
  expect(hasKey(makeApiKey('geo'))).toBe(true)
  expect(hasKey('whsec_MfKQ9r8GKYqrTwjU')).toBe(true)
  // an id as other systems make them
  expect(hasKey('0ujtsYcgvSTl8PAuAdqWYSMnLOv')).toBe(false)
  expect(hasKey('5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11')).toBe(false)
})

test('a text eight times as long takes eight times as long, not sixty-four', () => {
  const patterns = ['a', 'eyJ', 'secret ', '://', '%41', 'bearer ', 'Aa1', 'ordk_', 'eyJaaaaaa.']
  for (const pattern of patterns) {
    const findTime = (length: number) => {
      const text = pattern.repeat(Math.ceil(length / pattern.length))
      // its own CPU time, in ms: other processes may take the processor away
      const before = process.cpuUsage()
      maskSecrets(text)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    const least = (length: number) => Math.min(...[0, 1, 2, 3, 4].map(() => findTime(length)))
    // time in proportion is 8 times as long, time by the square 64 times
    expect(least(64_000), pattern).toBeLessThan(32 * Math.max(least(8_000), 0.2))
  }
})
