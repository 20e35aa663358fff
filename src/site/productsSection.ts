import type { AccountSection } from '../accounts/accountPage.ts'
import {
  type AccountProduct,
  isOpenAt,
  lastDayBefore,
  listPlans,
  PRODUCTS,
} from '../accounts/products.ts'
import { term } from '../platform/html/glossary.ts'
import { renderTable } from '../platform/html/table.ts'
import { html } from '../platform/html/template.ts'
import { formatDay } from '../platform/html/time.ts'

/** Products of an account with their end dates. */
export const productsSection = (): AccountSection => ({
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
