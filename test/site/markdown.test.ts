// Pages of docs/ as pages of the site.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from '../../src/site/markdown.ts'
import { runs } from '../support/runs.ts'

const markup = (text: string) =>
  renderMarkdown(text, href => (href.startsWith('other.md') ? '/other' : null)).toString()

test.each([
  ['# One *two*', '<h1 id="one-two"', '<em>two</em></h1>'],
  ['## Fold: which `prints`', '<h2 id="fold-which-prints">'],
  ['a **b** `c<d>`', '<p>a <strong>b</strong> <code>c&lt;d&gt;</code></p>'],
  ['- one\n- two `x`', '<ul><li>one</li>\n<li>two <code>x</code></li>\n</ul>'],
  ['1. one\n2. two', '<ol><li>one</li>\n<li>two</li>\n</ol>'],
  ['```sh\na < b\n```', '<pre tabindex="0"><code>a &lt; b</code></pre>'],
  ['[there](other.md)', '<a href="/other">there</a>'],
  ['[gone](gone.md#x)', '<p>gone</p>'],
  ['> said', '<blockquote><p>said</p>\n</blockquote>'],
  ['| a | b |\n|---|---|\n| x | 1.5 |', '<th scope="col" class="number">b</th>', '1.5</td>'],
])('%j becomes %s', (text, ...parts) => {
  for (const part of parts) expect(markup(text)).toContain(part)
})

test('markup, comments, pictures and scripts in the text do not come out', () => {
  const text = `<!-- a --> <script>alert(1)</script>
<img src=x onerror=alert(2)>

a <b onclick=x>bold</b> ![p](x.png) [x](javascript:alert(3)) <https://example.com>`
  const made = markup(text)
  expect(made).not.toMatch(/<(script|img|b)\b|javascript:|onerror|onclick|<!--/)
  expect(made).toContain('bold')
})

test('whatever the text, only the elements of this site come out', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<script>',
      '</p>',
      '`',
      '**',
      '# ',
      '\n\n',
      '| a |\n|---|\n| b |\n',
      '- ',
      '> ',
    ),
    fc.constantFrom(
      '[a](javascript:x)',
      '[a](other.md)',
      '<!--',
      '&lt;',
      '<div onclick=x>',
      '```\n',
    ),
  )
  const inText = 'h1 h2 h3 p a em strong code pre ul ol li br hr blockquote'
  const inTables = 'div table caption thead tbody tr th td'
  const known = new Set(`${inText} ${inTables}`.split(' '))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const made = markup(pieces.join(''))
      for (const [, name, rest] of made.matchAll(/<\/?([^\s>]*)([^>]*)>/g)) {
        expect(known).toContain(name)
        // a label may say anything: it is text
        expect(rest!.replace(/"[^"]*"/g, '""')).not.toMatch(/ on\w+=/)
        expect(rest).not.toMatch(/ (?:href|src)="javascript:/)
      }
    }),
    { numRuns: runs(1000) },
  )
})

test('the second table below a heading is distinguished from the first', () => {
  const table = '| a |\n|---|\n| b |\n'
  const made = markup(`## Orders\n\n${table}\ntext\n\n${table}`)
  expect(made).toContain('aria-label="Orders"')
  expect(made).toContain('aria-label="Orders, table 2"')
})
