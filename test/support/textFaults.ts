// Finds what is wrong with the texts of a page as a browser shows them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const findSource = (name: string) =>
  readFileSync(join(import.meta.dirname, 'browser', name), 'utf8')

/** To run in a page before its own scripts: records what is written on canvases. */
export const CANVAS_TEXTS: string = findSource('canvasTexts.js')

const FIND = `(() => { ${findSource('textFaults.js')}\nreturn findTextFaults() })()`

/** The tallest window a page is looked at in; what is below is not looked at for covers. */
const HEIGHT_MAX = 16_000

/**
 * Texts that lie on each other by more than two pixels, are cut, leave the window, lie under a line
 * of a picture or under another element. Looks at the whole page at once.
 */
export async function textFaults(page: Page): Promise<string[]> {
  const size = page.viewportSize()!
  const height = (await page.evaluate('document.documentElement.scrollHeight')) as number
  await page.setViewportSize({ ...size, height: Math.min(HEIGHT_MAX, Math.max(height, 1)) })
  try {
    return await page.evaluate(FIND)
  } finally {
    await page.setViewportSize(size)
  }
}

/** The same with all that a page folds away, first closed, then open. */
export async function textFaultsOfAll(page: Page, name: string): Promise<string[]> {
  const closed = await textFaults(page)
  await page.evaluate(`for (const part of document.querySelectorAll('details')) part.open = true`)
  const opened = await textFaults(page)
  return [...new Set([...closed, ...opened])].map(fault => `${name}: ${fault}`)
}
