import { type Term, toAnchor } from '../platform/html/glossary.ts'
import { renderPage } from '../platform/html/layout.ts'
import { html } from '../platform/html/template.ts'

/** The terms of the site, in alphabetical order. */
export const glossaryPage = (words: readonly (readonly [Term, string])[]): string =>
  renderPage({
    title: 'Glossary',
    path: '/glossary',
    main: html`<div class="text">
<h1>Glossary</h1>
<p>Dotted words on the site lead here. More about each:
<a href="/methodology">methodology</a>.</p>
<dl class="words">
${words
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(
    ([name, meaning]) => html`<dt id="${toAnchor(name)}">${name}</dt>
<dd>${meaning}</dd>
`,
  )}</dl>
</div>`,
  })
