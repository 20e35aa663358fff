import type { RequestHandler } from 'express'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { renderPage } from '../platform/html/layout.ts'
import { html } from '../platform/html/template.ts'
import { clientAddress } from '../platform/http/addresses.ts'
import { limitByAddress } from '../platform/http/addressLimit.ts'
import { readQuery } from '../platform/http/query.ts'
import { sendHtml } from '../platform/http/response.ts'
import type { AccountDeps } from './accountDeps.ts'
import { browserName } from './browserName.ts'
import { readSecret, writeSecret } from './cookie.ts'
import { readForm, refuseInsecure } from './forms.ts'
import { mailCodeHandler } from './mailCode.ts'

/** Burst of code attempts per address, and the refill rate: one per half minute. */
export const ATTEMPTS = { atOnce: 10, perSecond: 1 / 30 }

/**
 * Sign-in: a page with a form, and the handling of its code. Viewing the page never uses the code
 * up: only its form does.
 */
export function enterHandlers(deps: AccountDeps): {
  readonly show: RequestHandler
  readonly use: RequestHandler
  /** Null when no mail is sent. */
  readonly mail: RequestHandler | null
} {
  const { accounts, elapsedMs } = deps
  const hasMail = deps.notices.mailer !== null
  const draw = (shown: Partial<EnterPage>) =>
    enterPage({ problem: null, notice: null, mailProblem: null, to: ACCOUNT, hasMail, ...shown })
  const refusal = 'too many sign-in codes were tried from this address'
  const limit = limitByAddress({ ...ATTEMPTS, readAddress: clientAddress, elapsedMs, refusal })
  const show: RequestHandler = async (req, res) => {
    const secret = readSecret(req)
    const isIn =
      secret && (await refuseWhileUnavailable(() => accounts.findSignIn(secret, elapsedMs())))
    const to = destinationAfter(readQuery(req, res, ['to']).to[0])
    if (isIn) return void res.writeHead(303, { location: to, 'content-length': 0 }).end()
    sendHtml(res, draw({ to }))
  }
  const use: RequestHandler = async (req, res) => {
    const { fields, origin } = await readForm(req)
    refuseInsecure(origin)
    const refused = limit(req)
    if (refused) throw refused
    const code = fields.get('code') ?? ''
    const to = destinationAfter(fields.get('to'))
    const browser = browserName(req.headers['user-agent'])
    const entering = { code, browser, atMs: elapsedMs() }
    const entered = await refuseWhileUnavailable(() => accounts.signIn(entering))
    if (!entered) return sendHtml(res, draw({ problem: NOT_GOOD, to }), 400)
    writeSecret(res, entered.secret)
    res.writeHead(303, { location: to, 'content-length': 0 }).end()
  }
  const mail = mailCodeHandler(deps, (res, mailResult, to) => {
    const { notice = null, refused: mailProblem = null } = mailResult
    const page = draw({ notice, mailProblem, to: destinationAfter(to) })
    sendHtml(res, page, mailProblem === null ? 200 : 400)
  })
  return { show, use, mail: hasMail ? mail : null }
}

/** Destination after sign-in: the requested session, never another site. */
const destinationAfter = (to: string | null | undefined): string =>
  to && /^\/sessions\/\d{4}-\d{2}-\d{2}$/.test(to) ? to : ACCOUNT

const ACCOUNT = '/account'

const NOT_GOOD =
  'This code is mistyped, was used before, or is over 15 minutes old. Ask for a new one.'

type EnterPage = {
  /** Reason why a code was refused. */
  readonly problem: string | null
  /** Result of the request for a mail. */
  readonly notice: string | null
  readonly mailProblem: string | null
  readonly to: string
  readonly hasMail: boolean
}

const enterPage = ({ problem, notice, mailProblem, to, hasMail }: EnterPage): string =>
  renderPage({
    title: 'Sign in',
    path: '/account',
    main: html`<div class="text">
<h1>Sign in</h1>
${
  problem !== null && html`<div class="note bad" role="alert" id="problem"><p>${problem}</p></div>`
}${notice !== null && html`<div class="note" role="status"><p>${notice}</p></div>`}<p>Whoever runs this
server gives you a code${hasMail && ', or it comes by mail'}. It works once, for 15 minutes.</p>
${enterForm(problem !== null, to)}
${hasMail && mailForm(mailProblem, to)}<p class="quiet">Whoever runs the server makes a code with
this command, on a machine with the account database:</p>
<pre class="wrap"><code>tapefold account link ACCOUNT</code></pre>
<p class="quiet">This sets one cookie, which is needed to stay signed in. It ends with your
sign-out, or after 14 days in which you do not come back.</p>
</div>`,
  })

const mailForm = (problem: string | null, to: string) => html`<h2>Have a code mailed</h2>
${
  problem !== null &&
  html`<div class="note bad" role="alert" id="mail-problem"><p>${problem}</p></div>`
}<form method="post" action="/account/enter/mail">
${destinationField(to)}<div class="fields">
<label class="field"><span>Mail address that the account has proven</span>
<input type="email" name="address" required maxlength="254" autocomplete="email"${
  problem !== null && html` aria-invalid="true" aria-describedby="mail-problem" autofocus`
}></label>
<button>Mail a code</button>
</div>
</form>
`

const destinationField = (to: string) =>
  to !== ACCOUNT && html`<input type="hidden" name="to" value="${to}">\n`

const enterForm = (isRefused: boolean, to: string) => html`<form method="post"
action="/account/enter">
${destinationField(to)}<div class="fields">
<label class="field"><span>Code</span>
<input class="code" name="code" required maxlength="80" autocomplete="one-time-code"
autocapitalize="characters" spellcheck="false"${
  isRefused && html` aria-invalid="true" aria-describedby="problem" autofocus`
}></label>
<button>Sign in</button>
</div>
</form>`
