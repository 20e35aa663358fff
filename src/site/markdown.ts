import { marked, type Token, type Tokens } from 'marked'
import { renderTable } from '../platform/html/table.ts'
import { EMPTY, type Html, html } from '../platform/html/template.ts'

/** Resolves the target of a link; null when it has none here. */
export type ResolveHref = (href: string) => string | null

/**
 * Renders Markdown. Only the templates here create markup: markup inside the text is dropped, and
 * all text is escaped.
 */
export function renderMarkdown(text: string, resolveHref: ResolveHref): Html {
  let heading = ''
  const captions = new Map<string, number>()
  /** Names a table by its heading; the second one below it gets a number. */
  const nextCaption = () => {
    const count = (captions.get(heading) ?? 0) + 1
    captions.set(heading, count)
    return count === 1 ? heading : `${heading}, table ${count}`
  }
  const block = (token: Token): Html => {
    const { type } = token
    if (type === 'heading') {
      const { depth, tokens = [], text: headingText } = token as Tokens.Heading
      heading = headingText
      const id = toSlug(headingText)
      if (depth === 1) return html`<h1 id="${id}">${inlines(tokens)}</h1>\n`
      if (depth === 2) return html`<h2 id="${id}">${inlines(tokens)}</h2>\n`
      return html`<h3 id="${id}">${inlines(tokens)}</h3>\n`
    }
    if (type === 'table') {
      const { header, rows } = token as Tokens.Table
      return renderTable({
        caption: nextCaption(),
        columns: header.map((cell, index) => {
          const isNumber = rows.length > 0 && rows.every(row => isFigure(row[index]!.text))
          return { head: inlines(cell.tokens), isNumber }
        }),
        rows: rows.map(row => row.map(cell => inlines(cell.tokens))),
      })
    }
    if (type === 'list') {
      const { items, ordered } = token as Tokens.List
      const lines = items.map(({ tokens }) => html`<li>${tokens.map(block)}</li>\n`)
      return ordered ? html`<ol>${lines}</ol>\n` : html`<ul>${lines}</ul>\n`
    }
    if (type === 'code') {
      return html`<pre tabindex="0"><code>${(token as Tokens.Code).text}</code></pre>\n`
    }
    if (type === 'blockquote') {
      const { tokens } = token as Tokens.Blockquote
      return html`<blockquote>${tokens.map(block)}</blockquote>`
    }
    if (type === 'hr') return html`<hr>`
    if (type === 'paragraph') return html`<p>${inlines((token as Tokens.Paragraph).tokens)}</p>\n`
    // comments and other markup, and lines between blocks
    if (type === 'html' || type === 'space' || type === 'def') return EMPTY
    return inline(token)
  }
  const inlines = (tokens: readonly Token[] = []): Html => html`${tokens.map(inline)}`
  const inline = (token: Token): Html => {
    const { type, text: headingText = '', tokens } = token as Tokens.Generic & { text?: string }
    if (type === 'strong') return html`<strong>${inlines(tokens)}</strong>`
    if (type === 'em') return html`<em>${inlines(tokens)}</em>`
    if (type === 'codespan') return html`<code>${headingText}</code>`
    if (type === 'br') return html`<br>`
    if (type === 'html' || type === 'image') return EMPTY
    if (type === 'link') {
      const href = resolveHref((token as Tokens.Link).href)
      return href === null ? inlines(tokens) : html`<a href="${href}">${inlines(tokens)}</a>`
    }
    return tokens ? inlines(tokens) : html`${headingText}`
  }
  return html`${marked.lexer(text).map(block)}`
}

/** Anchors as GitHub makes them. */
const toSlug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')

const isFigure = (text: string): boolean => /^[-+−±]?[\d,.]+( ?%)?$|^-?$/.test(text)
