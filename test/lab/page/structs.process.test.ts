// Rules that a program gave to LAB alone: their list, how far one is, what it found, its trades.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { BEHAVIOURS } from '../../support/labBehaviours.ts'
import { type LabSite, startLabSite } from '../../support/labPages.ts'
import { signedIn } from '../../support/visitor.ts'

let site: LabSite
beforeAll(async () => {
  site = await startLabSite()
})
afterAll(() => site.api.close())

const findText = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const findPath = (job: string) => `/account/lab/jobs/${job}`
const text = async (path: string) => findText((await site.visitor.get(path)).html)
/** Begins a rule alone; returns its job. */
async function begin(qty = 1, at = '10:00'): Promise<string> {
  const { spec } = await site.account.spec()
  const own = { ...spec, core: { ...spec.core, qty, entry: { at } } }
  // a minute later each: the newest is known by its time
  site.api.clock.atMs += 60_000
  const begun = await site.account.post('/api/struct/run', { body: JSON.stringify({ spec: own }) })
  return begun.json.job.id
}

test('none is listed before there is one', async () => {
  expect(await text('/account/lab')).not.toContain('Rules alone')
  expect(await text('/account/lab/jobs')).toContain('There is none yet.')
})

test('they are listed newest first, in words, with what came of each', async () => {
  const first = await begin(1, '10:00')
  await site.account.untilDone(first)
  const failed = await begin(BEHAVIOURS.refuses, '10:30')
  await site.account.untilDone(failed)
  const last = await begin(1, '11:00')
  await site.account.untilDone(last)
  const { html } = await site.visitor.get('/account/lab')
  const listed = [...html.matchAll(/href="(\/account\/lab\/jobs\/j_[^"]+)"/g)].map(([, one]) => one)
  expect(listed).toEqual([last, failed, first].map(findPath))
  const part = findText(html.split('id="structs-title"')[1]!)
  expect(part).toMatch(/At 11:00 ET, sell .* trades, a mean of .* failed No session is published/)
  expect(part).toContain('The credit was given back.')
  expect(part).toContain('have no verdict')
  expect(await text('/account')).toContain('3 rules computed alone')
})

test('a result has the parts of a test, and says that there is no verdict', async () => {
  const job = await begin()
  await site.account.untilDone(job)
  const { result } = (await site.account.get(`/api/struct/job?id=${job}`)).json
  const { status, html } = await site.visitor.get(findPath(job))
  const message = findText(html)
  expect(status).toBe(200)
  expect(message).toContain('No verdict')
  expect(message).toContain('The newest sessions are kept apart and not looked at.')
  for (const sentence of result.says) expect(message).toContain(sentence)
  for (const part of ['equity-0-title', 'spread-0-title', 'eras-0-title', 'lineage-title']) {
    expect(html).toContain(`id="${part}"`)
  }
  expect(html).not.toContain('class="gates"')
  expect(html).not.toContain('data-sealed')
  expect(message).not.toContain('Back to the idea')
  // its trades, one of them, and its files
  const { trades, total } = (await site.account.get(`/api/lab/trades?job=${job}`)).json
  const shown = await site.visitor.get(`${findPath(job)}/trades`)
  expect(shown.html.split('<tbody>')[1]!.match(/<tr>/g)).toHaveLength(Math.min(100, total))
  const one = await text(`${findPath(job)}/trades/1`)
  expect(one).toContain(trades[0].session_date)
  // the sessions of this engine are not published here, and the page says so
  expect(one).toContain('is not published any more: it cannot be drawn.')
  const cookie = { cookie: site.visitor.cookie()! }
  const csv = await fetch(`${site.api.url}${findPath(job)}/trades.csv`, { headers: cookie })
  expect(csv.headers.get('content-disposition')).toContain(`trades-${job}.csv`)
  expect((await site.visitor.get(`${findPath(job)}/variants`)).status).toBe(404)
})

test('one that runs says how far it is, renews itself, and then shows its result', async () => {
  const job = await begin(BEHAVIOURS.waits)
  const { html, status } = await site.visitor.get(findPath(job))
  expect(status).toBe(200)
  expect(html).toContain(`data-job="${findPath(job)}/progress"`)
  expect(html).toMatch(/<noscript><meta http-equiv="refresh" content="3"><\/noscript>/)
  expect(findText(html)).toContain('At 10:00 ET, sell')
  const progress = async () =>
    JSON.parse((await site.visitor.get(`${findPath(job)}/progress`)).html)
  expect(await progress()).toMatchObject({ is_running: true })
  expect((await site.visitor.get(`${findPath(job)}/trades`)).status).toBe(404)
  site.letGo()
  await site.account.untilDone(job)
  expect(await progress()).toMatchObject({ is_running: false })
  expect(await text(findPath(job))).toContain('No verdict')
})

test('one that failed says why, and that its credit is back', async () => {
  const job = await begin(BEHAVIOURS.fails)
  await site.account.untilDone(job)
  const message = await text(findPath(job))
  expect(message).toContain('It failed: the engine failed; try again. The credit was given back.')
  expect(message).not.toContain('a secret of the engine')
})

test('more than five are behind a link, and a test of an idea leads to the idea', async () => {
  expect(await text('/account/lab')).toContain('All 6 rules')
  const { html } = await site.visitor.get('/account/lab/jobs')
  expect(html.match(/href="\/account\/lab\/jobs\/j_/g)).toHaveLength(6)
  expect((await site.visitor.get('/account/lab/jobs?page=2')).status).toBe(404)
  const id = await site.account.idea()
  const { location } = await site.post('run', { id, kind: 'backtest' })
  const job = location!.split('job=')[1]!
  await site.account.untilDone(job)
  const own = await site.visitor.get(findPath(job))
  expect([own.status, own.location]).toEqual([303, `/account/lab/ideas/${id}?job=${job}`])
})

test("another account's rule is as unknown as none", async () => {
  const job = await begin()
  await site.account.untilDone(job)
  const stranger = await signedIn(site.api, (await site.newAccount()).accountId)
  for (const part of ['', '/trades', '/trades/1', '/trades.csv', '/progress']) {
    const [foreign, none] = [
      await stranger.get(findPath(job) + part),
      await stranger.get(findPath('j_nothing') + part),
    ]
    expect([foreign.status, foreign.html]).toEqual([404, none.html])
  }
})
