import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import type { AccountStore } from '../accounts/types.ts'
import type { AccountForm, AccountSection } from '../html/account.ts'
import { sendHtml } from '../http/answer.ts'
import { answering } from '../http/auth.ts'
import { ApiError } from '../http/error.ts'
import { contextOf, refuseRoute } from '../http/request.ts'
import type { AccountDeps } from './accountDeps.ts'
import { type AccountView, accountPage } from './accountPage.ts'
import { clearSecret, readSecret, writeSecret } from './cookie.ts'
import { enterHandlers } from './enter.ts'
import { checkToken, readForm, tokenOf } from './forms.ts'
import { sectionsOf } from './sections.ts'

/** How exactly it is known when a browser was last used; as often its cookie is sent anew. */
const SEEN_EVERY_MS = 60_000

/** A browser that is signed in, and the account that it shows. */
type Signed = { readonly secret: string; readonly view: AccountView }

/** The account page, its forms, and the way in; to be mounted at `/account`. */
export function accountRouter(deps: AccountDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const draw = accountPage(deps)
  const show: RequestHandler = async (req, res) => {
    const signed = await signedIn(req, res, deps)
    if (!signed) return redirect(res, '/account/enter')
    sendHtml(res, await draw(signed.view))
  }
  const enter = enterHandlers(deps)
  router.use((req, _res, next) => {
    // the mount point itself has no slash at its end, as no page has
    const isSlashed = req.originalUrl.split('?')[0]!.endsWith('/')
    next(isSlashed ? notHere() : undefined)
  })
  router.all('/', taking({ GET: show, HEAD: show }))
  router.all('/enter', taking({ GET: enter.show, HEAD: enter.show, POST: enter.use }))
  router.all('/sign-out', taking({ POST: signOut(deps) }))
  router.all('/:section/:form', taking({ POST: answerForm(deps, draw) }))
  router.use(refuseRoute)
  return router
}

/** Finds who is signed in, and notes that the browser was used; null where nobody is. */
async function signedIn(req: Request, res: Response, deps: AccountDeps): Promise<Signed | null> {
  const { accounts, elapsedMs } = deps
  const secret = readSecret(req)
  if (secret === null) return null
  const atMs = elapsedMs()
  const signIn = await answering(() => accounts.findSignIn(secret, atMs))
  if (!signIn) return null
  const account = await answering(() => accounts.findAccount(signIn.accountId))
  if (!account) return null
  contextOf(res).accountId = account.id
  if (atMs - signIn.lastSeenAtMs >= SEEN_EVERY_MS) await noteUse(accounts, signIn.id, atMs)
  writeSecret(res, secret)
  const asked = { account, atMs, signInId: signIn.id, token: tokenOf(secret) }
  return { secret, view: { ...asked, told: null } }
}

/** A page that can be shown is shown: what was not noted is noted at the next. */
async function noteUse(accounts: AccountStore, signInId: string, atMs: number): Promise<void> {
  const minuteMs = Math.floor(atMs / SEEN_EVERY_MS) * SEEN_EVERY_MS
  await accounts.markSignInSeen(signInId, minuteMs).catch(() => {})
}

function signOut(deps: AccountDeps): RequestHandler {
  return async (req, res) => {
    const { fields } = await readForm(req)
    const signed = await signedIn(req, res, deps)
    if (signed) {
      checkToken(fields, signed.secret)
      const { account, signInId } = signed.view
      await answering(() => deps.accounts.endSignIns(account.id, signInId))
    }
    clearSecret(res)
    redirect(res, '/account/enter')
  }
}

/** A form of a section: what it tells stands on the page, and else the page is shown anew. */
function answerForm(
  deps: AccountDeps,
  draw: (view: AccountView) => Promise<string>,
): RequestHandler {
  return async (req, res) => {
    const { fields, origin } = await readForm(req)
    const signed = await signedIn(req, res, deps)
    if (!signed) return redirect(res, '/account/enter')
    checkToken(fields, signed.secret)
    const { section, form } = req.params as { section: string; form: string }
    const found = sectionsOf(deps).find(({ name }) => name === section)
    const answer = formOf(found, form)
    const said = await answering(() => answer({ ...signed.view, fields, origin }))
    if (said === null) return redirect(res, `/account#${section}`)
    const told = { section, ...said }
    sendHtml(res, await draw({ ...signed.view, told }), 'refused' in said ? 400 : 200)
  }
}

function formOf(section: AccountSection | undefined, name: string) {
  const forms = section?.forms ?? {}
  if (!Object.hasOwn(forms, name)) throw notHere()
  return forms[name]! as (sent: AccountForm) => ReturnType<(typeof forms)[string]>
}

const notHere = () => new ApiError('no_route', { message: 'there is no such page.' })

/** A handler for each method; another one is 405 `method`. */
function taking(handlers: Readonly<Record<string, RequestHandler>>): RequestHandler {
  return (req, res, next) => {
    const handler = Object.hasOwn(handlers, req.method) ? handlers[req.method]! : null
    if (handler) return handler(req, res, next)
    throw new ApiError('method', { headers: { allow: Object.keys(handlers).join(', ') } })
  }
}

/** After a form the browser asks for a page anew: to load that again sends nothing twice. */
const redirect = (res: Response, path: string): void => {
  res.writeHead(303, { location: path, 'content-length': 0 }).end()
}
