import { expect, test } from 'vitest'
import { reply } from '../../../src/lab/language/dialog.ts'
import { sayRule } from '../../../src/lab/language/say.ts'
import type { RuleSpec } from '../../../src/lab/language/spec.ts'
import { readVectors } from '../../support/shared.ts'

type Case = { readonly text: string; readonly expect: object }

/** Expected reply of the vectors. */
function respondTo(text: string): object {
  const response = reply(text, null)
  if (response.kind === 'spec') return { kind: response.kind, spec: response.spec }
  if (response.kind === 'chat') {
    return { kind: response.kind, missing: response.missing.map(({ slot }) => slot) }
  }
  if (response.kind === 'error') return { kind: response.kind, errors: response.errors }
  return { kind: response.kind }
}

const { cases } = readVectors('rules') as { cases: Case[] }
const { cases: design } = readVectors('rules_design') as { cases: Case[] }

test.each([...cases, ...design])('$text', ({ text, expect: expected }) => {
  expect(respondTo(text)).toEqual(expected)
})

test.each([...cases, ...design])('stated back: $text', ({ expect: expected }) => {
  const { spec } = expected as { spec?: RuleSpec }
  if (spec) expect(respondTo(sayRule(spec))).toEqual({ kind: 'spec', spec })
})
