import type { AccountSection, LimitUse } from '../accounts/accountPage.ts'
import { PRODUCT_NAMES, planAt } from '../accounts/products.ts'
import { wallTimeEt } from '../core/market/calendar.ts'
import { grouped } from '../core/text/counts.ts'
import { renderTable } from '../platform/html/table.ts'
import { html } from '../platform/html/template.ts'
import type { AccountDeps } from './accountDeps.ts'

/** Use of each limit: those counted by the day, and those of the areas. */
export const usageSection = (deps: AccountDeps): AccountSection => ({
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
