// Escaping of the text put into a template.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderTable } from '../../../src/platform/html/table.ts'
import { html, type Piece } from '../../../src/platform/html/template.ts'
import { runs } from '../../support/runs.ts'

/** The text of markup, by another way than that which made it. */
const findText = (markup: string): string =>
  markup.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => NAMED[name]!)

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}

test('any text comes back as it was, and none of it is markup, in an element or attribute', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('</p>', '"><script>', "' onload='x", '&amp;', '&#39;', '<!--', ']]>', '`'),
  )
  fc.assert(
    fc.property(fc.array(hostile), texts => {
      const text = texts.join('')
      const made = html`<p title="${text}">${text}</p>`.toString()
      const [, attribute, content] = /^<p title="([^"<>']*)">([^<>"']*)<\/p>$/s.exec(made) ?? []
      expect([attribute, content].map(part => findText(part!))).toEqual([text, text])
    }),
    { numRuns: runs(2000) },
  )
})

test('markup inside markup stays, lists are put one behind the other, nothing is nothing', () => {
  const item = (text: string) => html`<li>${text}</li>`
  expect(html`<ul>${['a', '<b>'].map(item)}</ul>`.toString()).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
  )
  expect(html`${null}${undefined}${false}${0}${''}${[]}`.toString()).toBe('0')
})

test('a promise in a template is an error, not a hole in the page', () => {
  expect(() => html`<p>${Promise.resolve('x') as unknown as Piece}</p>`).toThrow(
    'a template has a promise in it',
  )
})

test('a table has its caption, its heads, and numbers on the right', () => {
  const table = renderTable({
    caption: 'Names & "numbers"',
    columns: ['name', { head: 'count', isNumber: true }],
    rows: [['<i>', 3]],
  }).toString()
  expect(table).toContain('aria-label="Names &amp; &quot;numbers&quot;"')
  expect(table).toContain('<th scope="col">name</th><th scope="col" class="number">count</th>')
  expect(table).toContain('<td>&lt;i&gt;</td><td class="number">3</td>')
})
