// Comments, test names and identifiers are in the words of the field.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findBannedWords, findQuestions, PUBLISHED_WORDS } from './support/bannedWords.ts'

const files = globSync(['{src,pipelines,test}/**/*.{ts,js}', 'sql/**/*.sql']).filter(
  file => file !== 'test/support/bannedWords.ts' && file !== 'test/words.test.ts',
)
const texts = files.map(file => [file, readFileSync(file, 'utf8')] as const)

test('no comment, test name or identifier has a banned word', () => {
  expect(texts.flatMap(([file, text]) => findBannedWords(file, text))).toEqual([])
})

test('no comment begins with What, Who, Whose or Whether', () => {
  expect(texts.flatMap(([file, text]) => findQuestions(file, text))).toEqual([])
})

test('every published word stands in a file that it is listed for', () => {
  const isUnused = ({ word, files: listed }: (typeof PUBLISHED_WORDS)[number]) =>
    !texts.some(([file, text]) => listed.test(file) && new RegExp(word, 'i').test(text))
  expect(PUBLISHED_WORDS.filter(isUnused)).toEqual([])
})

test('a banned word is found in a comment, a test name, an identifier and a CTE', () => {
  const module = "// rows told\nconst keptRows = 'said'\nconst inFlight = /told/ // in flight"
  expect(findBannedWords('src/orders/a.ts', module)).toEqual([
    'src/orders/a.ts:1: told: reported, sent, given',
    'src/orders/a.ts:2: kept: stored, cached, retained',
  ])
  const names = `test.each([1])('%i is told', told => {})\ntest(\`\${told('}')} said\`, () => {})\nconst told = toldRows`
  expect(findBannedWords('test/a.test.ts', names)).toEqual([
    'test/a.test.ts:1: told: reported, sent, given',
    'test/a.test.ts:2: told: reported, sent, given',
    'test/a.test.ts:2: said: reported, stated',
    'test/a.test.ts:3: told: reported, sent, given',
  ])
  const query = "with kept as (select 1) -- news of a time zone\nselect 'told' from kept"
  expect(findBannedWords('sql/a.sql', query)).toHaveLength(3)
  expect(findBannedWords('src/alerts/rules/a.ts', 'const told = 1')).toEqual([])
  expect(
    findQuestions('src/a.ts', '/** Whether it is. */\n// Whatever\n/**\n * Who asks. */'),
  ).toEqual(['src/a.ts:1', 'src/a.ts:3'])
})
