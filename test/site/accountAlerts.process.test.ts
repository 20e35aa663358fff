// Alerts, lines and rules on the account page, as HTTP.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { readAlerts } from '../../src/alerts/ask.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { putLineStates } from '../support/outbox.ts'
import { signedIn, type Visitor } from '../support/visitor.ts'

let api: TestApi
let visitor: Visitor
const MARKUP = '"><img src=x onerror=alert(1)><script>alert(2)</script>'

beforeEach(async () => {
  api = await startTestApi()
  visitor = await signedIn(api)
})
afterEach(() => api.close())

const stored = (accountId = api.accountId) => readAlerts(api.accounts, accountId)
const post = (path: string, fields: Record<string, string>) =>
  visitor.post(`/account/${path}`, fields)
const findText = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const page = async () => (await visitor.get('/account')).html

/** The fields of the form that sets an entry, as a browser without scripts would send them. */
function findForm(html: string, action: string, has: readonly string[]): Record<string, string> {
  const forms = html.split('<form ').filter(form => form.includes(`action="/account/${action}"`))
  const form = forms.find(one => has.every(text => one.includes(text)))!.split('</form>')[0]!
  const fields: Record<string, string> = {}
  for (const [input] of form.matchAll(/<input [^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1]
    const isBox = input.includes('type="checkbox"')
    if (name && (!isBox || input.includes('checked'))) {
      fields[name] = /value="([^"]*)"/.exec(input)?.[1] ?? ''
    }
  }
  for (const [, name, inside] of form.matchAll(/<select name="([^"]*)">(.*?)<\/select>/gs)) {
    const chosen = /<option value="([^"]*)" selected/.exec(inside!)
    fields[name!] = (chosen ?? /<option value="([^"]*)"/.exec(inside!))![1]!
  }
  return fields
}

test('a form that is sent as it stands changes nothing, for each type and book', async () => {
  const before = await stored()
  const html = await page()
  for (const { type, book } of before.list) {
    const fields = findForm(html, 'alerts/set', [`value="${type}"`, `value="${book}"`])
    // boxes of one name are several fields; a browser sends all of them
    const { walls, levels, ...single } = fields
    if (walls !== undefined || levels !== undefined) continue
    expect((await post('alerts/set', single)).status).toBe(303)
  }
  expect((await stored()).list).toEqual(before.list)
})

test('an entry is turned on with parameters, and a wrong one is refused in a sentence', async () => {
  const fields = { type: 'flip_move', book: 'volume', on: 'true', threshold_points: '12.5' }
  const { status, location } = await post('alerts/set', { ...fields, confirm: '4' })
  expect([status, location]).toEqual([303, '/account#alerts'])
  const entry = (await stored()).list.find(
    ({ type, book }) => type === 'flip_move' && book === 'volume',
  )
  expect(entry).toMatchObject({ on: true, threshold_points: 12.5, confirm: 4 })
  const wrong = await post('alerts/set', { ...fields, confirm: 'two' })
  expect(wrong.status).toBe(400)
  expect(wrong.html).toContain('Confirm is &quot;two&quot;; give a whole number from 1 to 15')
  for (const type of ['', 'x', 'toString', MARKUP]) {
    const { html, status: refused } = await post('alerts/set', { ...fields, type })
    expect(refused).toBe(400)
    expect(html).not.toMatch(/<(script|img)\b/)
  }
  expect(findText(await page())).toContain('volume: on')
})

test('lines are added, armed and removed; notes stay text', async () => {
  await post('lines/add', { kind: 'price', price: '6000.25', mode: 'once', note: MARKUP })
  await post('lines/add', {
    kind: 'level',
    level: 'put_wall',
    book: 'measured',
    offset: '-10',
    direction: 'below',
    mode: 'repeat',
    note: '',
  })
  const { lines } = await stored()
  expect(lines).toMatchObject([
    { kind: 'price', price: 6000.25, mode: 'once', direction: 'any', note: MARKUP },
    { kind: 'level', level: 'put_wall', offset: -10, direction: 'below', note: null },
  ])
  const html = await page()
  expect(html).not.toMatch(/<(script|img)\b/)
  expect(findText(html)).toContain('measured put wall − 10 from below, repeat armed')
  const { id } = lines[0]!
  const state = { lineId: id, accountId: api.accountId, isArmed: false, firedAtMs: 1 }
  await putLineStates(api.accounts.outbox, 'live', [state])
  expect(findText(await page())).toMatch(/6000.25 either side, once off , fired 1969-12-31 19:00/)
  expect((await post('lines/arm', { id })).status).toBe(303)
  expect((await stored()).lines[0]!.armed).toBe(true)
  expect((await post('lines/remove', { id })).status).toBe(303)
  expect((await stored()).lines).toHaveLength(1)
})

test('rules are added with what is filled in, turned off and removed', async () => {
  const html = await page()
  const fields = findForm(html, 'rules/add', [])
  expect(Object.values({ ...fields, token: '' }).filter(value => value !== '')).toEqual([])
  await post('rules/add', { ...fields, name: MARKUP })
  await post('rules/add', { ...fields, name: 'b', min_premium: '2.5', wall_within: '10' })
  const { rules } = await stored()
  expect(rules).toMatchObject([
    { name: MARKUP, on: true },
    { name: 'b', min_premium: 2.5, wall: 'any', wall_within: 10 },
  ])
  expect(Object.keys(rules[0]!)).toEqual(['id', 'name', 'on'])
  const shown = await page()
  expect(shown).not.toMatch(/<(script|img)\b/)
  expect(findText(shown)).toContain(
    'b on gross premium at least, $M: 2.5 wall: any wall within, points: 10',
  )
  const { id } = rules[1]!
  await post('rules/turn', { id, on: 'false' })
  expect((await stored()).rules[1]).toMatchObject({ on: false, min_premium: 2.5 })
  expect((await post('rules/remove', { id })).status).toBe(303)
  expect((await stored()).rules).toHaveLength(1)
})

test.each([
  ['lines/add', { kind: 'price', price: '' }, 'Price is missing; give a number from 1 to 100000'],
  ['lines/add', { kind: 'price', price: '6.000,5' }, 'Price is &quot;6.000,5&quot;; give a number'],
  ['lines/add', { kind: 'price', price: '1', note: 'x'.repeat(121) }, 'give 1 to 120 printable'],
  ['rules/add', { name: '' }, 'Name is missing; give 1 to 60 printable characters on one line'],
  ['rules/add', { name: 'a', from_t: '15:00', to_t: '10:00' }, 'give from_t &lt;= to_t'],
  ['rules/add', { name: 'a', kinds: 'back_spread' }, 'which way a customer traded'],
])('%s %j is refused in a sentence', async (path, fields, sentence) => {
  const { status, html } = await post(path, fields as never)
  expect(status).toBe(400)
  expect(html).toContain(sentence)
  expect(await stored()).toMatchObject({ lines: [], rules: [] })
})

test('the limits hold on the page, too', async () => {
  for (let at = 0; at < 20; at++) await post('rules/add', { name: `rule ${at}` })
  const html = await page()
  expect(findText(html)).toContain('20 of 20 are kept.')
  expect(html).not.toContain('action="/account/rules/add"')
  const more = await post('rules/add', { name: 'one more' })
  expect(more.status).toBe(400)
  expect(more.html).toContain('The account keeps 20 rules, which is the limit')
})

test("another account's lines and rules are as unknown as none", async () => {
  await post('lines/add', { kind: 'price', price: '6000' })
  await post('rules/add', { name: 'mine' })
  const { lines, rules } = await stored()
  const { accountId } = await api.newKey()
  const stranger = await signedIn(api, accountId)
  for (const [path, id] of [
    ['lines/arm', lines[0]!.id],
    ['lines/remove', lines[0]!.id],
    ['rules/turn', rules[0]!.id],
    ['rules/remove', rules[0]!.id],
  ] as const) {
    const [foreign, none] = [
      await stranger.post(`/account/${path}`, { id }),
      await stranger.post(`/account/${path}`, { id: 'x_nothing' }),
    ]
    expect([foreign.status, foreign.html]).toEqual([404, none.html])
  }
  expect(await stored()).toMatchObject({ lines, rules })
})

test('an account without a plan of the Orders API has no such sections', async () => {
  await api.setPlan(api.accountId, 'none')
  const html = await page()
  for (const name of ['webhook', 'deliveries', 'alerts', 'lines', 'rules', 'preview']) {
    expect(html).not.toContain(`id="${name}"`)
  }
})
