import express, { type RequestHandler, type Router } from 'express'
import type { AccountSection } from '../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { refuseRoute } from '../platform/http/request.ts'
import { sendHtml } from '../platform/http/response.ts'
import type { AccountDeps } from './accountDeps.ts'
import { type AccountView, accountPage } from './accountPage.ts'
import { areaPages } from './areaPages.ts'
import { clearSecret } from './cookie.ts'
import { enterHandlers } from './enter.ts'
import { checkToken, readForm } from './forms.ts'
import { redirect, taking } from './routing.ts'
import { listSections } from './sections.ts'
import { notHere } from './sessionResponders.ts'
import { findSignedIn } from './signedIn.ts'

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
