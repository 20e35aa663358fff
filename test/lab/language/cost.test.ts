// Cost of reading a message, in counted work: no clock is read.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reply } from '../../../src/lab/language/dialog.ts'
import { LEXICON, phrasesAt, READY } from '../../../src/lab/language/table.ts'
import { testMessageCost } from '../../support/messageCost.ts'
import { runs } from '../../support/runs.ts'

testMessageCost(runs(200))

const token = fc.constantFrom(
  ...LEXICON,
  '1',
  '2',
  '10',
  '16',
  '25',
  '930',
  '2500',
  '1000000',
  '0',
  '0.5',
  '0.50',
  '-5',
  '10:00',
)

test('the phrases of two words have every phrase that matches there, in their order', () => {
  const line = fc.array(token, { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(line, tokens => {
      const text = tokens.map(word => `${word} `).join('')
      const matching = READY.filter(({ pattern }) => {
        pattern.lastIndex = 0
        return (pattern.exec(text)?.[0].length ?? 0) > 0
      })
      const phrases = phrasesAt(tokens[0]!, tokens[1])
      expect(phrases.filter(phrase => matching.includes(phrase))).toEqual(matching)
    }),
    { numRuns: runs(2_000) },
  )
})

test('so they have for each phrase the words that it is read from', () => {
  for (const { lead, id, words } of READY) {
    const first = new Set(lead.groups.flatMap(group => [...group.first]))
    const own = [...words].filter(word => first.has(word))
    for (const word of own.slice(0, 5)) {
      const next = lead.groups.filter(group => group.first.has(word))
      const seconds = next.flatMap(({ second }) => [...second].filter(one => !one.startsWith('#')))
      const ids = phrasesAt(word, seconds[0]).map(phrase => phrase.id)
      if (seconds.length > 0 || next.some(({ canEnd }) => canEnd)) expect(ids).toContain(id)
    }
  }
})

test('no phrase repeats anything but digits: a pattern ends after a number of steps', () => {
  for (const { pattern, id } of READY) {
    const source = pattern.source.replaceAll(/\\d[+]|\\d\{6,\}/g, '').replaceAll(/\\./g, '')
    expect(source, id).not.toMatch(/[*+]|\{\d*,\}/)
  }
})

test('a message of 700 words is read, and one of 701 is refused with its count', () => {
  const spread = 'sell the 10 wide put spread 30 below at 10'
  const most = spread + ' the'.repeat(700 - spread.split(' ').length)
  const refusal = {
    kind: 'error',
    errors: ['the message has 701 words, numbers and signs; the limit is 700'],
  }
  const read = (message: string) => reply(message, null)
  expect(read(spread + ' &'.repeat(700 - spread.split(' ').length)).kind).not.toBe('undo')
  expect(JSON.stringify(read(most.slice(0, 2_000)))).not.toContain('the limit is')
  expect(read(`${spread}${' &'.repeat(701 - spread.split(' ').length)}`)).toMatchObject(refusal)
})
