import { type ErrorPage, isBelow, type ShownError } from '../http/request.ts'
import { renderPage } from './layout.ts'
import { type Html, html } from './template.ts'

/** Errors as pages for people on the site; programs get their product's envelope. */

export type ErrorPaths = {
  /** Paths below which every error is a page. */
  readonly sitePaths: readonly string[]
  /** Paths below which none is. */
  readonly apiPaths: readonly string[]
}

/** Renders errors as pages for browsers, and null for programs. */
export function errorPages({ sitePaths, apiPaths }: ErrorPaths): ErrorPage {
  const isUnder = (url: string, paths: readonly string[]) => paths.some(path => isBelow(url, path))
  return (req, error) => {
    const url = req.originalUrl
    const isPage = isUnder(url, sitePaths) || (!isUnder(url, apiPaths) && wantsPage(req))
    return isPage ? errorPage(error, req.method) : null
  }
}

/** A browser accepts HTML by name when it opens an address; programs accept JSON or anything. */
export const wantsPage = ({ headers }: Parameters<ErrorPage>[0]): boolean =>
  /\btext\/html\b/.test(headers.accept ?? '')

function errorPage(error: ShownError, method: string): string {
  const { status, code, requestId } = error
  const title = TITLES[status] ?? 'Something went wrong'
  const main = html`<div class="text">
<h1>${title}</h1>
<p>${formatSentence(error, method)}</p>
${status >= 500 && readNumber(requestId)}<p><a href="/">To the start</a>${
    status === 403 && html` · <a href="/account">To your account</a>`
  }</p>
<p class="quiet small">Status ${status}, <code>${code}</code></p>
</div>`
  return renderPage({ title, path: '', main })
}

const readNumber = (
  requestId: string,
): Html => html`<p class="quiet small">If you report it, give this
number: <span class="mono">${requestId}</span></p>
`

const TITLES: Readonly<Record<number, string>> = {
  400: 'That cannot be done',
  403: 'That is not allowed',
  404: 'There is no such page',
  405: 'That does not work here',
  413: 'That is too large',
  415: 'That does not work here',
  429: 'Too many requests',
  500: 'Something went wrong here',
  503: 'Not available right now',
}

function formatSentence({ code, message }: ShownError, method: string): string {
  if (code === 'no_route') return 'The address may be mistyped, or the page may have moved.'
  if (code === 'method') return `The page does not take the method ${method}.`
  if (code === 'internal') return 'The error was logged. Try again later.'
  return message.charAt(0).toUpperCase() + message.slice(1)
}
