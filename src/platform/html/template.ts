import { html as tagged } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Markup that is safe to send: only `html` creates it, and it escapes every text put into it. */
export type Html = HtmlEscapedString

/** Values of a template: text and numbers are escaped, markup is not, empty values vanish. */
export type Piece = string | number | Html | null | undefined | false | readonly Piece[]

/**
 * Markup with values in it. A value in an attribute needs quotes around it; promises are awaited
 * before, never inside.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  const made = tagged(strings, ...values)
  if (made instanceof Promise) throw new Error('a template has a promise in it')
  return made
}

export const EMPTY = html``
