import { html as tagged } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Markup that is safe to send: only `html` makes it, and it escapes every text put into it. */
export type Html = HtmlEscapedString

/** What may stand in a template: text and numbers are escaped, markup stays, nothing is nothing. */
export type Piece = string | number | Html | null | undefined | false | readonly Piece[]

/**
 * Markup with values in it. A value in an attribute needs quotes around it; what a promise answers
 * is waited for before, never inside.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  const made = tagged(strings, ...values)
  if (made instanceof Promise) throw new Error('a template has a promise in it')
  return made
}

export const EMPTY = html``
