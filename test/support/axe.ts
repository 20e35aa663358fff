// Complaints of axe-core about a page of a browser, and what a page must never have.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { textFaults } from './textFaults.ts'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] }

/** All that axe finds, each with the first elements; `without` is not looked at. */
export async function axeFindings(page: Page, without: string | null = null): Promise<string[]> {
  await page.evaluate(SOURCE)
  const context = without === null ? 'document' : JSON.stringify({ exclude: [[without]] })
  // of what passes axe would describe every element
  const run = `axe.run(${context}, { resultTypes: ['violations'], preload: false })`
  const { violations } = (await page.evaluate(run)) as {
    violations: readonly Violation[]
  }
  return violations.map(({ id, nodes }) => {
    const shown = nodes.slice(0, 3).map(({ html }) => html.slice(0, 120))
    return `${id}: ${shown.join(' | ')}`
  })
}

/** Views of a page: both colours and both widths, each once. */
export const WINDOWS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 360 },
] as const

/** Pixels by which a page is wider than its window. */
export const findOverflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

/** Ids that more than one element has. */
export const doubledIds = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const ids = [...document.querySelectorAll('[id]')].map(element => element.id)
    return ids.filter((id, index) => ids.indexOf(id) !== index)
  })()`)

/** Findings of axe, an id twice, more width than the window. */
export async function markupFaults(
  page: Page,
  name: string,
  without: string | null = null,
): Promise<string[]> {
  const overflow = await findOverflow(page)
  return [
    ...(await axeFindings(page, without)).map(text => `${name} ${text}`),
    ...(await doubledIds(page)).map(id => `${name} has #${id} twice`),
    ...(overflow > 0 ? [`${name} is ${overflow} too wide`] : []),
  ]
}

/** Forbidden on a page: the same, and texts that nobody can read. */
export async function pageFaults(
  page: Page,
  name: string,
  without: string | null = null,
): Promise<string[]> {
  return [
    ...(await markupFaults(page, name, without)),
    ...(await textFaults(page)).map(text => `${name}: ${text}`),
  ]
}
