// Drawings of a monitored idea on the newest session, and the picture of each trade of a test:
// published sessions, the engine of the product, pages as HTTP.

import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeAtomically } from '../../../src/core/disk/files.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { DESK_DAYS, type DeskSite, spotAt, startDeskSite } from '../../support/labDesk.ts'
import { doneEnd } from '../../support/labRuns.ts'
import { signedIn } from '../../support/visitor.ts'

const CONDOR = 'At 10:00 sell the 10-wide iron condor 20 points from spot, exit at 14:00'
const WALL = 'At 10:30 sell the 10-wide put spread 5 points below the put wall'
const NEVER =
  'At 10:00 sell the 10-wide put spread 30 points below spot if net gamma is above $4000M'

let site: DeskSite
let condor: { id: string; path: string }
let wall: { id: string; path: string }
beforeAll(async () => {
  site = await startDeskSite()
  condor = await site.deskIdea(CONDOR, 'trades')
  wall = await site.deskIdea(`${WALL} if price is above the flip`, 'levels')
})
afterAll(() => site.api.close())

const findText = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const findPage = async (path: string) => (await site.visitor.get(path)).html
const findPart = (html: string) => html.split('id="drawn"')[1]?.split('</section>')[0] ?? ''
const findDrawn = async (path: string) => findPart(await findPage(path))
const listRows = (html: string, table = 1) =>
  (html.split('<tbody>')[table] ?? '').split('</tbody>')[0]!.split('<tr>').slice(1).map(findText)
/** The points of the line of the index. */
const listPoints = (html: string) =>
  /class="line spot" d="(M[^"]+)"\/>/.exec(html)![1]!.split(/[ML]/).slice(1)
const set = (id: string, draw: string) =>
  site.account.act({ id, action: 'set', on: true, draw, alert: 'off' })
const SHOWN = DESK_DAYS[1]
const SUMMARY = '{"to":"2026-10-14","legs":[]}'

test('the session of today is drawn for LIVE and ORDERS; others see the one before', async () => {
  const before = await findDrawn(condor.path)
  expect(findText(before)).toContain(`Trades on Tue ${SHOWN}`)
  expect(findText(before)).toContain(`The session of ${DESK_DAYS[2]} is drawn here after midnight`)
  const { accounts } = site.api
  await accounts.putProduct(site.account.accountId, { plan: 'live', fromMs: 0, untilMs: null })
  const own = findText(await findDrawn(condor.path))
  expect(own).toContain(`Trades on Wed ${DESK_DAYS[2]}`)
  expect(own).not.toContain('after midnight')
  await accounts.removeProduct(site.account.accountId, 'live')
  expect(findText(await findDrawn(condor.path))).toContain(`Trades on Tue ${SHOWN}`)
})

test('trades: entry, exit and strikes in a picture, and the figures of its test', async () => {
  const drawn = await findDrawn(condor.path)
  const { json } = await site.account.get(`/api/lab/result?id=${condor.id}&kind=backtest`)
  const { trades } = (await site.account.get(`/api/lab/trades?job=${json.job}`)).json
  const own = trades.find((row: { session_date: string }) => row.session_date === SHOWN)
  const rows = listRows(drawn)
  expect(rows).toHaveLength(1)
  const options = own.legs.map(
    (leg: { sign: number; strike: number; option_type: string }) =>
      `${leg.sign < 0 ? '−' : '+'}${leg.strike}${leg.option_type}`,
  )
  expect(rows[0]).toContain(`10:00 ${options.join(' ')}`)
  expect(rows[0]).toContain('time reached, 14:00')
  const money = Math.abs(Math.round(own.pnl_usd)).toLocaleString('en-US')
  expect(rows[0]).toContain(`${own.pnl_usd < 0 ? '−' : ''}$${money}`)
  expect(listPoints(drawn)).toHaveLength(390)
  // a line a strike, from 10:00 to 14:00: columns 29 and 269 of 389
  const lines = [...drawn.matchAll(/class="strike (\w+)" x1="([\d.]+)%"\s+x2="([\d.]+)%"/g)]
  const inPicture = drawn.split('<figure>')[1]!.split('</figure>')[0]!
  expect(inPicture.match(/class="strike /g)).toHaveLength(4)
  for (const [, , from, to] of lines) expect([from, to]).toEqual(['7.46', '69.15'])
  for (const text of options) expect(inPicture).toContain(text)
  expect(inPicture.match(/<circle/g)).toHaveLength(1)
  expect(inPicture.match(/<rect x="-5"/g)).toHaveLength(1)
  const minutes = listRows(drawn, 2)
  const at = (state: number) =>
    spotAt(1, state).toLocaleString('en-US', { minimumFractionDigits: 2 })
  expect(minutes).toContainEqual(expect.stringContaining(`10:00 ${at(29)}`))
  expect(minutes).toContainEqual(expect.stringContaining(`14:00 ${at(269)}`))
})

test('levels: those the rule refers to, and its strikes from the entry on', async () => {
  const drawn = await findDrawn(wall.path)
  expect(drawn).toContain('class="line wall-put"')
  expect(drawn).toContain('class="line flip"')
  expect(drawn).not.toContain('wall-call')
  const [row] = listRows(drawn)
  expect(row).toContain('10:30 +5990P −6000P yes')
  // to the newest minute, with no exit
  expect(drawn).toMatch(/class="strike sold" x1="15.17%"\s+x2="100%"/)
  expect(drawn).not.toContain('<rect x="-5"')
  const head = findText(drawn.split('<thead>')[2]!.split('</thead>')[0]!)
  expect(head.trim()).toBe('minute index put wall flip')
  const minutes = listRows(drawn, 2)
  expect(minutes.find(text => text.trim().startsWith('09:45'))).toMatch(/6,005.00 –\s*$/)
  expect(minutes.find(text => text.trim().startsWith('13:00'))).toMatch(/5,980.00 5,994.18\s*$/)
})

test('off draws nothing, and so does an idea that is not monitored', async () => {
  await set(condor.id, 'off')
  expect(await findPage(condor.path)).not.toContain('id="drawn"')
  await set(condor.id, 'trades')
  const { path } = await site.begin(CONDOR)
  expect(await findPage(path)).not.toContain('id="drawn"')
})

test('of a sealed session the entries are drawn, and not what came of them', async () => {
  const { id, path } = await site.begin(CONDOR)
  const { accountId } = site.account
  const { lab } = site.api.accounts
  const sealed = { to: '2099-12-31', whole: '{}', tradesKey: 'ab' }
  for (const kind of ['backtest', 'quant'] as const) {
    const begun = await lab.startRun({
      accountId,
      ideaId: id,
      kind,
      atMs: site.api.clock.atMs,
      repeat: null,
      assume: '{}',
      areRelated: () => true,
    })
    if (!('run' in begun)) throw new Error(begun.kind)
    const ended = { id: begun.run.id, worker: null, atMs: site.api.clock.atMs }
    await lab.endRun({ ...ended, end: doneEnd({ sealed, summary: SUMMARY, holdoutFrom: null }) })
  }
  await site.account.act({ id, action: 'desk' })
  await set(id, 'trades')
  const drawn = findText(await findDrawn(path))
  expect(drawn).toContain('This session is in the sealed holdout')
  expect(drawn).not.toMatch(/time reached|of the risk|profit/)
  await site.account.act({ id, action: 'delete' })
})

test('where nothing can be drawn, or nothing was traded, a sentence says why', async () => {
  const never = await site.deskIdea(NEVER, 'trades')
  const drawn = await findDrawn(never.path)
  expect(findText(drawn)).toContain('No trade at 10:00: the conditions did not hold.')
  expect(listPoints(drawn)).toHaveLength(390)
  await set(never.id, 'levels')
  // what it would have taken
  const levels = await findDrawn(never.path)
  expect(findText(levels)).toContain('The rule refers to no level')
  expect(listRows(levels)[0]).toContain('no: the conditions did not hold')
  expect(levels).toContain('class="strike sold left-out"')
  const off = await site.deskIdea(`Only Mondays: ${CONDOR}`, 'trades')
  expect(findText(await findDrawn(off.path))).toContain('The rule does not trade on Tuesdays.')
  const far = await site.deskIdea(
    'At 10:00 sell the 10-wide put spread 300 points below spot, exit at 14:00',
    'trades',
  )
  expect(findText(await findDrawn(far.path))).toMatch(/No trade at 10:00: .*(listed|price)/)
})

test('each trade of a test opens its session, with what the file says of it', async () => {
  const path = `${wall.path}/backtest/trades`
  const { html } = await site.visitor.get(path)
  const indexes = [...html.matchAll(/href="([^"]+\/trades\/\d+)"/g)].map(([, one]) => one!)
  const { json } = await site.account.get(`/api/lab/result?id=${wall.id}&kind=backtest`)
  const { trades, total } = (await site.account.get(`/api/lab/trades?job=${json.job}`)).json
  expect(indexes).toHaveLength(total)
  for (const [index, row] of trades.entries()) {
    const page = await findPage(indexes[index]!)
    const text = findText(page)
    expect(text).toContain(row.session_date)
    if (row.session_date === DESK_DAYS[2]) {
      // of today: its index is not for an account of LAB alone
      expect(text).toContain(`The session of ${DESK_DAYS[2]} is drawn here after midnight`)
      expect(page).not.toContain('class="line spot" d=')
      continue
    }
    expect(listPoints(page)).toHaveLength(390)
    expect(text).toContain('Conditions at 10:30')
    expect(text).toMatch(/price is above the flip .* points yes/)
    expect(text).toContain(row.net.toFixed(2))
    expect(text).toContain(`settled on ${row.settlement.toLocaleString('en-US')}`)
    for (const { entry_bid, entry_ask } of row.legs) {
      expect(text).toContain(`${entry_bid.toFixed(2)} ${entry_ask.toFixed(2)}`)
    }
    // sessions of minutes alone have no page of their own
    expect(page).not.toContain('href="/sessions/')
  }
  for (const wrong of ['0', '4', 'x', '1/2', '9999999']) {
    expect((await site.visitor.get(`${path}/${wrong}`)).status).toBe(404)
  }
  const stranger = await signedIn(site.api, (await site.newAccount()).accountId)
  expect((await stranger.get(`${path}/1`)).status).toBe(404)
})

test('a trade of two days is drawn on both of them', async () => {
  const { path } = await site.deskIdea(
    'At 15:00 sell the 1DTE 10-wide put spread 20 points below spot, exit at 11:00 the next day',
    'trades',
  )
  const page = await findPage(`${path}/backtest/trades/1`)
  expect(page.match(/class="line spot" d=/g)).toHaveLength(2)
  expect(findText(page)).toContain(`Mon ${DESK_DAYS[0]}`)
  expect(findText(page)).toContain(`Tue ${DESK_DAYS[1]}`)
  // in the desk stage one came from the day before, and one is held on
  const rows = listRows(await findDrawn(path))
  expect(rows).toHaveLength(2)
  expect(rows[0]).toContain(`${DESK_DAYS[0]} 15:00`)
  expect(rows[0]).toContain('time reached, 11:00')
  expect(rows[1]).toContain('open at 16:00')
})

test('a session that has a page of its own is linked', async () => {
  const { dataFolder } = site.api
  const manifest = readManifest(dataFolder, SHOWN)!
  const summary = { orders: 12, open: 6004, close: 6030, flip_close: 5998 }
  const index = join(dataFolder, 'published', 'manifests', `${SHOWN}.json`)
  const datasets = { ...manifest.datasets, orders: manifest.datasets.market_minutes }
  writeAtomically(index, JSON.stringify({ ...manifest, datasets, summary }))
  const link = `<a href="/sessions/${SHOWN}">The whole session</a>`
  expect(await findDrawn(condor.path)).toContain(link)
  expect(await findPage(`${condor.path}/backtest/trades/2`)).toContain(link)
  expect(await findPage(`${condor.path}/backtest/trades/1`)).not.toContain('The whole session')
})

test('a page with a picture is within the budget of the site', async () => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  const findSize = async (path: string) =>
    brotliCompressSync(await findPage(path), { params }).length
  for (const path of [condor.path, wall.path, `${wall.path}/backtest/trades/1`]) {
    expect(await findSize(path)).toBeLessThan(20 * 1024)
  }
})
