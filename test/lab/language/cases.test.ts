// Sentences and talks by people who did not know the phrases of the language: how many of them are
// read as they were meant, and that none becomes another rule.

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findMisfit, judgeCase, type LabTalk, readCases } from '../../support/labCases.ts'

const corpus = (name: string) => join(import.meta.dirname, `../corpus/${name}.jsonl`)

describe('the sentences', () => {
  const rows = readCases(corpus('sentences')).map(one => ({ one, verdict: judgeCase(one).verdict }))
  const list = (...verdicts: string[]) => rows.filter(({ verdict }) => verdicts.includes(verdict))

  test('are at least 290, none of which becomes a rule that was not meant', () => {
    expect(rows.length).toBeGreaterThanOrEqual(290)
    expect(list('different').map(({ one }) => one.text)).toEqual([])
  })

  test('are read as they were meant, or need one yes', () => {
    expect(list('refused', 'misproposed').map(({ one }) => one.text)).toEqual([])
    expect(list('exact').length / rows.length).toBeGreaterThanOrEqual(0.97)
    expect(list('exact', 'proposed').length / rows.length).toBeGreaterThanOrEqual(0.99)
  })
})

test('of 60 ideas that no rule can be, none becomes one', () => {
  const verdicts = readCases(corpus('impossible')).map(one => judgeCase(one).verdict)
  expect(verdicts).toHaveLength(60)
  expect(verdicts.filter(verdict => verdict === 'different')).toEqual([])
  // the others are proposed without what is no part of a rule, which is listed
  expect(verdicts.filter(verdict => verdict === 'exact').length).toBeGreaterThanOrEqual(54)
})

describe('the talks of many messages', () => {
  const talks = readCases<LabTalk>(corpus('talks'))

  test('are 30', () => {
    expect(talks).toHaveLength(30)
  })

  test.each(talks)('$about', talk => {
    expect(findMisfit(talk)).toBeNull()
  })
})
