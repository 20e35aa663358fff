import { afterAll, beforeAll, expect, test } from 'vitest'
import { DATASET_ERRORS } from '../../src/archive/errors.ts'
import { GEO_ERRORS } from '../../src/geo/errors.ts'
import { LAB_ERRORS } from '../../src/lab/errors.ts'
import { LIVE_ERRORS } from '../../src/levels/errors.ts'
import { Ledger, Order, Sessions } from '../../src/orders/schema.ts'
import { ERRORS } from '../../src/platform/http/error.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { inBrowser, withPage } from '../support/browser.ts'
import { openApi } from '../support/openapi.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../support/published.ts'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS))
})
afterAll(() => api.close())

const operations = () =>
  Object.entries(openApi.paths).flatMap(([path, item]) =>
    Object.values(item as Record<string, Operation>).map(operation => [path, operation] as const),
  )

test('every operation has an id, a tag, texts and an example of its response', () => {
  for (const [path, operation] of operations()) {
    expect(operation, path).toMatchObject({
      operationId: expect.stringMatching(/^(read|change)[A-Z]/),
      tags: [expect.any(String)],
      summary: expect.any(String),
      description: expect.any(String),
    })
    expect(JSON.stringify(operation.responses), path).toContain('example')
  }
  const ids = operations().map(([, operation]) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the description lists the errors of each product in the order of its catalogue', () => {
  const lists = openApi.info.description.matchAll(/^- \*\*(\w+)\*\*: (.+)$/gm)
  const found = Object.fromEntries([...lists].map(([, name, rows]: string[]) => [name, rows]))
  const withCodes = (rows: readonly { code: string; status: number }[]) =>
    rows.map(({ code, status }) => `${status} \`${code}\``).join(', ')
  expect(found).toEqual({
    orders: withCodes(ERRORS),
    live: withCodes(LIVE_ERRORS.rows),
    dataset: withCodes(DATASET_ERRORS.rows),
    lab: LAB_ERRORS.rows.map(({ status }) => status).join(', '),
    geo: GEO_ERRORS.rows.map(({ status }) => status).join(', '),
  })
  // out of credits comes before the path, and the day's messages come last
  expect(found.lab).toMatch(/401, 402, 404, 405.*409, 422.*422, 429, 406/)
})

/** The catalogue of errors behind each tag. */
const listRows = (tag: string): readonly { code: string; status: number }[] =>
  CATALOGUES[tag] ?? ERRORS

const CATALOGUES: Readonly<Record<string, readonly { code: string; status: number }[]>> = {
  Archive: DATASET_ERRORS.rows,
  Levels: LIVE_ERRORS.rows,
  LAB: LAB_ERRORS.rows,
  Geo: GEO_ERRORS.rows,
}

test.each([
  // no_route and not_found belong to paths that are not in the file; its description says so
  ['Archive', 'no_route', (tag: string) => tag === 'Archive'],
  ['Levels', 'not_found', (tag: string) => tag === 'Levels'],
  ['LAB', 'no_route', (tag: string) => tag === 'LAB'],
  ['Geo', 'no_route', (tag: string) => tag === 'Geo'],
  ['all others', 'no_route', (tag: string) => !Object.hasOwn(CATALOGUES, tag)],
] as const)(
  'the codes of the file and of the catalogue are the same, at the same status: %s',
  (...row) => {
    const [, unnamed, isOf] = row
    const own = operations().filter(([, { tags }]) => isOf(tags[0]!))
    const rows = listRows(own[0]![1].tags[0]!)
    const described = own.flatMap(([, operation]) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) =>
        Object.keys(content?.['application/json']?.examples ?? {}).map(code => [code, status]),
      ),
    )
    for (const [code, status] of described) {
      expect(String(rows.find(one => one.code === code)?.status), code).toBe(status)
    }
    const codes = new Set(described.map(([code]) => code))
    const documented = rows.map(one => one.code).filter(code => code !== unnamed)
    expect([...codes].sort()).toEqual([...documented].sort())
    expect(openApi.info.description).toContain(unnamed)
  },
)

test('the examples of the file match its schemas', () => {
  for (const schema of [Order, Ledger, Sessions]) {
    expect(schema.strict().safeParse(schema.meta()!.example).error).toBeUndefined()
  }
})

test.each([
  ['/', 'text/html; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/init.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ['/openapi.json', 'application/json; charset=utf-8'],
])('%s needs no key', async (path, type) => {
  const { status, headers, body } = await api.call(path, { key: null })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe(type)
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
  expect(headers.has('ratelimit')).toBe(false)
  expect(body.byteLength).toBeGreaterThan(50)
})

test('pages refuse other methods and have one spelling', async () => {
  expect((await api.call('/docs', { key: null, method: 'POST' })).status).toBe(405)
  expect((await api.call('/docs/', { key: null })).status).toBe(404)
  expect((await api.call('/docs/../package.json', { key: null })).status).toBe(404)
})

test('the docs page does not colour responses: a whole ledger would take it a minute', async () => {
  const { body } = await api.call('/docs/init.js', { key: null })
  expect(body.toString()).toContain('syntaxHighlight: false')
})

inBrowser(
  'the docs page shows every operation and webhook in a browser and calls one',
  async () => {
    await withPage(api.url, { width: 1280, height: 1600 }, async page => {
      await page.goto(`${api.url}/docs`)
      await page.locator('.opblock').first().waitFor()
      expect(await page.title()).toBe('API · Tapefold')
      const sent = Object.keys(openApi.webhooks).length
      expect(await page.locator('.opblock').count()).toBe(operations().length + sent)

      await page.getByRole('button', { name: 'Authorize' }).first().click()
      // one form for each kind of key
      const auth = page.locator('.auth-container', { hasText: 'scope orders' })
      await auth.locator('input').fill(api.key)
      await auth.locator('button.authorize').click()
      await auth.locator('.btn-done').click()
      await page.locator('#operations-Orders-readSessions .opblock-summary-control').click()
      await page.locator('#operations-Orders-readSessions .execute').click()
      const response = page.locator('#operations-Orders-readSessions .live-responses-table')
      await response.getByText('"2026-10-14"').first().waitFor()
    })
  },
)

type Operation = { operationId: string; tags: string[]; responses: Record<string, Content> }
type Content = { content?: Record<string, { examples?: object }> }
