import {
  type AccountForm,
  type AccountRequest,
  type AccountSection,
  accountForm,
  type FormResponse,
} from '../../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../../accounts/auth.ts'
import { refusing } from '../../accounts/formRefusal.ts'
import { endpointState, savedWords, shownSecret } from '../../accounts/webhookParts.ts'
import type { WebhookEndpoint } from '../../outbox/store/types.ts'
import { type Html, html } from '../../platform/html/template.ts'
import { renderTime } from '../../platform/html/time.ts'
import { type Sent, sendOnDemand } from '../send.ts'
import { ALERTS_OWNER, readSecret, removeWebhook, rotateSecret, saveWebhook } from '../webhook.ts'
import { type AlertSectionDeps, isNotified } from './sectionDeps.ts'

/** Section with the address that an account's alerts are sent to, and its signing secret. */
export const webhookSection = (deps: AlertSectionDeps): AccountSection => ({
  name: 'webhook',
  title: 'Webhook',
  draw: async request => {
    const { outbox } = deps.accounts
    const accountId = request.account.id
    const [endpoints, secret] = await refuseWhileUnavailable(() =>
      Promise.all([outbox.listEndpoints(accountId), outbox.findSecret(accountId)]),
    )
    const endpoint = endpoints.find(({ owner }) => owner === ALERTS_OWNER) ?? null
    if (endpoints.length === 0 && !secret && !isNotified(request)) return null
    return html`<p>Alerts are sent to this address as signed JSON. How to verify them stands in
<a href="/docs">the documentation</a>.</p>
${endpoint ? endpointState(endpoint) : html`<p>No address is saved.</p>`}
${saveForm(request, endpoint)}
${
  endpoint &&
  html`<div class="actions">
${accountForm(request, 'webhook/test', html`<button class="plain">Send a test</button>`)}
${removeForm(request)}</div>`
}
${secret ? secretPart(request, secret.madeAtMs) : endpoints.length > 0 && noSecret(request)}`
  },
  forms: {
    save: sent => refusing(() => saveAddress(deps, sent)),
    test: sent =>
      refusing(async () => {
        const at = { accountId: sent.account.id, atMs: deps.nowMs(), dueMs: sent.atMs }
        const send = { op: 'test', position: null } as const
        const queued = await sendOnDemand(deps.accounts, { ...at, repeat: null, send })
        const { id } = JSON.parse(queued!.response) as Sent
        return {
          notice: html`<p>A test is on its way as <span class="mono">${id}</span>. Load the
page again to see in the deliveries how it went.</p>`,
        }
      }),
    reveal: sent =>
      refusing(async () => ({
        notice: shownSecret(await readSecret(deps, sent.account.id), false),
      })),
    rotate: sent =>
      refusing(async () => {
        const secret = await rotateSecret(deps, { accountId: sent.account.id, atMs: sent.atMs })
        return { notice: shownSecret(secret, true) }
      }),
    remove: async sent => {
      await removeWebhook(deps, sent.account.id)
      return null
    },
  },
})

async function saveAddress(deps: AlertSectionDeps, sent: AccountForm): Promise<FormResponse> {
  const address = (sent.fields.get('address') ?? '').trim()
  const request = { accountId: sent.account.id, atMs: sent.atMs, address }
  const notice = savedWords(await saveWebhook(deps, request))
  return notice && { notice }
}

const saveForm = (request: AccountRequest, endpoint: WebhookEndpoint | null): Html =>
  accountForm(
    request,
    'webhook/save',
    html`<div class="fields">
<label class="field long"><span>Address, such as https://example.com/hook</span>
<input name="address" type="url" required maxlength="2048" autocomplete="off" spellcheck="false"
value="${endpoint?.url ?? ''}"></label>
<button>Save<span class="hidden"> the address</span></button>
</div>`,
  )

const removeForm = (request: AccountRequest): Html =>
  html`<details><summary>Remove <span class="hidden">the address</span></summary>
${accountForm(
  request,
  'webhook/remove',
  html`<p>Alerts are then listed only. What waits is not sent.</p>
<button class="danger small">Remove the address</button>`,
)}</details>`

/** Shown for position webhooks that were saved when the server could not seal a secret. */
const noSecret = (request: AccountRequest): Html => html`<h3>Secret</h3>
<p>There is none yet, so nothing is sent to the webhooks of your positions.</p>
${accountForm(request, 'webhook/rotate', html`<button>Make the secret</button>`)}`

const secretPart = (request: AccountRequest, madeAtMs: number): Html => html`<h3>Secret</h3>
<p>It signs what is sent for alerts, positions and public records. Made ${renderTime(madeAtMs)}.</p>
<div class="actions">
${accountForm(request, 'webhook/reveal', html`<button class="plain">Show the secret</button>`)}
<details><summary>Make a new one</summary>
${accountForm(
  request,
  'webhook/rotate',
  html`<p>The old one signs nothing from now on: receivers that have it refuse every call.</p>
<button class="danger small">Make a new secret</button>`,
)}</details>
</div>`
