import { type FoundOrders, ORDER_SORTS, type OrderSort } from '../orders/ask.ts'
import { countText, spellOut } from '../platform/html/figures.ts'
import { renderPage } from '../platform/html/layout.ts'
import { EMPTY, type Html, html } from '../platform/html/template.ts'
import { belowSession, dayText, ledgerNote, ordersTable, simulatedMark } from './sessionParts.ts'
import { type OrdersView, ordersPath, PAGE_SIZE } from './sessionQuery.ts'

/** The ledger of a session: filtered by the address, sorted, paged. */
export function ordersPage(
  day: string,
  view: OrdersView,
  found: FoundOrders,
  isOpen: boolean,
): string {
  const { matched, total, simulated, note, orders } = found
  const path = `/sessions/${day}/orders`
  return renderPage({
    title: `Orders of ${day}`,
    path: '/sessions',
    main: html`<div class="wide">
${belowSession(day, 'orders')}
<h1>Orders of ${dayText(day)}</h1>
${ledgerNote(note)}
<p>${simulatedMark(simulated)} ${matched === total ? 'All' : countText(matched)} of
${countText(total)} orders${found.asof && `, known up to ${found.asof} ET`}. The effect is dealer
gamma, $M a point.${
      isOpen
        ? EMPTY
        : html` <a href="${ordersPath(`${path}.csv`, view, { page: 1 })}">These as CSV</a>`
    }</p>
${filterForm(path, view, found)}
${
  orders.length === 0
    ? html`<p>No order is like that. <a href="${path}">All orders</a></p>`
    : ordersTable(day, `Orders, ${SORT_NAMES[view.sort]}`, orders)
}
${paging(path, view, matched)}
</div>`,
  })
}

const SORT_NAMES: Readonly<Record<OrderSort, string>> = {
  effect: 'largest effect first',
  time: 'earliest first',
  premium: 'largest net premium first',
  contracts: 'most contracts first',
  flip: 'nearest to the flip first',
}

const SIDE_NAMES = { bought: 'bought', sold: 'sold', none: 'not known' } as const

type Option = { readonly value: string; readonly text: string }

const select = (
  { name, label, any }: { readonly name: string; readonly label: string; readonly any?: string },
  options: readonly Option[],
  chosen: string | null,
): Html => html`<label class="field"><span>${label}</span><select name="${name}">
${any !== undefined && html`<option value="">${any}</option>`}
${options.map(
  ({ value, text }) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>\n`,
)}</select></label>`

const same = (value: string): Option => ({ value, text: value })

/** Adds the selected value, also when the session has none of it. */
const withChosen = (values: readonly string[], chosen: string | null) =>
  chosen === null || values.includes(chosen) ? values : [...values, chosen]

const filterForm = (path: string, view: OrdersView, { kinds, exps }: FoundOrders): Html => {
  const kindOptions = withChosen(kinds, view.kind).map(value => ({ value, text: spellOut(value) }))
  const expiries = withChosen(exps, view.exp).map(same)
  const sides = Object.entries(SIDE_NAMES).map(([value, text]) => ({ value, text }))
  const sorts = ORDER_SORTS.map(value => ({ value, text: SORT_NAMES[value] }))
  return html`<form method="get" action="${path}" aria-label="Filter and sort"><div class="fields">
${select({ name: 'kind', label: 'Kind', any: 'any' }, kindOptions, view.kind)}
${select({ name: 'side', label: 'First leg', any: 'any' }, sides, view.side)}
${select({ name: 'exp', label: 'Expiry', any: 'any' }, expiries, view.exp)}
<label class="field"><span>Net premium from, $M</span><input name="min_premium" inputmode="decimal"
pattern="\\d{1,7}(\\.\\d{1,6})?" size="8" value="${view.minPremium ?? ''}"></label>
${select({ name: 'sort', label: 'Sort by' }, sorts, view.sort)}
<button>Show</button></div></form>`
}

function paging(path: string, view: OrdersView, matched: number): Html {
  const pages = Math.ceil(matched / PAGE_SIZE)
  if (pages <= 1 && view.page === 1) return EMPTY
  const { page } = view
  const link = (to: number, text: string) =>
    html`<a href="${ordersPath(path, view, { page: to })}">${text}</a>`
  return html`<nav class="paging" aria-label="Pages"><ul>
<li>${page > 1 && link(Math.min(page - 1, Math.max(1, pages)), 'before')}</li>
<li>page ${countText(page)} of ${countText(Math.max(1, pages))}</li>
<li>${page < pages && link(page + 1, 'next')}</li></ul></nav>`
}
