import type { Request } from 'express'
import { expect, test } from 'vitest'
import { limitByAddress } from '../../../src/platform/http/addressLimit.ts'

const limited = () => {
  let nowMs = 0
  const limit = limitByAddress({
    readAddress: req => req.url,
    elapsedMs: () => nowMs,
    atOnce: 2,
    perSecond: 1,
  })
  return {
    call: (address: string) => limit({ url: address } as Request)?.code ?? 'answered',
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

test('two concurrent calls are served, then one a second, for each address alone', () => {
  const { call, pass } = limited()
  expect([call('a'), call('a'), call('a'), call('b')]).toEqual([
    'answered',
    'answered',
    'rate',
    'answered',
  ])
  pass(999)
  expect(call('a')).toBe('rate')
  pass(1)
  expect([call('a'), call('a')]).toEqual(['answered', 'rate'])
  // a clock that is put back costs nobody, and nothing adds up beyond two
  pass(-3_600_000)
  expect(call('a')).toBe('rate')
  pass(1_000)
  expect([call('a'), call('a')]).toEqual(['answered', 'rate'])
  pass(3_600_000)
  expect([call('a'), call('a'), call('a')]).toEqual(['answered', 'answered', 'rate'])
})

test('20,000 addresses are remembered; the least recent one starts again', () => {
  const { call } = limited()
  const first = ['quiet', 'busy']
  for (const address of [...first, ...first]) call(address)
  expect(first.map(call)).toEqual(['rate', 'rate'])
  for (let count = 0; count < 19_999; count++) {
    call(`address ${count}`)
    if (count % 5_000 === 0) call('busy')
  }
  expect([call('busy'), call('quiet')]).toEqual(['rate', 'answered'])
})
