// The pages that everybody may read: what they load, where they lead, how they say errors.

import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPlans, PRODUCT_NAMES } from '../../src/accounts/products.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { GLOSSARY } from '../../src/platform/html/glossary.ts'
import { SITE_PATHS } from '../../src/platform/html/layout.ts'
import { MEASURED_PATH } from '../../src/site/sessionParts.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../support/published.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS))
})
afterAll(() => api.close())

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function query(path: string, headers: Record<string, string> = BROWSER, method = 'GET') {
  const response = await fetch(api.url + path, { method, headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const POLICY =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;" +
  "connect-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'"

const FREE = SITE_PATHS.filter(path => path !== '/account')

test.each(FREE)(
  '%s loads nothing from elsewhere and has nothing in it that a policy forbids',
  async path => {
    const { status, headers, text } = await query(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy =
      path === '/docs' ? POLICY.replace("style-src 'self'", "$& 'unsafe-inline'") : POLICY
    expect(headers.get('content-security-policy')).toBe(policy)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(text).not.toMatch(
      / style="|<style|<script(?! src="\/docs\/)| on\w+="|(src|href)="(https?:)?\/\//,
    )
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(text).toMatch(/<title>[^<]*Tapefold<\/title>/)
    expect(text.match(/<h1\b/g)?.length ?? 0).toBe(path === '/docs' ? 0 : 1)
  },
)

test.each(PUBLISHED_DATASETS)(
  'the card of $name has its columns, use and limits',
  async dataset => {
    const { status, text } = await query(`/datasets/${dataset.name}`)
    expect(status).toBe(200)
    const shown = [...text.matchAll(/<tr><td><code>(\w+)<\/code><\/td><td>([^<]+)</g)]
    expect(shown.map(([, name, type]) => [name, type])).toEqual(
      dataset.columns.map(({ name, type }) => [name, type]),
    )
    for (const head of ['What it is for', 'What it does not say']) {
      expect(text).toContain(`<h2>${head}</h2>`)
    }
  },
)

test('every link and file of every page is there, and every anchor', async () => {
  const lost: string[] = []
  const seen = new Map<string, string>()
  const findText = async (path: string) => {
    const known = seen.get(path)
    if (known !== undefined) return known
    const { status, text } = await query(path)
    if (status !== 200 && !(path === '/account' && status === 303)) lost.push(`${path}: ${status}`)
    seen.set(path, text)
    return text
  }
  for (const page of FREE) {
    for (const [, target] of (await findText(page)).matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^https?:/.test(target!)) continue
      const [path, anchor] = target!.split('#')
      const text = await findText(path === '' ? page : path!)
      if (anchor && !text.includes(`id="${anchor}"`)) lost.push(`${page}: ${target}`)
    }
  }
  expect(lost).toEqual([])
  expect(seen.size).toBeGreaterThan(FREE.length + 4)
})

test('a page stays below its budget: 45 KB of HTML, 8 of styles, compressed', async () => {
  const findSize = async (path: string) => {
    const { headers, body } = await api.call(path, {
      key: null,
      headers: { 'accept-encoding': 'br' },
    })
    expect(headers.get('content-encoding')).toBe('br')
    return body.byteLength
  }
  for (const path of FREE.filter(one => one !== '/account/enter')) {
    expect(await findSize(path), path).toBeLessThan(45_000)
  }
  const [, style] = /href="(\/assets\/site\.\w+\.css)"/.exec((await query('/')).text)!
  expect(await findSize(style!)).toBeLessThan(8_000)
})

test('files have the hash of their bytes in their names, and are cached for ever', async () => {
  const { text } = await query('/')
  const paths = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(match => match[1]!)
  expect(paths).toHaveLength(2)
  for (const path of paths) {
    const { status, headers } = await query(path)
    expect([status, headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ])
    const other = path.replace(/\.[0-9a-f]{12}\./, '.000000000000.')
    expect((await query(other)).status).toBe(404)
  }
  expect((await query('/')).headers.get('cache-control')).toBe('no-cache')
})

test('the methodology has the section that pages of unknown positions link to', async () => {
  const { text } = await query('/methodology')
  expect(text).toContain(`<h3 id="${MEASURED_PATH.split('#')[1]}">`)
})

test('a page is sent compressed, and not at all to who has it', async () => {
  const given = { key: null, headers: { 'accept-encoding': 'br' } }
  const { headers, body } = await api.call('/methodology', given)
  const plain = await api.call('/methodology', { key: null })
  expect(brotliDecompressSync(body).equals(plain.body)).toBe(true)
  const etag = { ...given.headers, 'if-none-match': headers.get('etag')! }
  expect((await api.call('/methodology', { key: null, headers: etag })).status).toBe(304)
})

test('browsers read errors as pages, programs in their envelope', async () => {
  const lost = await query('/nothing')
  expect([lost.status, lost.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(lost.text).toContain('There is no such page')
  expect(lost.headers.get('content-security-policy')).toBe(POLICY)
  const refused = await query('/pricing', BROWSER, 'POST')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect(refused.text).toContain('The page does not take the method POST.')
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
    const reported = await query('/nothing', headers as Record<string, string>)
    expect(JSON.parse(reported.text).error.code).toBe('no_route')
    expect(JSON.parse((await query('/pricing', headers as never, 'POST')).text).error.code).toBe(
      'method',
    )
  }
})

test.each(['/orders/api/latest', '/orders/api/nothing', '/api/positions', '/api/nothing', '/api'])(
  '%s responds to a browser as to a program',
  async path => {
    const { status, headers, text } = await query(path)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(JSON.parse(text).error.code).toMatch(status === 401 ? /^no_key$/ : /^no_route$/)
  },
)

test('what nobody foresaw is a page with a number, and without a word of the reason', async () => {
  const broken = await startTestApi({
    areas: [
      {
        name: 'broken',
        product: null,
        tag: { name: 'Broken', description: '' },
        paths: {},
        methods: {},
        tables: [],
        open: () => ({
          routes: {},
          siteRoutes: {
            '/broken': [
              () => {
                throw new Error('the reason ordk_secretsecretsecret')
              },
            ],
          },
        }),
      },
    ],
  })
  const response = await fetch(`${broken.url}/broken`)
  const text = await response.text()
  expect([response.status, response.headers.get('cache-control')]).toEqual([500, 'no-store'])
  expect(text).toContain('Something went wrong here')
  expect(text).toContain(response.headers.get('x-request-id')!)
  expect(text).not.toMatch(/reason|ordk_/)
  await broken.close()
})

test('an address over its limit gets a page that says so; forms count too', async () => {
  const bounded = await startTestApi({ pageLimit: { atOnce: 3, perSecond: 1 } })
  const statuses = []
  for (const path of ['/', '/account/enter', '/pricing', '/account/enter', '/']) {
    const response = await fetch(bounded.url + path, { headers: BROWSER })
    statuses.push([response.status, (await response.text()).includes('Too many requests')])
  }
  expect(statuses).toEqual([
    ...[200, 200, 200].map(status => [status, false]),
    ...[429, 429].map(status => [status, true]),
  ])
  await bounded.close()
})

test('the page of plans has every plan of the code, and says what is served', async () => {
  const text = (await query('/pricing')).text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  for (const product of PRODUCT_NAMES) {
    for (const { name } of listPlans(product)) expect(text).toContain(` ${product} ${name} `)
  }
  expect(text).toContain(
    'orders Orders Team the Orders API, positions and alerts 100,000 calls a day yes',
  )
  expect(text).toContain('geo Geo Team the Geo API 100,000 calls a month, 10 keys yes')
  expect(text).toContain('live places a key is used from in an hour 3')
  expect(text).toContain('live days back; older ones need the product dataset 90')
})

test('the first page says how the data stand, by the clock of the server', async () => {
  const words = async () => (await query('/')).text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  expect(await words()).toContain(
    'green The data are as expected. The newest session is 2026-10-14',
  )
  const start = api.clock.atMs
  api.clock.atMs += 7 * 86_400_000
  expect(await words()).toContain('red The data are not as expected.')
  api.clock.atMs = start
})

test('the glossary has each word once, in the order of the alphabet', async () => {
  const { text } = await query('/glossary')
  const words = [...text.matchAll(/<dt id="([^"]+)">([^<]+)<\/dt>/g)].map(match => match[2]!)
  expect(words).toEqual(GLOSSARY.map(([word]) => word).toSorted())
  for (const [word, meaning] of GLOSSARY) {
    expect(meaning.split(' ').length, word).toBeLessThanOrEqual(25)
  }
})
