// What sentences come to, exactly: half of them as people type them, half derived by order, synonym
// or number form from those, with the same result.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DialogReply } from '../../../src/lab/language/dialog.ts'
import { canonicalJson } from '../../../src/lab/language/spec.ts'
import { talkThrough } from '../../support/labTalk.ts'

/** The blocks of a file, each a list of lines. */
const blocksOf = (name: string): string[][] =>
  readFileSync(join(import.meta.dirname, `../corpus/${name}.txt`), 'utf8')
    .split('\n\n')
    .map(block => block.split('\n').filter(line => line !== '' && !line.startsWith('#')))
    .filter(lines => lines.length > 0)

/** Each sentence with the last line of its block. */
const sentencesOf = (name: string): [string, string][] =>
  blocksOf(name).flatMap(lines =>
    lines.slice(0, -1).map((line): [string, string] => [line.slice(2), lines.at(-1)!.slice(2)]),
  )

/** An answer as the corpus writes it. */
function written(answer: DialogReply): string {
  if (answer.kind === 'spec') return canonicalJson(answer.spec)
  if (answer.kind === 'chat') return answer.missing.map(({ slot }) => slot).join(', ')
  return answer.kind === 'error' ? answer.errors.join('; ') : ''
}

const KINDS = { rules: 'spec', questions: 'chat', refusals: 'error' } as const
const LEAST = { rules: 120, questions: 90, refusals: 70 } as const

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('the %s', name => {
  const sentences = sentencesOf(name)

  test('are as many as they should be, none twice', () => {
    expect(sentences.length).toBeGreaterThanOrEqual(LEAST[name])
    expect(new Set(sentences.map(([sentence]) => sentence)).size).toBe(sentences.length)
  })

  test.each(sentences)('%s', (sentence, expected) => {
    const [answer] = talkThrough([sentence])
    expect([answer!.kind, written(answer!)]).toEqual([KINDS[name], expected])
  })
})

describe('the talks', () => {
  const talks = blocksOf('threads')

  test('are at least 40', () => {
    expect(talks.length).toBeGreaterThanOrEqual(40)
  })

  test.each(talks.map(lines => [lines[0]!, lines] as const))('%s', (_, lines) => {
    const messages = lines.filter(line => line.startsWith('> ')).map(line => line.slice(2))
    const said = talkThrough(messages).map(answer => {
      if (answer.kind === 'spec') return `= ${answer.say}`
      if (answer.kind === 'undo') return '<'
      return `${answer.kind === 'chat' ? '?' : '!'} ${written(answer)}`.trim()
    })
    expect(said).toEqual(lines.filter(line => !line.startsWith('> ')).map(line => line.trim()))
  })
})
