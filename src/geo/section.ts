import { type AccountRequest, type AccountSection, accountForm } from '../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { refusing } from '../accounts/formRefusal.ts'
import { planAt } from '../accounts/products.ts'
import type { AccountStore } from '../accounts/types.ts'
import { endpointState, savedWords } from '../accounts/webhookParts.ts'
import { type DeliveryRecord, GEO_OWNER, type WebhookEndpoint } from '../outbox/store/types.ts'
import { renderTable } from '../platform/html/table.ts'
import { type Html, html } from '../platform/html/template.ts'
import { renderTime } from '../platform/html/time.ts'
import type { WebhookTools } from '../platform/webhooks/tools.ts'
import { removeGeoWebhook, saveGeoWebhook, testGeoWebhook } from './webhook.ts'

/** Number of recent deliveries shown. */
const SHOWN = 10

type SectionDeps = {
  readonly accounts: Pick<AccountStore, 'outbox'>
  readonly webhooks: WebhookTools
}

/** Webhook endpoint of an account for new public records, and its deliveries. */
export const geoSection = (deps: SectionDeps): AccountSection => ({
  name: 'geo',
  title: 'Public records',
  draw: async request => {
    const { outbox } = deps.accounts
    const { id: accountId, products } = request.account
    const endpoint = await refuseWhileUnavailable(() => outbox.findEndpoint(accountId, GEO_OWNER))
    if (!endpoint && !planAt(products, 'geo', request.atMs)) return null
    const query = { accountId, isGeo: true, limit: SHOWN }
    const deliveries = await refuseWhileUnavailable(() => outbox.listDeliveries(query))
    return html`<p>What becomes known in the world is sent to this address as signed JSON.</p>
${endpoint ? endpointState(endpoint) : html`<p>No address is saved.</p>`}
${saveForm(request, endpoint)}
${endpoint && renderActions(request)}
${deliveries.length > 0 && deliveryTable(deliveries)}`
  },
  forms: {
    save: ({ account, atMs, fields }) =>
      refusing(async () => {
        const address = (fields.get('address') ?? '').trim()
        const notice = savedWords(await saveGeoWebhook(deps, { account, atMs, address }))
        return notice && { notice }
      }),
    test: ({ account, atMs }) =>
      refusing(async () => {
        const id = await testGeoWebhook(deps, { account, atMs })
        return {
          notice: html`<p>A test is on its way as <span class="mono">${id}</span>. Load the page
again to see how it went.</p>`,
        }
      }),
    remove: async ({ account }) => {
      await removeGeoWebhook(deps, { account })
      return null
    },
  },
})

const saveForm = (request: AccountRequest, endpoint: WebhookEndpoint | null): Html =>
  accountForm(
    request,
    'geo/save',
    html`<div class="fields">
<label class="field long"><span>Address for public records, such as https://example.com/geo</span>
<input name="address" type="url" required maxlength="2048" autocomplete="off" spellcheck="false"
value="${endpoint?.url ?? ''}"></label>
<button>Save<span class="hidden"> the address for public records</span></button>
</div>`,
  )

const renderActions = (request: AccountRequest): Html => html`<div class="actions">
${accountForm(request, 'geo/test', html`<button class="plain">Send a test</button>`)}
<details><summary>Remove <span class="hidden">the address for public records</span></summary>
${accountForm(
  request,
  'geo/remove',
  html`<p>New records are then told nowhere. What waits is not sent.</p>
<button class="danger small">Remove the address</button>`,
)}</details></div>`

const deliveryTable = (deliveries: readonly DeliveryRecord[]): Html =>
  renderTable({
    caption: `The newest ${SHOWN} deliveries of public records; times in New York`,
    isCaptionHidden: false,
    columns: ['queued', 'event', 'state', 'answer'],
    rows: deliveries.map(({ queuedAtMs, type, state, reason, attempts }) => {
      const last = attempts.at(-1)
      const lastResponse = last ? String(last.status ?? last.error ?? 'no end is known') : '–'
      const why = reason === null ? state : `${state}: ${reason}`
      return [renderTime(queuedAtMs), type, why, lastResponse]
    }),
  })
