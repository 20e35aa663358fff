import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acceptedEncoding } from '../../../src/platform/http/response.ts'

test.each([
  // Accept-Encoding, what is sent of br and gzip
  [undefined, null],
  ['', null],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['deflate', null],
  ['identity', null],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['*;q=0', null],
  ['identity;q=0', null],
  ['*, br;q=0', 'gzip'],
  ['gzip;q=0.5', 'gzip'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['identity, gzip;q=0.5', null],
  ['br;q=nonsense', null],
])('"%s" gives the response %s', (header, encoding) => {
  expect(acceptedEncoding(header, ['br', 'gzip'])).toBe(encoding)
})

test('what is sent is never refused, and nothing that is liked better was offered', () => {
  const names = fc.subarray(['br', 'gzip', 'identity', 'deflate', '*'])
  const thousandths = fc.integer({ min: 0, max: 1000 })
  const weighted = names.chain(list =>
    fc.tuple(...list.map(name => fc.tuple(fc.constant(name), thousandths))),
  )
  fc.assert(
    fc.property(weighted, fc.shuffledSubarray(['br', 'gzip'] as const), (parts, offered) => {
      const header = parts.map(([name, weight]) => `${name};q=${weight / 1000}`).join(', ')
      const weights = new Map(parts)
      const findWeight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
      const sent = acceptedEncoding(header, offered)
      const liked = Math.max(0, ...offered.map(findWeight))
      // plain bytes are sent where they are liked better, and where nothing else may be
      if (liked === 0 || findWeight('identity') > liked) expect(sent).toBeNull()
      else expect(sent).toBe(offered.find(name => findWeight(name) === liked))
    }),
  )
})
