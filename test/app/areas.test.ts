// An area is its own folder and one line: a tiny one is built here and mounted as any other.

import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { TABLES } from '../../src/accounts/transfer.ts'
import { AREAS, areaTables, type ServedArea } from '../../src/areas.ts'
import { openApiDocument } from '../../src/docs.ts'
import { sendJson } from '../../src/http/json.ts'
import { keyedOperation } from '../../src/http/openapi.ts'
import { briefPage } from '../../src/http/page.ts'
import { readQuery } from '../../src/http/query.ts'
import { reading, refuseRoute } from '../../src/http/request.ts'
import { startTestApi, type TestApi } from '../support/api.ts'

const Greeting = z.object({ day: z.string().nullable() })
const done: string[] = []

const tinyArea: ServedArea = {
  name: 'tiny',
  product: 'live',
  tag: { name: 'Tiny', description: 'The newest day, and nothing else.' },
  paths: {
    '/tiny/api/newest': {
      get: keyedOperation({
        ...{ operationId: 'readNewest', tag: 'Tiny', since: '2026-11-25' },
        ...{ summary: 'The newest day', description: 'Null while there is none.' },
        answer: Greeting,
      }),
    },
  },
  methods: {},
  tables: [],
  commands: [],
  open: ({ catalog }) => {
    const router = express.Router({ caseSensitive: true, strict: true })
    const newest = reading((req, res) => {
      readQuery(req, res, [])
      sendJson(req, res, JSON.stringify({ day: catalog.newest()?.manifest.session_date ?? null }))
    })
    router.all('/newest', newest)
    router.use(refuseRoute)
    const page = () => briefPage({ content: 'tiny', contentType: 'text/plain', headers: {} })
    return {
      routes: { '/tiny/api': [router] },
      pages: { '/tiny': page },
      warm: async () => void done.push('warmed'),
      close: async () => void done.push('closed'),
    }
  },
}

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ areas: [...AREAS, tinyArea], isWarmed: true })
})
afterAll(async () => {
  await api.close()
  expect(done).toEqual(['warmed', 'closed'])
})

const get = async (path: string, key?: string) => {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const answer = await fetch(`${api.url}${path}`, { headers })
  return { status: answer.status, text: await answer.text() }
}

test('a new area answers behind the keys of its product, in its words', async () => {
  const { key, accountId } = await api.newKey('none', 'live')
  expect((await get('/tiny/api/newest', key)).status).toBe(403)
  await api.accounts.putProduct(accountId, { plan: 'live', fromMs: 0, untilMs: null })
  expect(await get('/tiny/api/newest', key)).toEqual({ status: 200, text: '{"day":null}' })
  const lost = await get('/tiny/api/oldest', key)
  expect([lost.status, JSON.parse(lost.text).error.code]).toEqual([404, 'not_found'])
  const other = await get('/tiny/api/newest', api.key)
  expect([other.status, JSON.parse(other.text).error.code]).toEqual([401, 'bad_key'])
})

test('its pages need no key, and its operations stand in the OpenAPI file', async () => {
  expect(await get('/tiny')).toEqual({ status: 200, text: 'tiny' })
  const document = openApiDocument([...AREAS, tinyArea])
  expect(Object.keys(document.paths!)).toContain('/tiny/api/newest')
  expect(document.tags!.map(({ name }) => name)).toContain('Tiny')
})

test('each area has a name, paths and commands of its own', () => {
  const all = <Part>(part: (area: ServedArea) => readonly Part[]) => AREAS.flatMap(part)
  for (const names of [
    all(({ name }) => [name]),
    all(({ tag }) => [tag.name]),
    all(({ paths }) => Object.keys(paths)),
    all(({ commands }) => commands.map(({ name }) => name)),
    areaTables,
  ]) {
    expect(new Set(names).size).toBe(names.length)
  }
})

test('the tables of areas are copied between engines, after those of accounts', () => {
  expect(TABLES.slice(-areaTables.length)).toEqual(areaTables)
})
