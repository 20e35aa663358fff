import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { CANVAS_TEXTS } from './textFaults.ts'

const CHROMIUM = '/usr/bin/chromium'

/** A test that is left out where there is no browser. */
export const inBrowser = test.skipIf(!existsSync(CHROMIUM))

type Size = { readonly width: number; readonly height: number }

type Settings = {
  readonly colorScheme?: 'light' | 'dark'
  readonly javaScriptEnabled?: boolean
  /** Paths that are requested although they are not there. */
  readonly missing?: readonly string[]
}

/**
 * Uses a page of a real browser; fails when it complains of anything, such as what a policy
 * forbids, or requests another origin than the one given. TAPEFOLD_SCREENSHOT names a file for a
 * picture of its end.
 */
export async function withPage(
  origin: string,
  viewport: Size,
  use: (page: Page) => Promise<void>,
  { missing = [], ...settings }: Settings = {},
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
    ...settings,
    // a page of a busy machine takes its time: what hangs is ended by the limit of all tests
    timeout: 0,
  })
  browser.setDefaultTimeout(0)
  try {
    await browser.addInitScript(CANVAS_TEXTS)
    const page = await browser.newPage()
    const complaints: string[] = []
    const requested: string[] = []
    page.on('console', line => {
      const isMissing = missing.some(path => line.location().url === origin + path)
      const isComplaint = ['error', 'warning'].includes(line.type())
      if (isComplaint && !isMissing) complaints.push(`${line.text()} ${line.location().url}`)
    })
    page.on('pageerror', error => complaints.push(String(error)))
    page.on('request', request => requested.push(new URL(request.url()).origin))
    await use(page)
    expect(complaints).toEqual([])
    expect(requested.filter(request => request !== origin && request !== 'null')).toEqual([])
    const screenshot = process.env.TAPEFOLD_SCREENSHOT
    if (screenshot) await page.screenshot({ path: screenshot })
  } finally {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  }
}
