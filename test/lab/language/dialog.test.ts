// Talks put together at random of messages that people send.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSpec } from '../../../src/lab/language/checkSpec.ts'
import { reply } from '../../../src/lab/language/dialog.ts'
import { sayRule } from '../../../src/lab/language/say.ts'
import { talkThrough } from '../../support/labTalk.ts'
import { runs } from '../../support/runs.ts'

const listMessages = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, `../corpus/${name}.txt`), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('> '))
    .map(line => line.slice(2))

const begins = fc.constantFrom(...listMessages('rules'), ...listMessages('questions'))
const changes = fc.constantFrom(...listMessages('threads'), ...listMessages('refusals'))

test('whatever messages change an idea, each rule it comes to is one, and is read as it is stated', () => {
  fc.assert(
    fc.property(begins, fc.array(changes, { maxLength: 6 }), (first, others) => {
      for (const response of talkThrough([first, ...others])) {
        if (response.kind !== 'spec') continue
        expect(checkSpec(response.spec)).toEqual({ spec: response.spec, errors: null })
        expect(reply(sayRule(response.spec), null)).toMatchObject({ spec: response.spec })
      }
    }),
    { numRuns: runs(300) },
  )
})

test('every question keeps what is understood, and small talk keeps nothing', () => {
  fc.assert(
    fc.property(begins, fc.array(changes, { maxLength: 4 }), (first, others) => {
      for (const response of talkThrough([first, ...others])) {
        if (response.kind === 'chat') {
          expect(response.draft === null).toBe(response.missing.length === 0)
        }
      }
    }),
    { numRuns: runs(300) },
  )
})
