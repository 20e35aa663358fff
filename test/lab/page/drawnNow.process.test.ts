// The session that runs on the page of an idea: up to the newest minute, and nothing after it.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeAtomically } from '../../../src/core/disk/files.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { DESK_DAYS, type DeskSite, spotAt, startDeskSite } from '../../support/labDesk.ts'
import { startLabSite } from '../../support/labPages.ts'

const CONDOR = 'At 10:00 sell the 10-wide iron condor 20 points from spot, exit at 14:00'
const TODAY = '2026-10-15'

let site: DeskSite
let path: string
let eachHour: string
let held: string
beforeAll(async () => {
  site = await startDeskSite()
  ;({ path } = await site.deskIdea(CONDOR, 'trades'))
  ;({ path: eachHour } = await site.deskIdea(
    'Every 60 minutes from 10:00 to 15:00 sell the 10-wide put spread 10 points below spot',
    'levels',
  ))
  ;({ path: held } = await site.deskIdea(
    'At 10:00 sell the 10-wide put spread 20 points below spot',
    'trades',
  ))
  const product = { plan: 'live', fromMs: 0, untilMs: null } as const
  await site.api.accounts.putProduct(site.account.accountId, product)
})
afterAll(() => site.api.close())

const findText = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const drawn = async (own = path) => {
  const { html } = await site.visitor.get(own)
  const part = html.split('id="drawn"')[1]!.split('</section>')[0]!
  const points = /class="line spot" d="(M[^"]+)"\/>/.exec(part)?.[1]?.split(/[ML]/).slice(1) ?? []
  return { part, points, text: findText(part) }
}

test('minute by minute: to come, open, closed, and no value of a later minute', async () => {
  for (const { minute, known, says, circles, squares } of [
    { minute: '09:31', known: 1, says: 'it may enter until 10:00', circles: 0, squares: 0 },
    { minute: '09:59', known: 29, says: 'it may enter until 10:00', circles: 0, squares: 0 },
    { minute: '10:00', known: 30, says: 'open at 10:00', circles: 1, squares: 0 },
    { minute: '13:59', known: 269, says: 'open at 13:59', circles: 1, squares: 0 },
    { minute: '14:00', known: 270, says: 'time reached, 14:00', circles: 1, squares: 1 },
  ]) {
    await site.runTo(TODAY, minute)
    const { part, points, text } = await drawn()
    expect(text).toContain(`Trades on Thu ${TODAY}`)
    expect(text).toContain(`running As it is known at ${minute}`)
    expect(text).toContain(says)
    expect(points).toHaveLength(known)
    const picture = part.split('<figure>')[1]!.split('</figure>')[0]!
    expect((picture.match(/<circle/g) ?? []).length).toBe(circles)
    expect((picture.match(/<rect x="-5"/g) ?? []).length).toBe(squares)
    const last = spotAt(3, known - 1).toLocaleString('en-US', { minimumFractionDigits: 2 })
    expect(text).toContain(`${minute} ${last}`)
    expect(text).not.toContain(
      spotAt(3, known).toLocaleString('en-US', { minimumFractionDigits: 2 }),
    )
  }
})

test('a trade that settles is closed when the settlement is known', async () => {
  for (const { minute, says } of [
    { minute: '16:00', says: 'open at 16:00' },
    { minute: '16:13', says: 'open at 16:00' },
    { minute: '16:14', says: 'settled, 16:00' },
  ]) {
    await site.runTo(TODAY, minute)
    const { text } = await drawn(held)
    expect(text).toContain(says)
    expect(text.includes('running')).toBe(false)
  }
})

test('strikes of entries that are still to come are not drawn', async () => {
  await site.runTo(TODAY, '12:30')
  const { part, text } = await drawn(eachHour)
  expect(text).toContain('Levels on')
  expect(part.split('<tbody>')[1]!.split('</tbody>')[0]!.match(/<tr>/g)).toHaveLength(3)
  // from 10:00, 11:00 and 12:00 to 12:30, of 389 minutes
  const ends = [...part.matchAll(/class="strike \w+" x1="([\d.]+)%"\s+x2="([\d.]+)%"/g)]
  expect(new Set(ends.map(([, from]) => from))).toEqual(new Set(['7.46', '22.88', '38.3']))
  expect(new Set(ends.map(([, , to]) => to))).toEqual(new Set(['46.02']))
})

test('without LIVE and ORDERS the session before is drawn, and a sentence says so', async () => {
  const { accounts } = site.api
  await accounts.removeProduct(site.account.accountId, 'live')
  const { text, points } = await drawn()
  expect(text).toContain(`Trades on Wed ${DESK_DAYS[2]}`)
  expect(text).toContain(`The session of ${TODAY} is drawn here after midnight in New York`)
  expect(points).toHaveLength(390)
  expect((await site.visitor.get(path)).html).not.toContain('class="amber">running')
})

test('a damaged file, or an older session, is reported in a sentence', async () => {
  const { dataFolder } = site.api
  const folder = join(dataFolder, 'published')
  const day = DESK_DAYS[2]
  const manifest = readManifest(dataFolder, day)!
  const { market_minutes: entry } = manifest.datasets
  rmSync(join(dataFolder, 'lab'), { recursive: true })
  writeFileSync(join(folder, entry!.file), 'damaged')
  const put = (changed: object) =>
    writeAtomically(
      join(folder, 'manifests', `${day}.json`),
      JSON.stringify({ ...manifest, ...changed }),
    )
  // another revision: data read before are not queried again
  put({ revision: 'r2' })
  expect((await drawn()).text).toContain('cannot be drawn now: its files cannot be read')
  put({ revision: 'r3', datasets: {} })
  const { text } = await drawn()
  expect(text).toContain(`${day} was published without the minutes that rules are replayed on`)
  const { status, html } = await site.visitor.get(path)
  expect([status, html.includes('What next')]).toEqual([200, true])
})

test('where nothing is published a sentence says so', async () => {
  const empty = await startLabSite()
  const idea = await empty.begin(CONDOR)
  for (const kind of ['backtest', 'quant'] as const) {
    const { location } = await empty.post('run', { id: idea.id, kind })
    await empty.account.untilDone(location!.split('job=')[1]!)
  }
  await empty.account.act({ id: idea.id, action: 'desk' })
  await empty.account.act({ id: idea.id, action: 'set', on: true, draw: 'levels', alert: 'off' })
  const { html } = await empty.visitor.get(idea.path)
  expect(findText(html)).toContain('No session is published yet: there is nothing to draw.')
  await empty.api.close()
})
