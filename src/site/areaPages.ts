import type { Request, RequestHandler, Response } from 'express'
import type { AccountPageResponse, AccountPages } from '../accounts/accountPage.ts'
import { wantsPage } from '../platform/html/errorPage.ts'
import { renderPage } from '../platform/html/layout.ts'
import { briefPage, sendPage } from '../platform/http/page.ts'
import { readQuery } from '../platform/http/query.ts'
import { HTML_TYPE, JSON_TYPE, sendHtml } from '../platform/http/response.ts'
import type { AccountDeps } from './accountDeps.ts'
import { checkToken, readForm } from './forms.ts'
import { redirect, taking } from './routing.ts'
import { notHere } from './sessionResponders.ts'
import { findSignedIn, refuseProgram, signInFirst } from './signedIn.ts'

/** For responses to one visitor: never cached. */
const PRIVATE = { 'cache-control': 'private, no-store' }

/** Pages of areas, each below `/account/NAME`; other paths pass through. */
export function areaPages(deps: AccountDeps): RequestHandler {
  return (req, res, next) => {
    const [, name, ...parts] = req.path.split('/')
    const pages = listPages(deps).find(one => one.name === name)
    if (!pages) return next()
    const form = parts.length === 1 && Object.hasOwn(pages.forms, parts[0]!) ? parts[0]! : null
    const show = showPage(deps, pages, parts)
    const handlers = form ? { POST: takeForm(deps, pages, form) } : { GET: show, HEAD: show }
    return taking(handlers)(req, res, next)
  }
}

const listPages = ({ others }: AccountDeps): readonly AccountPages[] =>
  others().flatMap(({ open }) => open.account?.pages ?? [])

const showPage =
  (deps: AccountDeps, { show }: AccountPages, parts: readonly string[]): RequestHandler =>
  async (req, res) => {
    const signedIn = await findSignedIn(req, res, deps)
    if (!signedIn && wantsPage(req)) return redirect(res, '/account/enter')
    if (!signedIn) return refuseProgram(res, signInFirst('this is of an account'))
    const { request } = signedIn
    const query = <Name extends string>(known: readonly Name[]) => readQuery(req, res, known)
    await send(req, res, await show({ ...request, parts, query }), request.token)
  }

const takeForm =
  (deps: AccountDeps, { forms }: AccountPages, name: string): RequestHandler =>
  async (req, res) => {
    const { fields, origin } = await readForm(req)
    const signedIn = await findSignedIn(req, res, deps)
    if (!signedIn) return redirect(res, '/account/enter')
    const { secret, request } = signedIn
    checkToken(fields, secret)
    await send(req, res, await forms[name]!({ ...request, fields, origin }), request.token)
  }

async function send(
  req: Request,
  res: Response,
  response: AccountPageResponse,
  token: string,
): Promise<void> {
  if (response === null) throw notHere()
  if ('goTo' in response) return redirect(res, response.goTo)
  if ('file' in response) {
    const { name, type: contentType, bytes: content } = response.file
    const headers = { ...PRIVATE, 'content-disposition': `attachment; filename="${name}"` }
    return sendPage(req, res, briefPage({ content, contentType, headers }))
  }
  if ('json' in response) {
    const content = JSON.stringify(response.json)
    return sendPage(req, res, briefPage({ content, contentType: JSON_TYPE, headers: PRIVATE }))
  }
  const { page, status = 200 } = response
  const content = renderPage({ ...page, path: '/account' })
  // the size of a compressed page reveals repeated content (BREACH): never compress the form token
  if (content.includes(token)) return sendHtml(res, content, status)
  await sendPage(req, res, briefPage({ content, contentType: HTML_TYPE, status, headers: PRIVATE }))
}
