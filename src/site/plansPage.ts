import {
  listPlans,
  type PlanRow,
  PRODUCT_NAMES,
  PRODUCTS,
  type Product,
} from '../accounts/products.ts'
import { grouped } from '../core/text/counts.ts'
import { term } from '../platform/html/glossary.ts'
import { renderPage } from '../platform/html/layout.ts'
import { renderTable } from '../platform/html/table.ts'
import { html, type Piece } from '../platform/html/template.ts'
import { PAGE_LIMIT } from '../platform/http/pages.ts'

/** Plans and limits, from the tables that the code enforces. */
export function plansPage(served: readonly Product[]): string {
  const plans = PRODUCT_NAMES.flatMap(product =>
    listPlans(product).map((plan): Piece[] => [
      product,
      plan.name,
      html`<span class="long">${PRODUCTS[product].opens}</span>`,
      limitsOfPlan(plan).join(', ') || 'no count of calls',
      served.includes(product) ? 'yes' : 'not yet',
    ]),
  )
  const limits = PRODUCT_NAMES.flatMap(product =>
    Object.entries(PRODUCTS[product].limits as Partial<Record<LimitName, number>>).map(
      ([name, value]): Piece[] => [product, LIMITS[name as LimitName], grouped(value)],
    ),
  )
  return renderPage({
    title: 'Plans and limits',
    path: '/pricing',
    main: html`<div class="text">
<h1>Plans and limits</h1>
<p>An account holds any number of products, each on one ${term('plan')}. A ${term('key')} opens one
product: that is its ${term('scope')}. Whoever runs this server gives products to accounts and names
their prices.</p>
<h2>Plans</h2>
${renderTable({
  caption: 'Plans',
  columns: ['product', 'plan', 'opens', 'included', 'served here'],
  rows: plans,
})}
<p>Calls of all keys of an account count together, on every server. Days begin at midnight in New
York; months are those of UTC.</p>
<h2>Limits on every plan</h2>
${renderTable({
  caption: 'Limits on every plan',
  columns: ['product', 'limit', { head: 'value', isNumber: true }],
  rows: limits,
})}
<h2>Without a key</h2>
<p>These pages, <a href="/status">the state of the data</a> and
<a href="/docs">the documentation</a> are free: ${PAGE_LIMIT.atOnce} calls at once from an
address, and ${PAGE_LIMIT.perSecond} more each second.</p>
</div>`,
  })
}

type LimitName = {
  [P in Product]: keyof (typeof PRODUCTS)[P]['limits']
}[Product]

const LIMITS: Readonly<Record<LimitName, string>> = {
  positionsMax: 'positions that an account keeps',
  minuteCallsPerKey: 'calls a minute of each key',
  hourAddressesPerKey: 'places a key is used from in an hour',
  symbolsMax: 'symbols of one call',
  textSymbolsMax: 'symbols of one levels string',
  historyDays: 'days back; older ones need the product dataset',
  creditsPerRun: 'credits of one run',
  conveyorIdeas: 'ideas on the conveyor at a time',
  dailyMessages: 'messages a day, which begins at midnight in New York',
  freeDays: 'days back without a key',
}

function limitsOfPlan({ dailyCalls, monthlyCalls, monthlyCredits, keysMax }: PlanRow): string[] {
  return [
    dailyCalls && `${grouped(dailyCalls)} calls a day`,
    monthlyCalls && `${grouped(monthlyCalls)} calls a month`,
    monthlyCredits && `${grouped(monthlyCredits)} credits a month`,
    keysMax && `${grouped(keysMax)} keys`,
  ].filter(text => typeof text === 'string')
}
