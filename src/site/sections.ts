import { type AccountSection, accountForm, type LimitUse } from '../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import {
  type AccountProduct,
  isOpenAt,
  lastDayBefore,
  listPlans,
  PRODUCT_NAMES,
  PRODUCTS,
  planAt,
} from '../accounts/products.ts'
import { wallTimeEt } from '../core/market/calendar.ts'
import { grouped } from '../core/text/counts.ts'
import { term } from '../platform/html/glossary.ts'
import { renderTable } from '../platform/html/table.ts'
import { html } from '../platform/html/template.ts'
import { formatDay, renderTime } from '../platform/html/time.ts'
import { ApiError } from '../platform/http/error.ts'
import type { AccountDeps } from './accountDeps.ts'
import { contactsSection } from './contactsSection.ts'
import { keysSection } from './keysSection.ts'

/** Signed-in browsers, each with a button to sign it out. */
const browsersSection = ({ accounts }: AccountDeps): AccountSection => ({
  name: 'browsers',
  title: 'Signed-in browsers',
  draw: async request => {
    const { account, atMs, signInId } = request
    const signIns = await accounts.listSignIns(account.id, atMs)
    return html`${renderTable({
      caption: 'Browsers that are signed in; times in New York',
      columns: ['browser', 'signed in', 'last used', ''].map(head => ({
        head: head === '' ? html`<span class="hidden">sign out</span>` : head,
      })),
      rows: signIns.map(({ id, browser, createdAtMs, lastSeenAtMs }) => [
        id === signInId ? html`${browser} <span class="quiet">(this one)</span>` : browser,
        renderTime(createdAtMs),
        renderTime(lastSeenAtMs),
        accountForm(
          request,
          'browsers/end',
          html`<input type="hidden" name="id" value="${id}">
<button class="plain small">Sign out<span class="hidden">
${browser}, last used ${renderTime(lastSeenAtMs)}</span></button>`,
        ),
      ]),
    })}
${accountForm(request, 'browsers/end-all', html`<button class="plain">Sign out everywhere</button>`)}
<p class="quiet small">A browser that is not used for 14 days is signed out by itself.</p>`
  },
  forms: {
    end: async ({ account, fields }) => {
      const id = fields.get('id') ?? ''
      const ended = await refuseWhileUnavailable(() => accounts.endSignIns(account.id, id))
      if (ended === 0) {
        throw new ApiError('not_found', {
          message: 'no such browser of this account is signed in.',
        })
      }
      return null
    },
    'end-all': async ({ account }) => {
      await refuseWhileUnavailable(() => accounts.endSignIns(account.id))
      return null
    },
  },
})

/** Use of each limit: those counted by the day, and those of the areas. */
const usageSection = (deps: AccountDeps): AccountSection => ({
  name: 'usage',
  title: 'Usage',
  draw: async request => {
    const { account, atMs } = request
    const counted = await deps.accounts.callsOn(account.id, wallTimeEt(deps.nowMs()).date)
    const days = PRODUCT_NAMES.flatMap((product): LimitUse[] => {
      const plan = planAt(account.products, product, atMs)
      if (plan?.dailyCalls === undefined) return []
      const what = `${plan.name}: calls today`
      const used = counted.find(row => row.product === product)?.calls ?? 0
      return [{ what, used, limit: plan.dailyCalls, resets: 'at midnight in New York' }]
    })
    const parts = deps.others().map(({ open }) => open.account?.usage?.(request) ?? [])
    const uses = [...days, ...(await Promise.all(parts)).flat()]
    if (uses.length === 0) return null
    return renderTable({
      caption: 'How much of each limit is used',
      columns: [
        'limit',
        { head: 'used', isNumber: true },
        { head: 'of', isNumber: true },
        '',
        'resets',
      ].map(column => (column === '' ? { head: html`<span class="hidden">share</span>` } : column)),
      rows: uses.map(use => [
        use.what,
        // refused calls are counted too
        grouped(Math.min(use.used, use.limit)),
        grouped(use.limit),
        renderMeter(use),
        use.resets ?? 'never',
      ]),
    })
  },
})

const renderMeter = ({ what, used, limit }: LimitUse) =>
  html`<meter min="0" max="${limit}" high="${Math.round(limit * 0.9)}" value="${Math.min(
    used,
    limit,
  )}" aria-label="${what}">${used} of ${limit}</meter>`

/** Products of an account with their end dates. */
const productsSection = (): AccountSection => ({
  name: 'products',
  title: 'Products and plans',
  draw: async ({ account, atMs }) => {
    const { products } = account
    if (products.length === 0) {
      return html`<p>This account holds no product. Whoever runs this server can give it one:
<a href="/pricing">plans</a>.</p>`
    }
    return renderTable({
      caption: 'Products of this account',
      columns: ['product', term('plan'), 'opens', 'since', 'last day', 'state'].map(head => ({
        head,
      })),
      rows: products.map(held => [
        held.product,
        listPlans(held.product).find(({ plan }) => plan === held.plan)?.name ?? held.plan,
        PRODUCTS[held.product].opens,
        html`<time>${formatDay(held.fromMs)}</time>`,
        held.untilMs === null ? 'no end' : html`<time>${lastDayBefore(held.untilMs)}</time>`,
        describeState(held, atMs),
      ]),
    })
  },
})

function describeState(held: AccountProduct, atMs: number) {
  if (isOpenAt(held, atMs)) return html`<span class="green">open</span>`
  return held.fromMs > atMs ? 'to come' : html`<span class="amber">over</span>`
}

/** Sections of the account page: its own, and between them those of the areas. */
export const listSections = (deps: AccountDeps): readonly AccountSection[] => [
  productsSection(),
  keysSection(deps),
  usageSection(deps),
  ...deps.others().flatMap(({ open }) => open.account?.sections ?? []),
  contactsSection(deps),
  browsersSection(deps),
]
