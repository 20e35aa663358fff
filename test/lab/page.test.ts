// docs/lab.md shows the language by examples, and docs/errors.md its errors: both are checked.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LAB_ERRORS } from '../../src/lab/errors.ts'
import { talkThrough } from '../support/labTalk.ts'

const page = readFileSync('docs/lab.md', 'utf8')
const talks = [...page.matchAll(/```text\n([\s\S]*?)```/g)].map(([, body]) => body!.trimEnd())

test('the page shows more than ten talks', () => {
  expect(talks.length).toBeGreaterThan(10)
})

test.each(talks)('%s', talk => {
  const lines = talk.split('\n')
  const text = talkThrough(lines.filter(line => line.startsWith('> ')).map(line => line.slice(2)))
  expect(text.map(({ say }) => `  ${say}`)).toEqual(lines.filter(line => !line.startsWith('> ')))
})

test('the table of errors is the catalogue of LAB', () => {
  const [, section] = /## LAB\n([\s\S]*?)\n## /.exec(readFileSync('docs/errors.md', 'utf8'))!
  const rows = section!.split('\n').filter(line => /^\| \d/.test(line))
  expect(rows).toEqual(
    LAB_ERRORS.rows.map(({ status, isRetryable, meaning, extras, mayHave, always }) => {
      const names = [...(extras ?? []), ...(mayHave ?? []), ...Object.keys(always ?? {})]
      const others = names.map(name => `\`${name}\``).join(', ')
      return `| ${status} | ${isRetryable ? 'yes' : 'no'} | ${others} | ${meaning} |`
    }),
  )
})
