import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { expect, test } from 'vitest'

const CHROMIUM = '/usr/bin/chromium'

/** A test that is left out where there is no browser. */
export const inBrowser = test.skipIf(!existsSync(CHROMIUM))

type Size = { readonly width: number; readonly height: number }

/**
 * Uses a page of a real browser; fails when it complains of anything, or asks another origin than
 * the one given. TAPEFOLD_SCREENSHOT names a file for a picture of its end.
 */
export async function withPage(
  origin: string,
  viewport: Size,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'tapefold-chromium-'))
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'].concat([
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ]),
    viewport,
    // a page of a busy machine takes its time: what hangs is ended by the limit of all tests
    timeout: 0,
  })
  browser.setDefaultTimeout(0)
  try {
    const page = await browser.newPage()
    const complaints: string[] = []
    const requested: string[] = []
    page.on('console', line => line.type() === 'error' && complaints.push(line.text()))
    page.on('pageerror', error => complaints.push(String(error)))
    page.on('request', request => requested.push(new URL(request.url()).origin))
    await use(page)
    expect(complaints).toEqual([])
    expect(requested.filter(asked => asked !== origin && asked !== 'null')).toEqual([])
    const screenshot = process.env.TAPEFOLD_SCREENSHOT
    if (screenshot) await page.screenshot({ path: screenshot })
  } finally {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  }
}
