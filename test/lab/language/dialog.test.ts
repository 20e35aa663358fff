// Talks put together at random of messages that people send.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSpec } from '../../../src/lab/language/checkSpec.ts'
import { compileMessage } from '../../../src/lab/language/read.ts'
import { sayRule } from '../../../src/lab/language/say.ts'
import { talkThrough } from '../../support/labTalk.ts'

const messagesOf = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, `../corpus/${name}.txt`), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('> '))
    .map(line => line.slice(2))

const begins = fc.constantFrom(...messagesOf('rules'), ...messagesOf('questions'))
const changes = fc.constantFrom(...messagesOf('threads'), ...messagesOf('refusals'))

test('whatever is said on an idea, each rule it comes to is one, and is read as it is said', () => {
  fc.assert(
    fc.property(begins, fc.array(changes, { maxLength: 6 }), (first, others) => {
      for (const answer of talkThrough([first, ...others])) {
        if (answer.kind !== 'spec') continue
        expect(checkSpec(answer.spec)).toEqual({ spec: answer.spec, errors: null })
        expect(compileMessage(sayRule(answer.spec))).toMatchObject({ spec: answer.spec })
      }
    }),
    { numRuns: 300 },
  )
})

test('every question keeps what is understood, and small talk keeps nothing', () => {
  fc.assert(
    fc.property(begins, fc.array(changes, { maxLength: 4 }), (first, others) => {
      for (const answer of talkThrough([first, ...others])) {
        if (answer.kind === 'chat') {
          expect(answer.draft === null).toBe(answer.missing.length === 0)
        }
      }
    }),
    { numRuns: 300 },
  )
})
