// The same rule in other words, other order, other numbers and other times of day; and what is no
// longer the same rule when a clause is taken out or turned round.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reply } from '../../../src/lab/language/dialog.ts'
import { canonicalJson, type RuleSpec } from '../../../src/lab/language/spec.ts'
import { runs } from '../../support/runs.ts'

/** The rule of a sentence, or the reply instead. */
function findRule(text: string): RuleSpec | string {
  const response = reply(text, null)
  if (response.kind === 'spec') return response.spec
  if (response.kind === 'chat') return `asks ${response.missing.map(({ slot }) => slot).join(', ')}`
  return response.kind === 'error' ? response.errors.join('; ') : response.kind
}

const HALF_PERCENT = ['0.5%', '.5%', '0.50 %', 'half a percent', '50 bps', '50bp', '1/2 percent']
const TEN = [
  '10:00',
  '10',
  '10am',
  '10 am',
  '10a',
  '10 a.m.',
  "10 o'clock",
  '10:00 ET',
  '1000',
  '10:00am',
  'ten',
  '9am CT',
  '9:00 central',
  '7am PT',
  '8 a.m. mountain',
  '14:00 UTC',
]
const AFTER_OPEN = [
  '30 minutes after the open',
  '30 min after open',
  'half an hour after the open',
  '30 mins into the session',
  'thirty minutes after the bell',
  'at open + 30 min',
  'at 10:00',
]
const THIRTY = ['30', 'thirty', '30.0']
const MILLIONS = [
  '$500M',
  '500M',
  '$500mm',
  '500 million',
  '$0.5B',
  '$0.5bn',
  '500,000,000 dollars',
]

const variants = (...lists: (readonly string[])[]): string[] =>
  lists.reduce<string[]>((out, list) => out.flatMap(a => list.map(b => a + b)), [''])

/** Each clause of one rule with other ways to say it. */
const CLAUSES: readonly (readonly string[])[] = [
  [
    'sell the 10-wide put spread 30 points below spot',
    'short a 10 wide put vertical 30 pts under the index',
    'sell 10w pcs 30 otm',
    'sto a $10 wide bull put spread 30 points out of the money',
    'sell one 10 point wide put credit spread 30 handles below the market',
    'sell a 10w bps spot-30',
    'write the ten wide put spread thirty below',
  ],
  variants(['at '], TEN),
  [
    'if net gamma is positive',
    'only in positive gamma',
    'when dealers are long gamma',
    'if gex > 0',
    'only on positive gamma days',
    'if net gamma is over 0',
    'with positive gamma',
  ],
  [
    ...variants(['if the gap is over '], HALF_PERCENT),
    'if we gapped more than half a percent',
    'when the overnight gap > 50 bps',
  ],
  [
    'take profit at 50%',
    'tp 50',
    'pt 50%',
    '50% profit target',
    'take profit at half',
    'exit at 50% of max profit',
    'target 50% of the credit',
    'buy back at 50% of credit',
  ],
  [
    'stop at 2x credit',
    'sl 2x credit',
    'stop at double the credit',
    'stop if it doubles',
    'stop loss at 200% of the credit',
    'stop at a loss of 1x credit',
    'max loss 1x credit',
  ],
  ['exit at 15:30', 'out by 3:30', 'close at 3:30pm', 'flat by 3:30', 'time stop 15:30'],
  ['on Mondays and Tuesdays', 'mon/tue only', 'not on wed, thu or fri', 'mon & tue'],
]

const MEANT = findRule(CLAUSES.map(([first]) => first).join(', '))

/** One way of each clause, in any order. */
const saying = fc.tuple(
  fc.tuple(...CLAUSES.map(ways => fc.constantFrom(...ways))),
  fc.shuffledSubarray(
    CLAUSES.map((_, index) => index),
    { minLength: CLAUSES.length },
  ),
)

test('one rule, its clauses in any order and in any words', () => {
  expect(typeof MEANT).toBe('object')
  fc.assert(
    fc.property(saying, ([ways, order]) => {
      const text = order.map(index => ways[index]).join('; ')
      expect(findRule(text), text).toEqual(MEANT)
    }),
    { numRuns: runs(400) },
  )
})

test('each way of each clause, with the first of all others', () => {
  for (const [index, ways] of CLAUSES.entries()) {
    for (const way of ways) {
      const text = CLAUSES.map(([first], at) => (at === index ? way : first)).join(', ')
      expect(findRule(text), text).toEqual(MEANT)
    }
  }
})

test('a removed clause gives another rule, or a question', () => {
  fc.assert(
    fc.property(saying, fc.nat({ max: CLAUSES.length - 1 }), ([ways, order], at) => {
      const left = order.filter(index => index !== at)
      const text = left.map(index => ways[index]).join('; ')
      const rule = findRule(text)
      expect(canonicalJson(rule), text).not.toBe(canonicalJson(MEANT))
    }),
    { numRuns: runs(200) },
  )
})

describe('numbers and times', () => {
  const same = (texts: readonly string[]) => {
    const meant = findRule(texts[0]!)
    expect(typeof meant, texts[0]).toBe('object')
    for (const text of texts) expect(findRule(text), text).toEqual(meant)
  }

  test('a time of day', () => {
    same(TEN.map(at => `sell the 16 delta strangle at ${at}`))
    same(AFTER_OPEN.map(at => `sell the 16 delta strangle ${at}`))
  })

  test('points, percent and dollars', () => {
    same(THIRTY.map(n => `sell the 10 wide call spread ${n} points above spot at 11:00`))
    same(
      HALF_PERCENT.map(
        n => `sell the straddle at 11:00 if price is down more than ${n} from the open`,
      ),
    )
    same(MILLIONS.map(n => `sell the straddle at 11:00 if net gamma is above ${n} per point`))
    same(MILLIONS.map(n => `buy the straddle after an order over ${n} premium`))
  })

  test('deltas', () => {
    const deltas = [
      '16 delta',
      '16Δ',
      '16d',
      '.16 delta',
      '0.16 delta',
      'a delta of 16',
      '-16 delta',
    ]
    same(deltas.map(delta => `sell the strangle at 11:00 ${delta}`))
  })
})

/** A condition, and the words that its other half begins with. */
const CONDITIONS = [
  'net gamma is positive',
  'price is above the flip',
  'price is within 10 points of the flip',
  'the gap is over 0.5%',
  'price is up more than 0.5% from the open',
  'iv is up 2 points',
  'net gamma is at least $500M',
  'the move from the open is less than half the expected move',
  'there was an order over $25M in the last 30 minutes',
]

describe('unless is if not', () => {
  const trade = 'sell the 16 delta strangle at 10:00'

  test.each(CONDITIONS)('%s', condition => {
    const turned = findRule(`${trade} unless ${condition}`)
    expect(typeof turned).toBe('object')
    expect(turned).not.toEqual(findRule(`${trade} if ${condition}`))
    for (const head of ['except when', 'but not if', 'skip if', 'no trade if', 'never if']) {
      expect(findRule(`${trade}, ${head} ${condition}`), head).toEqual(turned)
    }
    expect(findRule(`if ${condition}: no trade. ${trade}`)).toEqual(turned)
    const not = condition.replace(/ (is|was) /, ' $1 not ')
    expect(findRule(`${trade} if ${not}`), not).toEqual(turned)
  })

  test.each(CONDITIONS)('two of them are never one: %s', condition => {
    const other = condition === CONDITIONS[0] ? CONDITIONS[1] : CONDITIONS[0]
    const both = findRule(`${trade} unless ${condition} and ${other}`)
    expect(both).toContain('unless takes one condition')
  })
})
