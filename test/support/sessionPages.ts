// Expected contents of pages of a session, worked out from the archive's responses.

import type { Page } from 'playwright-core'

// biome-ignore lint/suspicious/noExplicitAny: responses of the archive
type Json = any

const listPoints = (value: number | null) =>
  value === null
    ? '–'
    : value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
/** Fields that describe a minute, from the response of the archive. */
export function listFacts(session: Json, index: number, book = 'measured'): string[] {
  const { spot, flip, flip_lo, flip_hi, call_wall, put_wall, net_gamma, reason, p_positive } =
    session.books[book]
  const gamma = net_gamma[index]
  const threshold = [flip_lo[index], flip_hi[index]]
  return [
    session.minutes[index],
    listPoints(spot[index]),
    listPoints(flip[index]),
    threshold.includes(null) ? '–' : threshold.map(listPoints).join(' to '),
    listPoints(call_wall[index]),
    listPoints(put_wall[index]),
    gamma === null
      ? '–'
      : gamma !== 0 && Math.abs(gamma) < 0.01
        ? gamma.toPrecision(2).replace('-', '−')
        : listPoints(gamma).replace('-', '−'),
    describeRegime(gamma, reason[index], p_positive?.[index] ?? null),
  ]
}

function describeRegime(gamma: number | null, reason: string | null, p: number | null): string {
  if (reason === 'inventory_unknown') return 'dealers’ positions unknown'
  if (gamma === null) return (reason ?? '–').replaceAll('_', ' ')
  const [sign, sure] = gamma < 0 ? ['negative', p === null ? null : 1 - p] : ['positive', p]
  return sure === null ? sign : `${sign}, ${Math.min(Math.round(sure * 100), 99)} % sure`
}

/** Waits for what a script of the page will do; the policy forbids to wait inside of it. */
export async function until(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate(expression))) await page.waitForTimeout(20)
}
