// docs/levels.md and docs/errors.md describe the levels API: their tables are its schemas and
// its catalogue, and every call they show is served.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { PRODUCTS } from '../../src/accounts/products.ts'
import { LIVE_ERRORS } from '../../src/levels/errors.ts'
import {
  ExpectedMove,
  Gamma,
  History,
  Key,
  Levels,
  SymbolLevels,
  Symbols,
} from '../../src/levels/schema.ts'
import { openApiDocument } from '../../src/server/docs.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { publishLevels } from '../support/levels.ts'
import { listBlocks, listCommands, readPage, tableUnder } from '../support/pages.ts'

const PAGE = 'docs/levels.md'
const PAST = '2026-10-14'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  for (const day of [PAST, '2026-10-15']) {
    const contracts = { ESZ6: 100 }
    await publishLevels(api.dataFolder, { day, has: ['strikes', 'basis'], contracts })
  }
  api.clock.atMs = Date.parse('2026-10-16T00:30:00Z')
})
afterAll(() => api.close())

type Field = {
  readonly meta: () => { description?: string } | undefined
  readonly unwrap?: () => Field
  readonly safeParse: (value: unknown) => { success: boolean }
}

const fieldRow = ([name, field]: [string, Field]): string => {
  const text = field.meta()?.description ?? field.unwrap?.().meta()?.description
  return `| \`${name}\` | ${field.safeParse(null).success ? 'yes' : 'no'} | ${text} |`
}

test('the tables of fields are the schemas of the responses', () => {
  const tables = readPage(PAGE).split('| field | null | meaning |\n|---|---|---|\n').slice(1)
  const rows = tables.map(text => text.split('\n\n')[0]!.trim().split('\n'))
  const symbol = Symbols.shape.symbols.element
  const schemas = [symbol, Levels, SymbolLevels, Gamma, History, ExpectedMove, Key]
  expect(rows).toEqual(
    schemas.map(({ shape }) => (Object.entries(shape) as [string, never][]).map(fieldRow)),
  )
})

test('the table of errors is the catalogue, in its order, with the fields of each', () => {
  const head = '| status | code | again? | beside | meaning |'
  expect(tableUnder('docs/errors.md', head)).toEqual(
    LIVE_ERRORS.rows.map(({ status, code, isRetryable, extras = [], always = {}, meaning }) => {
      const timed = status === 503 ? ['retry_after_s'] : []
      const others = [...new Set([...extras, ...Object.keys(always), ...timed])]
      const named = others.map(name => `\`${name}\``).join(', ')
      return `| ${status} | \`${code}\` | ${isRetryable ? 'yes' : 'no'} | ${named} | ${meaning} |`
    }),
  )
})

test('the limits are those of the product', () => {
  const text = readPage(PAGE).replace(/\s+/g, ' ')
  const { minuteCallsPerKey, hourAddressesPerKey, historyDays } = PRODUCTS.live.limits
  expect(text).toContain(`**${minuteCallsPerKey} calls a UTC minute** and key`)
  expect(text).toContain(`**${hourAddressesPerKey} places a UTC hour** and key`)
  expect(text).toContain(`**${historyDays} days.**`)
  const { symbolsMax, textSymbolsMax } = PRODUCTS.live.limits
  expect(text).toContain(
    `up to ${symbolsMax} of levels, up to ${textSymbolsMax} of levels.txt and bookmap.csv`,
  )
})

test('the table of parameters has those of the OpenAPI file, each of its operations', () => {
  type Named = { readonly name: string; readonly in: string }
  const paths = Object.entries(openApiDocument().paths ?? {}).filter(([path]) =>
    path.startsWith('/api/v1/'),
  )
  const inFile = new Map<string, string[]>()
  for (const [path, item] of paths) {
    const { parameters = [] } = (item as { get: { parameters?: Named[] } }).get
    for (const { name } of parameters.filter(each => each.in === 'query')) {
      inFile.set(name, [...(inFile.get(name) ?? []), path.replace('/api/v1/', '')])
    }
  }
  const all = paths.map(([path]) => path.replace('/api/v1/', ''))
  const inPage = tableUnder(PAGE, '| parameter | of | meaning |').map(row => {
    const [, name, of] = row.split('|').map(cell => cell.trim())
    const named = of!.replace('all but ', '').split(', ')
    const paths = of!.startsWith('all but ') ? all.filter(path => !named.includes(path)) : named
    return [name!.replace(/`|=200/g, ''), of === 'all' ? all : paths] as const
  })
  for (const [name, of] of inPage)
    expect(inFile.get(name)?.toSorted(), name).toEqual([...of].sort())
  const others = ['style', 'map', 'as']
  expect([...inFile.keys()].sort()).toEqual([...inPage.map(([name]) => name), ...others].sort())
})

test('every call of the page is served, one at least of each endpoint', async () => {
  const { key, accountId } = await api.newKey('live', 'live')
  const made = { accountId, scope: 'live', name: 'notes', createdAtMs: 0 } as const
  const { apiKey } = (await api.accounts.addKey({ ...made, isForAddresses: true }))!
  const calls = listBlocks(PAGE, 'sh')
    .flatMap(listCommands)
    .flatMap(command => /^curl .*'http:\/\/127\.0\.0\.1:8080([^']+)'$/.exec(command)?.[1] ?? [])
  for (const path of calls) {
    const isOfAddress = path.includes('key=ftpl_…')
    const sent = path.replace('ftpl_…', apiKey)
    const { status } = await api.call(sent, { key: isOfAddress ? null : key })
    expect([path, status]).toEqual([path, 200])
  }
  const requested = calls.map(path => path.split('?')[0])
  const endpoints = Object.keys(openApiDocument().paths ?? {}).filter(path =>
    path.startsWith('/api/v1/'),
  )
  expect([...new Set(requested)].sort()).toEqual(endpoints.sort())
})
