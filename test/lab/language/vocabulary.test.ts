import { expect, test } from 'vitest'
import { reply } from '../../../src/lab/language/dialog.ts'
import { PHRASES } from '../../../src/lab/language/table.ts'
import { vocabulary } from '../../../src/lab/language/vocabulary.ts'

const words = vocabulary()

test.each(words.examples)('an example is a rule: %s', example => {
  expect(reply(example, null).kind).toBe('spec')
})

test('every phrase of the parser is in it, once, and as it is read', () => {
  const listed = [...words.grammar.phrases, ...words.refusals.map(({ id }) => ({ id }))]
  expect(listed).toHaveLength(PHRASES.length)
  expect(new Set(PHRASES.map(({ id }) => id)).size).toBe(PHRASES.length)
})

test.each(words.conditions.flatMap(({ f, says }) => says.map(say => [f, say] as const)))(
  'a condition on %s is stated as it is read: %s',
  (f, say) => {
    const response = reply(`sell the straddle at 10:00 if ${say.replace('after an', 'an')}`, null)
    const { spec } = response as Extract<typeof response, { kind: 'spec' }>
    // a crossing is an entry of its own, and does not combine with a time
    if (f === 'cross_flip') expect(response.kind).toBe('error')
    else expect(spec.when.map(condition => condition.f)).toEqual([f])
  },
)

test('each option of a question resolves it', () => {
  const openers: Readonly<Record<string, string>> = {
    'what to do': 'trade the flip',
    mapping: 'buy or sell the straddle at 10 depending on gamma',
    action: 'at 10 the straddle',
    structure: 'sell the butterfly 10 wide at 10',
    'put or call': 'sell the 10 wide spread 30 out at 10',
    width: 'sell the put spread 30 below at 10',
    'which wall': 'sell the straddle at 10 when price is near the wall',
    'direction of the cross': 'sell the straddle when price crosses the flip',
    'direction of the move': 'sell the straddle at 10 if price moved a lot from the open',
    'exit time': 'sell the straddle at 10, exit at the close',
    'unread words': 'sell the straddle at 10 zorb',
    'unit of the stop': 'sell the straddle at 10, stop at 2x',
    'exit day': 'sell the 2dte straddle at 15:00, exit at noon',
  }
  for (const row of words.slots) {
    const { slot } = row
    const options = 'options' in row ? (row.options ?? []) : []
    for (const option of options) {
      const requested = reply(openers[slot]!, null)
      if (requested.kind !== 'chat')
        throw new Error(`${slot} is not asked: ${JSON.stringify(requested)}`)
      const missing = requested.missing.map(one => one.slot)
      expect(missing).toContain(slot)
      const response = reply(option, { spec: null, draft: requested.draft, missing })
      const open = response.kind === 'chat' ? response.missing.map(one => one.slot) : []
      expect([response.kind === 'error', open.includes(slot)], `${slot}: ${option}`).toEqual([
        false,
        false,
      ])
    }
  }
})
