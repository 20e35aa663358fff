import { type DeliveryRecord, GEO_OWNER, type Hook } from '../accounts/outbox/types.ts'
import { planAt } from '../accounts/products.ts'
import type { AccountStore } from '../accounts/types.ts'
import { type AccountAsked, type AccountSection, accountForm } from '../html/account.ts'
import { tableOf } from '../html/table.ts'
import { type Html, html } from '../html/template.ts'
import { timeOf } from '../html/time.ts'
import { answering } from '../http/auth.ts'
import { refusing } from '../http/formRefusal.ts'
import { hookState, savedWords } from '../http/hookParts.ts'
import type { WebhookTools } from '../webhooks/tools.ts'
import { removeGeoWebhook, saveGeoWebhook, testGeoWebhook } from './webhook.ts'

/** The newest deliveries that are shown. */
const SHOWN = 10

type SectionDeps = {
  readonly accounts: Pick<AccountStore, 'outbox'>
  readonly webhooks: WebhookTools
}

/** Where an account is told of new public records, and how that went. */
export const geoSection = (deps: SectionDeps): AccountSection => ({
  name: 'geo',
  title: 'Public records',
  draw: async asked => {
    const { outbox } = deps.accounts
    const { id: accountId, products } = asked.account
    const hook = await answering(() => outbox.findHook(accountId, GEO_OWNER))
    if (!hook && !planAt(products, 'geo', asked.atMs)) return null
    const query = { accountId, isGeo: true, limit: SHOWN }
    const deliveries = await answering(() => outbox.listDeliveries(query))
    return html`<p>What becomes known in the world is sent to this address as signed JSON.</p>
${hook ? hookState(hook) : html`<p>No address is saved.</p>`}
${saveForm(asked, hook)}
${hook && actionsOf(asked)}
${deliveries.length > 0 && deliveryTable(deliveries)}`
  },
  forms: {
    save: ({ account, atMs, fields }) =>
      refusing(async () => {
        const address = (fields.get('address') ?? '').trim()
        const told = savedWords(await saveGeoWebhook(deps, { account, atMs, address }))
        return told && { told }
      }),
    test: ({ account, atMs }) =>
      refusing(async () => {
        const id = await testGeoWebhook(deps, { account, atMs })
        return {
          told: html`<p>A test is on its way as <span class="mono">${id}</span>. Load the page
again to see how it went.</p>`,
        }
      }),
    remove: async ({ account }) => {
      await removeGeoWebhook(deps, { account })
      return null
    },
  },
})

const saveForm = (asked: AccountAsked, hook: Hook | null): Html =>
  accountForm(
    asked,
    'geo/save',
    html`<div class="fields">
<label class="field long"><span>Address for public records, such as https://example.com/geo</span>
<input name="address" type="url" required maxlength="2048" autocomplete="off" spellcheck="false"
value="${hook?.url ?? ''}"></label>
<button>Save<span class="hidden"> the address for public records</span></button>
</div>`,
  )

const actionsOf = (asked: AccountAsked): Html => html`<div class="actions">
${accountForm(asked, 'geo/test', html`<button class="plain">Send a test</button>`)}
<details><summary>Remove <span class="hidden">the address for public records</span></summary>
${accountForm(
  asked,
  'geo/remove',
  html`<p>New records are then told nowhere. What waits is not sent.</p>
<button class="danger small">Remove the address</button>`,
)}</details></div>`

const deliveryTable = (deliveries: readonly DeliveryRecord[]): Html =>
  tableOf({
    caption: `The newest ${SHOWN} deliveries of public records; times in New York`,
    isCaptionHidden: false,
    columns: ['queued', 'event', 'state', 'answer'],
    rows: deliveries.map(({ queuedAtMs, type, state, reason, attempts }) => {
      const last = attempts.at(-1)
      const answer = last ? String(last.status ?? last.error ?? 'no end is known') : '–'
      const why = reason === null ? state : `${state}: ${reason}`
      return [timeOf(queuedAtMs), type, why, answer]
    }),
  })
