// Exact results of sentences: half of them as people type them, half derived by order, synonym
// or number form from those, with the same result.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DialogReply } from '../../../src/lab/language/dialog.ts'
import { UNREAD } from '../../../src/lab/language/questions.ts'
import { canonicalJson } from '../../../src/lab/language/spec.ts'
import { talkThrough } from '../../support/labTalk.ts'

/** The blocks of a file, each a list of lines. */
const listBlocks = (name: string): string[][] =>
  readFileSync(join(import.meta.dirname, `../corpus/${name}.txt`), 'utf8')
    .split('\n\n')
    .map(block => block.split('\n').filter(line => line !== '' && !line.startsWith('#')))
    .filter(lines => lines.length > 0)

/** Each sentence with the last line of its block. */
const listSentences = (name: string): [string, string][] =>
  listBlocks(name).flatMap(lines =>
    lines.slice(0, -1).map((line): [string, string] => [line.slice(2), lines.at(-1)!.slice(2)]),
  )

/** A reply as the corpus writes it. */
function written(response: DialogReply): string {
  if (response.kind === 'spec') return canonicalJson(response.spec)
  if (response.kind === 'chat') return response.missing.map(({ slot }) => slot).join(', ')
  return response.kind === 'error' ? response.errors.join('; ') : ''
}

const KINDS = { rules: 'spec', questions: 'chat', refusals: 'error' } as const
const LEAST = { rules: 120, questions: 90, refusals: 70 } as const

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('the %s', name => {
  const sentences = listSentences(name)

  test('are as many as they should be, none twice', () => {
    expect(sentences.length).toBeGreaterThanOrEqual(LEAST[name])
    expect(new Set(sentences.map(([sentence]) => sentence)).size).toBe(sentences.length)
  })

  test.each(sentences)('%s', (sentence, expected) => {
    const [response] = talkThrough([sentence])
    expect([response!.kind, written(response!)]).toEqual([KINDS[name], expected])
  })
})

describe('the proposals', () => {
  const sentences = listSentences('proposals')

  test.each(sentences)('%s', (sentence, expected) => {
    const [response] = talkThrough([sentence])
    if (response?.kind !== 'chat') throw new Error(response?.say)
    const { draft, missing, proposed } = response
    const others = missing.map(({ slot }) => slot).filter(slot => slot !== UNREAD)
    const rest = proposed ? canonicalJson(proposed.spec) : others.join(', ')
    expect(`${draft?.unread?.join(' ')} | ${rest}`).toBe(expected)
    expect(missing.map(({ slot }) => slot)).toEqual([...others, UNREAD])
  })
})

describe('the talks', () => {
  const talks = listBlocks('threads')

  test('are at least 40', () => {
    expect(talks.length).toBeGreaterThanOrEqual(40)
  })

  test.each(talks.map(lines => [lines[0]!, lines] as const))('%s', (_, lines) => {
    const messages = lines.filter(line => line.startsWith('> ')).map(line => line.slice(2))
    const text = talkThrough(messages).map(response => {
      if (response.kind === 'spec') return `= ${response.say}`
      if (response.kind === 'undo') return '<'
      return `${response.kind === 'chat' ? '?' : '!'} ${written(response)}`.trim()
    })
    expect(text).toEqual(lines.filter(line => !line.startsWith('> ')).map(line => line.trim()))
  })
})
