import type { Hook } from '../../accounts/outbox/types.ts'
import {
  type AccountAsked,
  type AccountForm,
  type AccountSection,
  accountForm,
  type FormAnswer,
} from '../../html/account.ts'
import { type Html, html } from '../../html/template.ts'
import { timeOf } from '../../html/time.ts'
import { answering } from '../../http/auth.ts'
import { refusing } from '../../http/formRefusal.ts'
import { hookState, savedWords, shownSecret } from '../../http/hookParts.ts'
import { type Sent, sendOnDemand } from '../send.ts'
import { HOOK_OWNER, readSecret, removeWebhook, rotateSecret, saveWebhook } from '../webhook.ts'
import { type AlertSectionDeps, isTold } from './sectionDeps.ts'

/** Where the alerts of an account are sent, and what signs them. */
export const webhookSection = (deps: AlertSectionDeps): AccountSection => ({
  name: 'webhook',
  title: 'Webhook',
  draw: async asked => {
    const { outbox } = deps.accounts
    const accountId = asked.account.id
    const [hooks, secret] = await answering(() =>
      Promise.all([outbox.listHooks(accountId), outbox.findSecret(accountId)]),
    )
    const hook = hooks.find(({ owner }) => owner === HOOK_OWNER) ?? null
    if (hooks.length === 0 && !secret && !isTold(asked)) return null
    return html`<p>Alerts are sent to this address as signed JSON. How to verify them stands in
<a href="/docs">the documentation</a>.</p>
${hook ? hookState(hook) : html`<p>No address is saved.</p>`}
${saveForm(asked, hook)}
${
  hook &&
  html`<div class="actions">
${accountForm(asked, 'webhook/test', html`<button class="plain">Send a test</button>`)}
${removeForm(asked)}</div>`
}
${secret ? secretPart(asked, secret.madeAtMs) : hooks.length > 0 && noSecret(asked)}`
  },
  forms: {
    save: sent => refusing(() => saveAddress(deps, sent)),
    test: sent =>
      refusing(async () => {
        const at = { accountId: sent.account.id, atMs: deps.nowMs(), dueMs: sent.atMs }
        const send = { op: 'test', position: null } as const
        const queued = await sendOnDemand(deps.accounts, { ...at, repeat: null, send })
        const { id } = JSON.parse(queued!.answer) as Sent
        return {
          told: html`<p>A test is on its way as <span class="mono">${id}</span>. Load the
page again to see in the deliveries how it went.</p>`,
        }
      }),
    reveal: sent =>
      refusing(async () => ({ told: shownSecret(await readSecret(deps, sent.account.id), false) })),
    rotate: sent =>
      refusing(async () => {
        const secret = await rotateSecret(deps, { accountId: sent.account.id, atMs: sent.atMs })
        return { told: shownSecret(secret, true) }
      }),
    remove: async sent => {
      await removeWebhook(deps, sent.account.id)
      return null
    },
  },
})

async function saveAddress(deps: AlertSectionDeps, sent: AccountForm): Promise<FormAnswer> {
  const address = (sent.fields.get('address') ?? '').trim()
  const asked = { accountId: sent.account.id, atMs: sent.atMs, address }
  const told = savedWords(await saveWebhook(deps, asked))
  return told && { told }
}

const saveForm = (asked: AccountAsked, hook: Hook | null): Html =>
  accountForm(
    asked,
    'webhook/save',
    html`<div class="fields">
<label class="field long"><span>Address, such as https://example.com/hook</span>
<input name="address" type="url" required maxlength="2048" autocomplete="off" spellcheck="false"
value="${hook?.url ?? ''}"></label>
<button>Save<span class="hidden"> the address</span></button>
</div>`,
  )

const removeForm = (asked: AccountAsked): Html =>
  html`<details><summary>Remove <span class="hidden">the address</span></summary>
${accountForm(
  asked,
  'webhook/remove',
  html`<p>Alerts are then listed only. What waits is not sent.</p>
<button class="danger small">Remove the address</button>`,
)}</details>`

/** Positions have webhooks that were saved when nothing could seal a secret. */
const noSecret = (asked: AccountAsked): Html => html`<h3>Secret</h3>
<p>There is none yet, so nothing is sent to the webhooks of your positions.</p>
${accountForm(asked, 'webhook/rotate', html`<button>Make the secret</button>`)}`

const secretPart = (asked: AccountAsked, madeAtMs: number): Html => html`<h3>Secret</h3>
<p>It signs what is sent for alerts, positions and public records. Made ${timeOf(madeAtMs)}.</p>
<div class="actions">
${accountForm(asked, 'webhook/reveal', html`<button class="plain">Show the secret</button>`)}
<details><summary>Make a new one</summary>
${accountForm(
  asked,
  'webhook/rotate',
  html`<p>The old one signs nothing from now on: receivers that have it refuse every call.</p>
<button class="danger small">Make a new secret</button>`,
)}</details>
</div>`
