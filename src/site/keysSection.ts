import {
  type AccountForm,
  type AccountRequest,
  type AccountSection,
  accountForm,
  type FormResponse,
} from '../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { type AccountProduct, isOpenAt, PRODUCT_NAMES } from '../accounts/products.ts'
import type { ApiKeyRecord } from '../accounts/types.ts'
import { term } from '../platform/html/glossary.ts'
import { renderTable } from '../platform/html/table.ts'
import { type Html, html } from '../platform/html/template.ts'
import { formatDay, renderTime } from '../platform/html/time.ts'
import { ApiError } from '../platform/http/error.ts'
import { shown } from '../platform/http/request.ts'
import type { AccountDeps } from './accountDeps.ts'

/** Maximum number of active keys of an account. */
export const KEYS_MAX = 50
const NAME_MAX_LENGTH = 80

/** Keys of an account: create, show once, list, revoke. */
export const keysSection = (deps: AccountDeps): AccountSection => ({
  name: 'keys',
  title: 'Keys',
  draw: async request => {
    const working = await workingKeys(deps, request.account.id)
    const scopes = openProducts(request)
    return html`<p>A ${term('key')} is what a program sends with its calls. Give each program its
own: then you can revoke one and the others go on.</p>
${working.length === 0 ? html`<p>There is no key yet.</p>` : keyTable(request, working)}
${scopes.length > 0 && keyForm(request, scopes)}`
  },
  forms: {
    make: sent => makeKey(deps, sent),
    revoke: async ({ account, fields, atMs }) => {
      const id = fields.get('id') ?? ''
      const revoke = () => deps.accounts.revokeKey(id, atMs, account.id)
      if (await refuseWhileUnavailable(revoke)) return null
      throw new ApiError('not_found', { message: 'this account has no such key that works.' })
    },
  },
})

async function workingKeys({ accounts }: AccountDeps, accountId: string): Promise<ApiKeyRecord[]> {
  const keys = await refuseWhileUnavailable(() => accounts.listKeys(accountId))
  return keys.filter(({ revokedAtMs }) => revokedAtMs === null)
}

/** Products that keys can be made for: those the account holds now. */
const openProducts = ({ account, atMs }: AccountRequest): readonly AccountProduct['product'][] =>
  PRODUCT_NAMES.filter(product =>
    account.products.some(held => held.product === product && isOpenAt(held, atMs)),
  )

async function makeKey(deps: AccountDeps, sent: AccountForm): Promise<FormResponse> {
  const { account, fields, atMs } = sent
  const name = (fields.get('name') ?? '').trim()
  if (!/^[^\p{C}]{1,80}$/u.test(name)) {
    return { refused: `The name is ${shown(name)}; give 1 to 80 letters, such as laptop.` }
  }
  const scope = openProducts(sent).find(product => product === fields.get('scope'))
  if (!scope) {
    const seen = shown(fields.get('scope') ?? '')
    return { refused: `The product is ${seen}; choose one that this account holds.` }
  }
  const working = await workingKeys(deps, account.id)
  if (working.length >= KEYS_MAX) {
    return { refused: `${KEYS_MAX} keys of this account work; revoke one first.` }
  }
  // also covers a reload that sends the form a second time
  if (working.some(key => key.name === name)) {
    return { refused: `A key named ${shown(name)} works already; give another name.` }
  }
  const made = { accountId: account.id, scope, name, createdAtMs: atMs }
  const added = await refuseWhileUnavailable(() => deps.accounts.addKey(made))
  if (!added) throw new ApiError('not_found', { message: 'this account is gone.' })
  return { notice: newKey(deps, sent, { apiKey: added.apiKey, scope }) }
}

type NewKey = { readonly apiKey: string; readonly scope: string }

/** The only page that ever shows the key. */
function newKey({ others }: AccountDeps, { origin }: AccountForm, { apiKey, scope }: NewKey): Html {
  const areas = others().filter(({ area }) => area.product === scope)
  const path = areas.find(({ open }) => open.account?.firstCallPath)?.open.account?.firstCallPath
  return html`<p><strong>This is the new key. It is shown this once: copy it now.</strong></p>
<pre class="wrap" id="new-key"><code>${apiKey}</code></pre>
${
  path &&
  html`<p>Try it:</p>
<pre class="wrap"><code>curl -H 'Authorization: Bearer ${apiKey}' ${origin}${path}</code></pre>
`
}`
}

const keyTable = (request: AccountRequest, keys: readonly ApiKeyRecord[]): Html =>
  renderTable({
    caption: 'Keys that work; times in New York',
    columns: ['name', 'product', 'key', 'made', 'last used', ''].map(head => ({
      head: head === '' ? html`<span class="hidden">revoke</span>` : head,
    })),
    rows: keys.map(key => [
      html`<span class="name">${key.name}</span>`,
      key.scope,
      html`<span class="mono">${key.prefix}_…${key.lastFour}</span>`,
      html`<time>${formatDay(key.createdAtMs)}</time>`,
      key.lastUsedAtMs === null ? 'never' : renderTime(key.lastUsedAtMs),
      revokeForm(request, key),
    ]),
  })

/** The button needs a first click to appear: programs that use the key are refused at once. */
const revokeForm = (request: AccountRequest, { id, name, lastFour }: ApiKeyRecord): Html =>
  html`<details><summary>Revoke <span class="hidden">the key ${name}</span></summary>
${accountForm(
  request,
  'keys/revoke',
  html`<input type="hidden" name="id" value="${id}">
<p>Programs that use …${lastFour} are refused from now on. This cannot be undone.</p>
<button class="danger small">Revoke …${lastFour}</button>`,
)}</details>`

const keyForm = (
  request: AccountRequest,
  scopes: readonly string[],
): Html => html`<h3>Make a key</h3>
${accountForm(
  request,
  'keys/make',
  html`<div class="fields">
<label class="field"><span>Name, such as laptop</span>
<input name="name" required maxlength="${NAME_MAX_LENGTH}" autocomplete="off"></label>
<label class="field"><span>Product</span>
<select name="scope">${scopes.map(scope => html`<option>${scope}</option>`)}</select></label>
<button>Make a key</button>
</div>`,
)}`
