import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import {
  type AccountPageResponse,
  type AccountPages,
  type AccountRequest,
  type AccountSection,
  accountForm,
} from '../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { wantsPage } from '../platform/html/errorPage.ts'
import { renderPage } from '../platform/html/layout.ts'
import { type Html, html } from '../platform/html/template.ts'
import { ApiError } from '../platform/http/error.ts'
import { isExpected } from '../platform/http/errors/catalogue.ts'
import { maskSecrets } from '../platform/http/mask.ts'
import { briefPage, sendPage } from '../platform/http/page.ts'
import { readQuery } from '../platform/http/query.ts'
import { refuseRoute } from '../platform/http/request.ts'
import { HTML_TYPE, JSON_TYPE, sendHtml } from '../platform/http/response.ts'
import type { AccountDeps } from './accountDeps.ts'
import { clearSecret } from './cookie.ts'
import { enterHandlers } from './enter.ts'
import { checkToken, readForm } from './forms.ts'
import { listSections } from './sections.ts'
import { notHere } from './sessionResponders.ts'
import { findSignedIn, refuseProgram, signInFirst } from './signedIn.ts'

/** A handler for each method; any other is 405 `method`. */
function taking(handlers: Readonly<Record<string, RequestHandler>>): RequestHandler {
  return (req, res, next) => {
    const handler = Object.hasOwn(handlers, req.method) ? handlers[req.method]! : null
    if (handler) return handler(req, res, next)
    throw new ApiError('method', { headers: { allow: Object.keys(handlers).join(', ') } })
  }
}

/** Redirects after a form, so that a reload sends nothing twice. */
const redirect = (res: Response, path: string): void => {
  res.writeHead(303, { location: path, 'content-length': 0 }).end()
}

/** For responses to one visitor: never cached. */
const PRIVATE = { 'cache-control': 'private, no-store' }

/** Pages of areas, each below `/account/NAME`; other paths pass through. */
function areaPages(deps: AccountDeps): RequestHandler {
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

type AccountView = AccountRequest & {
  /** Notice of the form just sent, and the section it belongs to. */
  readonly notice: FormNotice | null
}

type FormNotice = { readonly section: string } & (
  | { readonly notice: Html }
  | { readonly refused: string }
)

/** Draws the account page; a section that fails to draw shows a notice, and the others remain. */
function accountPage(deps: AccountDeps): (view: AccountView) => Promise<string> {
  return async view => {
    const drawn = await Promise.all(
      listSections(deps).map(async section => ({
        section,
        content: await drawSection(section, view),
      })),
    )
    const { account, notice } = view
    return renderPage({
      title: 'Account',
      path: '/account',
      main: html`<div class="text">
<div class="head">
<h1>${account.name}</h1>
${accountForm(view, 'sign-out', html`<button class="plain small">Sign out</button>`)}
</div>
<p class="quiet">Account <span class="mono">${account.id}</span></p>
${drawn.map(({ section, content }) => content && renderPart(section, content, notice))}
</div>`,
    })
  }

  async function drawSection(section: AccountSection, view: AccountView): Promise<Html | null> {
    try {
      return await section.draw(view)
    } catch (error) {
      if (isExpected(error)) return html`<p class="note bad">${error.message}</p>`
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
      deps.log.error({ section: section.name, err: maskSecrets(cause) }, 'cannot draw a section')
      return html`<p class="note bad">This part cannot be shown right now.</p>`
    }
  }
}

function renderPart(
  { name, title }: AccountSection,
  content: Html,
  notice: FormNotice | null,
): Html {
  return html`<section class="part" id="${name}" aria-labelledby="title-${name}">
<h2 id="title-${name}">${title}</h2>
${notice?.section === name && renderNotice(notice)}${content}
</section>
`
}

const renderNotice = (notice: FormNotice): Html =>
  'refused' in notice
    ? html`<div class="note bad" role="alert"><p>${notice.refused}</p></div>\n`
    : html`<div class="note good" role="status">${notice.notice}</div>\n`

type Draw = (view: AccountView) => Promise<string>

/** The account page, its forms, and sign-in; to be mounted at `/account`. */
export function accountRouter(deps: AccountDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const draw = accountPage(deps)
  const show: RequestHandler = async (req, res) => {
    const signedIn = await findSignedIn(req, res, deps)
    if (!signedIn) return redirect(res, '/account/enter')
    sendHtml(res, await draw({ ...signedIn.request, notice: null }))
  }
  const enter = enterHandlers(deps)
  router.use((req, _res, next) => {
    // the mount point itself has no trailing slash, like every page
    const isSlashed = req.originalUrl.split('?')[0]!.endsWith('/')
    next(isSlashed ? notHere() : undefined)
  })
  router.all('/', taking({ GET: show, HEAD: show }))
  router.all('/enter', taking({ GET: enter.show, HEAD: enter.show, POST: enter.use }))
  if (enter.mail) router.all('/enter/mail', taking({ POST: enter.mail }))
  router.all('/sign-out', taking({ POST: signOut(deps) }))
  router.use(areaPages(deps))
  router.all('/:section/:form', taking({ POST: respondToForm(deps, draw) }))
  router.use(refuseRoute)
  return router
}

function signOut(deps: AccountDeps): RequestHandler {
  return async (req, res) => {
    const { fields } = await readForm(req)
    const signedIn = await findSignedIn(req, res, deps)
    if (signedIn) {
      checkToken(fields, signedIn.secret)
      const { account, signInId } = signedIn.request
      await refuseWhileUnavailable(() => deps.accounts.endSignIns(account.id, signInId))
    }
    clearSecret(res)
    redirect(res, '/account/enter')
  }
}

/** Handles a form of a section: shows its notice on the page, or else the page again. */
function respondToForm(deps: AccountDeps, draw: Draw): RequestHandler {
  return async (req, res) => {
    const { fields, origin } = await readForm(req)
    const signedIn = await findSignedIn(req, res, deps)
    if (!signedIn) return redirect(res, '/account/enter')
    const { secret, request } = signedIn
    checkToken(fields, secret)
    const { section: name, form } = req.params as { section: string; form: string }
    const section = listSections(deps).find(one => one.name === name)
    const response = await findForm(section, form)({ ...request, fields, origin })
    if (response === null) return redirect(res, `/account#${name}`)
    const notice = { section: name, ...response }
    sendHtml(res, await draw({ ...request, notice }), 'refused' in response ? 400 : 200)
  }
}

function findForm(section: AccountSection | undefined, name: string) {
  const forms = section?.forms ?? {}
  if (!Object.hasOwn(forms, name)) throw notHere()
  return forms[name]!
}
