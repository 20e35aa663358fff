// Messages that are made to cost much, and the work that reading one takes.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type IdeaSoFar, reply } from '../../src/lab/language/dialog.ts'
import { MESSAGE_MAX, MESSAGE_WORDS_MAX } from '../../src/lab/language/read.ts'
import { scan } from '../../src/lab/language/scan.ts'
import { LEXICON } from '../../src/lab/language/table.ts'
import { tokenize } from '../../src/lab/language/tokens.ts'

/** Patterns that may be matched for each word of a message. The table has 318. */
const TRIED_MAX = 100

const sentences = ['rules', 'questions', 'refusals'].flatMap(name =>
  readFileSync(join(import.meta.dirname, `../lab/corpus/${name}.txt`), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('> '))
    .map(line => line.slice(2)),
)

const SHAPES = [
  '+ ',
  '& ',
  'a ',
  'the ',
  'of the ',
  'and ',
  'if ',
  'not ',
  "isn't ",
  'or ',
  'as soon ',
  '1 ',
  '1',
  '1,',
  '1.',
  '10:00 ',
  '1/2 ',
  '+1',
  '1-',
  '$1 ',
  '1% ',
  '.',
  ', ',
  ';',
  '- ',
  '-',
  '\n',
  '"',
  "'",
  '(',
  '$',
  'é',
  '🙂',
  '🙂 ',
  'a\u0310',
  '\u202e',
  '¶ ',
  'zzz ',
  'ABC calls ',
  'price is within 10 points of the ',
  'after an order over $25M ',
  'sell put spread ',
  'if the zorb is up ',
  'one hundred and ',
  'an hour ',
  'if iv is not up ',
  'otherwise ',
] as const

/** A text repeated up to the longest possible message. */
const repeated = (text: string) => text.repeat(Math.ceil(MESSAGE_MAX / text.length))

const words = fc.array(fc.constantFrom(...LEXICON, '1', '10', '0.5', '10:00', '%', '$', 'zzz'), {
  minLength: 1,
  maxLength: 4,
})

/** Words of the language, sentences of the corpus and parts of them, joined and repeated. */
const hostile = fc
  .oneof(
    words.map(list => `${list.join(' ')} `),
    fc.constantFrom(...sentences).map(text => `${text} `),
    fc.tuple(fc.constantFrom(...sentences), fc.nat({ max: 20 })).map(
      ([text, count]) =>
        `${text
          .split(' ')
          .slice(0, count + 1)
          .join(' ')} `,
    ),
    fc.array(fc.constantFrom(...sentences), { minLength: 2, maxLength: 40 }).map(list => {
      return `${list.join(' ')} `
    }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  )
  .map(text => repeated(text).slice(0, MESSAGE_MAX))

const begun = reply('sell the 10 wide put spread 30 below at 10 after an order over $25M', null)
const requested = reply('sell the put spread if gamma is positive', null)
const ideas: readonly (IdeaSoFar | null)[] = [
  null,
  begun.kind === 'spec' ? { spec: begun.spec, draft: null, missing: [] } : null,
  requested.kind === 'chat'
    ? { spec: null, draft: requested.draft, missing: requested.missing.map(({ slot }) => slot) }
    : null,
]

/** Checks the work of one message, and that it gets a reply whatever the idea is. */
function checkCost(message: string): void {
  const count = tokenize(message).length
  expect(scan(message).attemptCount, message.slice(0, 60)).toBeLessThanOrEqual(TRIED_MAX * count)
  for (const idea of ideas) {
    const response = reply(message, idea)
    if (count <= MESSAGE_WORDS_MAX) continue
    const reason = `the message has ${count} words, numbers and signs; the limit is 700`
    expect(response).toMatchObject({ kind: 'error', errors: [reason] })
  }
}

/** The tests of what messages cost, with so many that are drawn. */
export function testMessageCost(numRuns: number): void {
  test('2,000 characters of any shape try at most 100 patterns a word', () => {
    expect(ideas.filter(idea => idea !== null)).toHaveLength(2)
    for (const shape of SHAPES) checkCost(repeated(shape).slice(0, MESSAGE_MAX))
  })

  test(`so do ${numRuns} messages of words and sentences of the language`, () => {
    fc.assert(fc.property(hostile, checkCost), { numRuns })
  })
}
