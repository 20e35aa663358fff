// `npm run pictures [-- --data DIR]`: the pictures of README, of pages that a server sends of the
// session of the demo. Builds that session first, unless --data names the folder of a demo.

import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { runPipeline } from '../../src/core/pipeline.ts'
import { startServer } from '../../src/server/main.ts'
import { CANVAS_TEXTS, textFaults } from './textFaults.ts'

const CHROMIUM = '/usr/bin/chromium'
const OUT = 'docs/pictures'
const BYTES_MAX = 250_000
const WIDTH = 1280

const DAY = '2026-10-15'
/** Noon in New York on the day after: the session is finished, so pages need no key. */
const AFTER_MS = Date.parse('2026-10-16T16:00:00Z')

/** Pages with the part of each that a picture shows, from the top of the page down. */
const PICTURES = [
  { name: 'session', path: `/sessions/${DAY}?t=15:20`, height: 990 },
  { name: 'ledger', path: `/sessions/${DAY}/orders`, height: 791 },
]

const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (!existsSync(CHROMIUM)) throw new Error(`pictures need a browser at ${CHROMIUM}`)
const folder = mkdtempSync(join(tmpdir(), 'tapefold-pictures-'))
try {
  await takePictures(values.data ?? (await buildDemo(join(folder, 'data'))))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function buildDemo(dataFolder: string): Promise<string> {
  const code = await runPipeline(['demosession', '--data', dataFolder])
  if (code !== 0) throw new Error(`the session of the demo was not built: exit code ${code}`)
  return dataFolder
}

async function takePictures(dataFolder: string): Promise<void> {
  const server = await startServer({
    dataFolder,
    host: '127.0.0.1',
    port: 0,
    clock: { nowMs: () => AFTER_MS },
    log: { info: () => {}, error: () => {} },
  })
  const browser = await chromium.launchPersistentContext(join(folder, 'browser'), {
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'America/New_York',
    locale: 'en-US',
    timeout: 0,
  })
  try {
    await browser.addInitScript(CANVAS_TEXTS)
    const page = await browser.newPage()
    mkdirSync(OUT, { recursive: true })
    for (const { name, path, height } of PICTURES) {
      await page.setViewportSize({ width: WIDTH, height })
      await takePicture(page, server.url + path, join(OUT, `${name}.png`))
    }
  } finally {
    await browser.close()
    await server.close()
  }
}

/** Takes a picture of a page; fails when texts of it cannot be read, or the file is too large. */
async function takePicture(page: Page, url: string, file: string): Promise<void> {
  await page.goto(url, { waitUntil: 'networkidle' })
  const faults = await textFaults(page)
  if (faults.length > 0) throw new Error(`${url}: ${faults.join('; ')}`)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' })
  const { size } = statSync(file)
  if (size > BYTES_MAX) throw new Error(`${file} has ${size} bytes; at most ${BYTES_MAX}`)
  process.stdout.write(`${file}: ${size} bytes\n`)
}
