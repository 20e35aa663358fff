// Words put in and clauses taken out: nothing that is stated is lost.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSpec } from '../../src/lab/language/checkSpec.ts'
import { reply } from '../../src/lab/language/dialog.ts'
import { FILLERS } from '../../src/lab/language/phrases/words.ts'
import { sayRule } from '../../src/lab/language/say.ts'
import { scan } from '../../src/lab/language/scan.ts'
import { canonicalJson } from '../../src/lab/language/spec.ts'
import { spellOut } from '../../src/lab/language/spelling.ts'
import { LEXICON } from '../../src/lab/language/table.ts'
import { tokenize } from '../../src/lab/language/tokens.ts'
import { anyRule } from './anyRule.ts'

const sentences = readFileSync(join(import.meta.dirname, '../lab/corpus/rules.txt'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('> '))
  .map(line => line.slice(2))

const strange = fc
  .string({ unit: fc.constantFrom(...'bcdfghjklmnpqrvwxz'), minLength: 4, maxLength: 9 })
  .filter(word => !LEXICON.has(word) && spellOut(tokenize(word), word).typos.length === 0)

/** A sentence with a word put between two of its own. */
const withWord = (word: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom(...sentences), word, fc.nat({ max: 1_000 }))
    .map(([sentence, put, at]) => {
      const words = sentence.split(' ')
      const index = at % (words.length + 1)
      return { put, sentence, text: words.toSpliced(index, 0, put).join(' ') }
    })

/** Ordinary English words: those of the documents of this repository. */
const ordinary = ['api', 'lab', 'archive', 'positions', 'mcp', 'alerts'].flatMap(name => [
  ...new Set(
    readFileSync(join(import.meta.dirname, `../../docs/${name}.md`), 'utf8')
      .toLowerCase()
      .match(/\b[a-z]{3,12}\b/g),
  ),
])

/** True when a reply names a word: as unread, or as one with a typo. */
function isListed(response: ReturnType<typeof reply>, word: string): boolean {
  if (response.kind === 'chat' || response.kind === 'error') return response.say.includes(word)
  if (response.kind !== 'spec') return false
  return response.assumptions.some(
    ({ field, why }) => field === 'words' && why.includes(`"${word}"`),
  )
}

const known = [...LEXICON].filter(word => /^[a-z]+$/.test(word))

/** Clauses of a rule, without those that state a default. */
const listClauses = (text: string): string[] =>
  text.replace(/\.$/, '').split(/, (?!Tue|Wed|Thu|Fri|each time)/)

/** A word with one letter left out, put in, doubled or swapped; the first one stays. */
const withTypo = (word: string, at: number, kind: number): string => {
  const index = 1 + (at % (word.length - 1))
  const [head, letter, tail] = [word.slice(0, index), word[index]!, word.slice(index + 1)]
  if (kind === 0) return head + tail
  if (kind === 1) return `${head}${letter}${letter}${tail}`
  return kind === 2 ? `${head}x${tail}` : head + tail.slice(0, 1) + letter + tail.slice(1)
}

/** No word of a rule with one wrong letter changes it without being listed. */
export function testTypos(numRuns: number): void {
  test(`of ${numRuns} wrong letters none changes a rule without being listed`, () => {
    const drawn = fc.tuple(fc.constantFrom(...sentences), fc.nat(), fc.nat(), fc.nat({ max: 3 }))
    let sameCount = 0
    fc.assert(
      fc.property(drawn, ([sentence, which, at, kind]) => {
        const words = [...sentence.matchAll(/\b[a-z]{5,}\b/g)]
        const word = words[which % words.length]
        if (!word) return
        const put = withTypo(word[0], at, kind)
        const text =
          sentence.slice(0, word.index) + put + sentence.slice(word.index + word[0].length)
        const [before, response] = [reply(sentence, null), reply(text, null)]
        if (before.kind !== 'spec' || response.kind !== 'spec') return
        sameCount += 1
        expect(canonicalJson(response.spec), text).toBe(canonicalJson(before.spec))
      }),
      { numRuns },
    )
    // most of them are read
    expect(sameCount).toBeGreaterThan(numRuns / 2)
  })
}

/** No word put anywhere in a rule changes it without being listed. */
export function testInserted(numRuns: number): void {
  test(`of ${numRuns} words put in a rule none changes it without being listed`, () => {
    const words = fc.oneof(fc.constantFrom(...ordinary), strange).filter(word => !LEXICON.has(word))
    fc.assert(
      fc.property(withWord(words), ({ put, sentence, text }) => {
        const [before, response] = [reply(sentence, null), reply(text, null)]
        if (isListed(response, put)) return
        if (before.kind !== 'spec' || response.kind !== 'spec') throw new Error(response.say)
        expect(canonicalJson(response.spec)).toBe(canonicalJson(before.spec))
      }),
      { numRuns },
    )
  })
}

/** The tests of the language, each run a number of times. */
export function testLanguage(numRuns: number): void {
  test('a strange word is reported, wherever it stands', () => {
    fc.assert(
      fc.property(withWord(strange), ({ put, text }) => {
        const response = reply(text, null)
        if (response.kind !== 'chat' && response.kind !== 'error') throw new Error(response.kind)
        expect(response.unread.map(word => word.text)).toContain(put)
        expect(response.say).toContain(put)
      }),
      { numRuns },
    )
  })

  test('each word of a message is read, is a filler, or is reported as unread', () => {
    fc.assert(
      fc.property(withWord(fc.constantFrom(...known)), ({ text }) => {
        const { items, unread } = scan(text)
        const covered = [...items, ...unread]
        for (const word of text.matchAll(/[\p{L}\p{N}'’]+/gu)) {
          const [from, to] = [word.index, word.index + word[0].length]
          const isRead = covered.some(one => one.from < to && from < one.to)
          // part of a number or time, such as the 30 of 10:30
          const isWith = text.slice(from, to + 1) === 'w/'
          const plain = word[0].toLowerCase().replace(/['’]/g, '')
          const [base] = word[0].toLowerCase().split(/['’]/)
          const isFiller = isWith || FILLERS.includes(plain) || FILLERS.includes(base!)
          expect(isRead || isFiller, `${word[0]} of ${text}`).toBe(true)
        }
      }),
      { numRuns },
    )
  })

  test('a clause taken out of a rule changes it, or gives a question', () => {
    const fitting = anyRule.map(rule => checkSpec(rule).spec).filter(spec => spec !== null)
    fc.assert(
      fc.property(fitting, fc.nat({ max: 100 }), (spec, at) => {
        const clauses = listClauses(sayRule(spec))
        const index = at % clauses.length
        if (clauses[index] === 'hold to expiry') return
        const response = reply(clauses.toSpliced(index, 1).join(', '), null)
        if (response.kind !== 'spec') return
        expect(canonicalJson(response.spec)).not.toBe(canonicalJson(spec))
      }),
      { numRuns },
    )
  })

  test('clauses in another order are the same rule', () => {
    const fitting = anyRule.map(rule => checkSpec(rule).spec).filter(spec => spec !== null)
    fc.assert(
      fc.property(fitting, fc.nat({ max: 100 }), (spec, by) => {
        const clauses = listClauses(sayRule(spec))
        const turned = [
          ...clauses.slice(by % clauses.length),
          ...clauses.slice(0, by % clauses.length),
        ]
        expect(reply(turned.join('; '), null)).toMatchObject({ kind: 'spec', spec })
      }),
      { numRuns },
    )
  })

  test('the same message has the same reply, and no text makes the parser fail', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc
        .array(fc.constantFrom(...known, '10', '30', '%', ',', '.', '$', '-', ':', '/', '10:30'))
        .map(words => words.join(' ')),
    )
    fc.assert(
      fc.property(anything, text => {
        expect(reply(text, null)).toEqual(reply(text, null))
      }),
      { numRuns },
    )
  })
}
