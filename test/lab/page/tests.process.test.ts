// Tests of ideas on their pages, as HTTP: begun, followed, failed, read, and what moves an idea on.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { BEHAVIOURS } from '../../support/labBehaviours.ts'
import { type LabSite, startLabSite } from '../../support/labPages.ts'
import { madeResult } from '../../support/labResults.ts'
import { signedIn } from '../../support/visitor.ts'

let site: LabSite
beforeAll(async () => {
  site = await startLabSite()
})
afterAll(() => site.api.close())

const findPath = (id: string) => `/account/lab/ideas/${id}`
const findText = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const get = (path: string) => site.visitor.get(path)
const run = (id: string, kind = 'backtest') => site.post('run', { id, kind })
const act = (id: string, action: string, more = {}) => site.post('idea', { id, action, ...more })
const findIdea = async (id: string) => {
  const { ideas } = await site.account.until(() => true)
  return ideas.find(idea => idea.id === id)
}
/** Where a job leads once it is over. */
async function ended(location: string) {
  const job = location.split('job=')[1]!
  await site.account.untilDone(job)
  return { job, ...(await get(location)) }
}
/** Ends what an idea of this account holds. */
async function free() {
  const { conveyor } = await site.account.until(({ job }) => job === undefined)
  if (conveyor) await act(conveyor, 'drop')
}

test('a backtest is begun once, however often it is sent, and leads to its result', async () => {
  const id = await site.account.idea()
  const before = (await site.account.until(() => true)).balance.total
  const [first, second] = [await run(id), await run(id)]
  expect(first.status).toBe(303)
  const { job, status, location } = await ended(first.location!)
  // sent while it ran it is the same test; when it was over it is out of order
  expect(second.status === 409 || second.location === first.location).toBe(true)
  expect([status, location]).toEqual([303, `${findPath(id)}/backtest`])
  expect((await site.account.until(() => true)).balance.total).toBe(before - 1)
  const reported = (await site.account.get(`/api/lab/result?id=${id}&kind=backtest`)).json
  expect(reported.job).toBe(job)
  const text = findText((await get(location!)).html)
  for (const { verdict } of reported.legs) {
    expect(text).toContain(verdict.sentence)
    for (const { says } of verdict.gates) expect(text).toContain(says)
  }
  for (const sentence of reported.says) expect(text).toContain(sentence)
  expect(text).toContain(`${reported.data.used} simulated sessions`)
})

test('the trades are those of the API, by pages and as files', async () => {
  const { conveyor: id } = await site.account.until(({ conveyor }) => conveyor !== null)
  const path = `${findPath(id!)}/backtest`
  const { job } = (await site.account.get(`/api/lab/result?id=${id}&kind=backtest`)).json
  const { total, trades } = (await site.account.get(`/api/lab/trades?job=${job}`)).json
  const shown: string[] = []
  for (let page = 1; page <= Math.ceil(total / 100); page++) {
    const { html } = await get(`${path}/trades?page=${page}`)
    shown.push(...html.split('<tbody>')[1]!.split('<tr>').slice(1))
  }
  expect(shown).toHaveLength(total)
  for (const [index, row] of trades.entries()) {
    expect(findText(shown[index]!)).toContain(`${row.session_date} ${row.era} ${row.decided_et}`)
  }
  expect((await get(`${path}/trades?page=99`)).status).toBe(404)
  expect((await get(`${path}/trades?page=x`)).status).toBe(400)
  for (const [form, type] of [
    ['csv', 'text/csv'],
    ['parquet', 'application/vnd.apache.parquet'],
  ]) {
    const cookie = { cookie: site.visitor.cookie()! }
    const own = await fetch(`${site.api.url}${path}/trades.${form}`, { headers: cookie })
    expect(own.headers.get('content-disposition')).toBe(
      `attachment; filename="trades-${job}.${form}"`,
    )
    expect(own.headers.get('cache-control')).toContain('no-store')
    const api = await site.account.get(`/api/lab/trades?job=${job}`, { headers: { accept: type! } })
    expect(Buffer.from(await own.arrayBuffer()).equals(api.body)).toBe(true)
  }
})

test('a page of a result has no token and is compressed; a page with forms is not', async () => {
  const { conveyor: id } = await site.account.until(({ conveyor }) => conveyor !== null)
  const token = await site.visitor.token()
  const of = async (path: string) => {
    const headers = { cookie: site.visitor.cookie()!, 'accept-encoding': 'br' }
    const response = await fetch(site.api.url + path, { headers })
    return [response.headers.get('content-encoding'), (await response.text()).includes(token)]
  }
  expect(await of(`${findPath(id!)}/backtest`)).toEqual(['br', false])
  expect(await of(findPath(id!))).toEqual([null, true])
  expect(await of('/account/lab')).toEqual([null, true])
})

test('the variants follow, then the desk stage with its settings, and the way back', async () => {
  const { conveyor } = await site.account.until(one => one.conveyor !== null)
  const id = conveyor!
  expect((await get(findPath(id))).html).toContain('Try the variants')
  const { location } = await run(id, 'quant')
  expect((await ended(location!)).location).toBe(`${findPath(id)}/quant`)
  const quant = (await get(`${findPath(id)}/quant`)).html
  const reported = (await site.account.get(`/api/lab/result?id=${id}&kind=quant`)).json
  expect(quant.match(/<figure class="heat">/g)).toHaveLength(reported.optimize.planes.length)
  const pages = Math.ceil(reported.optimize.variants.length / 100)
  let rows = 0
  for (let page = 1; page <= pages; page++) {
    const { html } = await get(`${findPath(id)}/quant/variants?page=${page}`)
    rows += html.split('<tbody>')[1]!.match(/<tr>/g)!.length
  }
  expect(rows).toBe(reported.optimize.variants_tried)

  expect((await act(id, 'desk')).location).toBe(findPath(id))
  expect(await findIdea(id)).toMatchObject({ stage: 'desk', on: false })
  const set = await act(id, 'set', { on: 'true', draw: 'levels', alert: 'email' })
  expect(set.status).toBe(303)
  expect(await findIdea(id)).toMatchObject({ on: true, draw: 'levels', alert: 'email' })
  const { html } = await get(findPath(id))
  for (const value of ['true', 'levels', 'email']) {
    expect(html).toContain(`<option value="${value}" selected`)
  }
  const wrong = await act(id, 'set', { on: 'true', draw: 'all', alert: 'email' })
  expect(wrong.status).toBe(400)
  expect(findText(wrong.html)).toContain('Draw is')
  // a message puts it back to the start, and its results are of an earlier rule
  await site.post('chat', { id, message: 'make it 20 wide' })
  expect(await findIdea(id)).toMatchObject({ stage: 'rule', results: null })
  expect(findText((await get(`${findPath(id)}/quant`)).html)).toContain(
    'The rule was changed since',
  )
})

test('an idea that fails says so with its reason, and the credit is back', async () => {
  await free()
  const before = (await site.account.until(() => true)).balance.total
  for (const [qty, reason] of [
    [BEHAVIOURS.fails, 'Backtest failed: the engine failed; try again.'],
    [BEHAVIOURS.refuses, 'Backtest failed: No session is published to test on.'],
  ] as const) {
    const id = await site.account.idea(qty)
    const { status, html } = await ended((await run(id)).location!)
    expect(status).toBe(200)
    expect(findText(html)).toContain(`${reason} The credit was given back.`)
    expect(html).not.toContain('a secret of the engine')
    // shown once: the page by itself has no more of it
    expect((await get(findPath(id))).html).not.toContain('failed')
  }
  expect((await site.account.until(() => true)).balance.total).toBe(before)
})

test('while one idea is tested its page has no forms, and no other one is tested', async () => {
  await free()
  const [id, other] = [await site.account.idea(BEHAVIOURS.waits), await site.account.idea()]
  const { location } = await run(id)
  const shown = (await get(location!)).html
  expect(shown).toContain(`data-job="${findPath(id)}/progress"`)
  expect(shown).toMatch(/<noscript><meta http-equiv="refresh" content="3"><\/noscript>/)
  expect(shown).not.toContain('action="/account/lab/chat"')
  const { headers, html } = await get(`${findPath(id)}/progress`)
  expect(headers.get('content-type')).toContain('application/json')
  expect(JSON.parse(html)).toMatchObject({
    is_running: true,
    says: expect.stringMatching(/^Backtest: /),
  })
  expect(JSON.parse((await get(`${findPath(other)}/progress`)).html)).toEqual({ is_running: false })
  expect(findText((await get(findPath(other))).html)).toContain('The conveyor is held by')
  const refused = [await run(other), await act(id, 'drop')]
  // what comes next would wait for a test that nobody lets go
  site.letGo()
  await ended(location!)
  for (const { status, html } of refused) {
    expect(status).toBe(409)
    expect(html).toContain('role="alert"')
  }
})

test('an invalid request is refused in a sentence, and deleting is for good', async () => {
  await free()
  const id = await site.account.idea()
  expect((await run(id, 'quant')).status).toBe(409)
  const wrong = await run(id, 'all')
  expect([wrong.status, findText(wrong.html)]).toEqual([400, expect.stringContaining('Kind is')])
  expect((await act(id, 'sell')).status).toBe(400)
  expect((await act(id, 'desk')).status).toBe(409)
  for (const part of ['backtest', 'quant', 'backtest/trades', 'backtest/trades.csv', 'struct']) {
    expect((await get(`${findPath(id)}/${part}`)).status).toBe(404)
  }
  expect((await run('i_nothing')).status).toBe(404)
  expect((await get(`${findPath(id)}?job=j_nothing`)).status).toBe(200)
  const deleted = await act(id, 'delete')
  expect([deleted.status, deleted.location]).toEqual([303, '/account/lab'])
  expect((await get(findPath(id))).status).toBe(404)
  expect(await findIdea(id)).toBeUndefined()
})

test("another account's results, trades and jobs are as unknown as none", async () => {
  await free()
  const id = await site.account.idea()
  const job = await site.store(id, madeResult())
  const stranger = await signedIn(site.api, (await site.newAccount()).accountId)
  for (const part of ['', '/backtest', '/backtest/trades', '/backtest/trades.csv']) {
    expect((await get(findPath(id) + part)).status).toBe(200)
    const [foreign, none] = [
      await stranger.get(findPath(id) + part),
      await stranger.get(findPath('i_nothing') + part),
    ]
    expect([foreign.status, foreign.html]).toEqual([404, none.html])
  }
  const own = await stranger.post('/account/lab/chat', {
    message: 'At 10:00 sell the 10-wide put spread 30 points below spot.',
  })
  const [path] = own.location!.split('#')
  // nor does a job of others lead anywhere
  expect((await stranger.get(`${path}?job=${job}`)).status).toBe(200)
  for (const form of ['run', 'idea']) {
    const fields = { id, kind: 'quant', action: 'delete' }
    expect((await stranger.post(`/account/lab/${form}`, fields)).status).toBe(404)
    const forged = await site.post(form, { ...fields, token: 'x' })
    expect(forged.status).toBe(403)
  }
  expect(await findIdea(id)).toMatchObject({ stage: 'tested' })
})
