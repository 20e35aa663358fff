// Every row of the errors of the Geo API, and files that are broken.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GEO_MINUTE_CALLS } from '../../src/geo/area.ts'
import { GEO_ERRORS } from '../../src/geo/errors.ts'
import { accountFilePath } from '../../src/server/accountStore.ts'
import { sendRaw, startTestApi, type TestApi } from '../support/api.ts'
import { EVENT, eventsText, importText } from '../support/geo.ts'

const MONTH_END_MS = Date.parse('2026-10-31T23:59:00Z')

let api: TestApi
let key: string
beforeAll(async () => {
  api = await startTestApi()
  api.clock.atMs = MONTH_END_MS
  ;({ key } = await api.newKey('geo', 'geo'))
})
afterAll(() => api.close())

/** As if all calls of the month were made. */
function useUp(accountId: string): void {
  const database = new DatabaseSync(accountFilePath(api.dataFolder))
  const row = database.prepare('insert into month_calls values (?, ?, ?, ?)')
  row.run(accountId, 'geo', '2026-10', 10_000)
  database.close()
}

/** How each row of the catalogue comes about; two are of the parser of HTTP. */
const ROWS: Readonly<Record<string, () => Promise<{ status: number; text: string }>>> = {
  bad_request: async () => {
    const text = await sendRaw(
      api.port,
      'GET /geo/items HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
    )
    return { status: Number(text.split(' ')[1]), text: text.split('\r\n\r\n')[1]! }
  },
  no_key: () => query('/geo/v1/items', null),
  plan: async () => query('/geo/v1/items', (await api.newKey('orders', 'geo')).key),
  rate: async () => {
    const { key: own, accountId } = await api.newKey('geo', 'geo')
    useUp(accountId)
    return query('/geo/v1/items', own)
  },
  no_route: () => query('/geo/v1/nothing'),
  method: async () => {
    const { status, body } = await api.call('/geo/v1/items', { key, method: 'PUT' })
    return { status, text: body.toString() }
  },
  invalid: () => query('/geo/v1/items?limit=x'),
  not_acceptable: async () => {
    const headers = { accept: 'image/png' }
    const { status, body } = await api.call('/geo/v1/items', { key, headers })
    return { status, text: body.toString() }
  },
}

async function query(path: string, own: string | null = key) {
  const { status, body } = await api.call(path, { key: own })
  return { status, text: body.toString() }
}

test('every row of the errors is returned as a sentence', async () => {
  const others = ['request_timeout', 'headers_too_large', 'unavailable', 'damaged', 'internal']
  const codes = GEO_ERRORS.rows.map(({ code }) => code)
  expect(codes.filter(code => !others.includes(code))).toEqual(Object.keys(ROWS))
  for (const { code, status } of GEO_ERRORS.rows) {
    const cause = ROWS[code]
    if (!cause) continue
    const response = await cause()
    expect([code, response.status]).toEqual([code, status])
    const json = JSON.parse(response.text)
    expect(Object.keys(json)).toEqual(['error'])
    expect(json.error, code).toMatch(/^\S.{8,}\.$/)
  }
})

describe('broken files', () => {
  let own: TestApi
  beforeAll(async () => {
    own = await startTestApi()
    own.clock.atMs = MONTH_END_MS
    await importText(own.dataFolder, 'gdelt-events', eventsText([EVENT]))
  })
  afterAll(() => own.close())

  test('a damaged file, and a damaged manifest, are 503 and count nothing', async () => {
    const { key: holder } = await own.newKey('geo', 'geo')
    const [file] = globSync(join(own.dataFolder, 'geo/records/*/*.parquet'))
    const bytes = readFileSync(file!)
    const broken = Buffer.from(bytes)
    broken[40] = broken[40]! ^ 1
    writeFileSync(file!, broken)
    const damaged = await own.call('/geo/v1/items', { key: holder })
    expect([damaged.status, damaged.headers.get('retry-after')]).toEqual([503, '60'])
    expect(damaged.json.error).toMatch(/^a file of the records is damaged /)
    writeFileSync(file!, bytes)
    expect((await own.call('/geo/v1/items', { key: holder })).json.items).toHaveLength(1)
    const manifest = join(own.dataFolder, 'geo/manifests/2026-W42.json')
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, text.slice(0, -20))
    expect((await own.call('/geo/weeks', { key: null })).status).toBe(503)
    writeFileSync(manifest, text)
    expect((await own.call('/geo/weeks', { key: null })).status).toBe(200)
    expect((await own.call('/geo/v1/usage', { key: holder })).json.used).toBe(1)
  })

  test('an address without a key has a number of calls a minute', async () => {
    const statuses: number[] = []
    for (let count = 0; count <= GEO_MINUTE_CALLS; count++) {
      statuses.push((await own.call('/geo/health', { key: null })).status)
    }
    expect(statuses.lastIndexOf(200)).toBeLessThan(GEO_MINUTE_CALLS)
    const { status, headers, json } = await own.call('/geo/items', { key: null })
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
    expect(Object.keys(json)).toEqual(['error'])
  })
})
