// An area is its own folder and one line: a tiny one is built here and mounted as any other.

import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type AccountSection, accountForm } from '../../src/accounts/accountPage.ts'
import { renderPage } from '../../src/platform/html/layout.ts'
import { html } from '../../src/platform/html/template.ts'
import { sendJson } from '../../src/platform/http/json.ts'
import { keyedOperation } from '../../src/platform/http/openapi.ts'
import { briefPage } from '../../src/platform/http/page.ts'
import { readQuery } from '../../src/platform/http/query.ts'
import { reading, refuseRoute } from '../../src/platform/http/request.ts'
import { sendHtml } from '../../src/platform/http/response.ts'
import { TABLES } from '../../src/server/accountSchema.ts'
import { AREAS, areaTables, type ServedArea } from '../../src/server/areas.ts'
import { openApiDocument } from '../../src/server/docs.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { signedIn } from '../support/visitor.ts'

const Greeting = z.object({ day: z.string().nullable() })
const done: string[] = []

const greetings: AccountSection = {
  name: 'greetings',
  title: 'Greetings',
  draw: async requested =>
    requested.account.name === 'bare'
      ? null
      : accountForm(requested, 'greetings/send', html`<input name="to"><button>Greet</button>`),
  forms: {
    send: async ({ account, fields }) => {
      const to = fields.get('to') ?? ''
      if (to === '') return { refused: 'Whom?' }
      if (to === 'nobody') return null
      return { notice: html`<p>${account.name} greets ${to}</p>` }
    },
  },
}

const tinyArea: ServedArea = {
  name: 'tiny',
  product: 'live',
  tag: { name: 'Tiny', description: 'The newest day, and nothing else.' },
  paths: {
    '/tiny/api/newest': keyedOperation('Tiny', {
      operationId: 'readNewest',
      since: '2026-11-25',
      summary: 'The newest day',
      description: 'Null while there is none.',
      response: Greeting,
    }),
  },
  methods: {},
  tables: [],
  open: ({ catalog, asks }) => {
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
      siteRoutes: {
        '/tiny/site': [
          reading((_req, res) => {
            sendHtml(
              res,
              renderPage({
                title: 'Tiny',
                path: '',
                main: html`<p>${asks.status.readState().status}</p>`,
              }),
            )
          }),
        ],
      },
      account: {
        firstCallPath: '/tiny/api/newest',
        usage: async () => [{ what: 'greetings', used: 3, limit: 4, resets: null }],
        sections: [greetings],
      },
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
  const response = await fetch(`${api.url}${path}`, { headers })
  return { status: response.status, text: await response.text() }
}

test('a new area responds behind the keys of its product, in its words', async () => {
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

test('its pages for people ask other areas, and are of this site alone', async () => {
  const { status, headers, text } = await fetch(`${api.url}/tiny/site`).then(async response => {
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null])
  expect(text).toMatch(/<p>(green|amber|red)<\/p>/)
})

test('its part of the account page is drawn, counted and served like the others', async () => {
  const visitor = await signedIn(api)
  const { html: page } = await visitor.get('/account')
  expect(page).toContain('<section class="part" id="greetings"')
  expect(page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toContain('greetings 3 4')
  const send = (to: string) => visitor.post('/account/greetings/send', { to })
  const reported = await send('<b>all</b>')
  expect([reported.status, reported.html]).toEqual([
    200,
    expect.stringContaining('desk greets &lt;b&gt;all&lt;/b&gt;'),
  ])
  const refused = await send('')
  expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('Whom?')])
  const done = await send('nobody')
  expect([done.status, done.location]).toEqual([303, '/account#greetings'])
  const forged = await visitor.post('/account/greetings/send', { to: 'x', token: 'x' })
  expect(forged.status).toBe(403)
  const { id } = await api.accounts.addAccount({ name: 'bare', plan: null, createdAtMs: 1 })
  expect((await (await signedIn(api, id)).get('/account')).html).not.toContain('Greetings')
})

test('each area has a name and paths of its own', () => {
  const all = <Part>(part: (area: ServedArea) => readonly Part[]) => AREAS.flatMap(part)
  for (const names of [
    all(({ name }) => [name]),
    all(({ tag }) => [tag.name]),
    all(({ paths }) => Object.keys(paths)),
    areaTables,
  ]) {
    expect(new Set(names).size).toBe(names.length)
  }
})

test('the tables of areas are copied between engines, after those of accounts', () => {
  expect(TABLES.slice(-areaTables.length)).toEqual(areaTables)
})
