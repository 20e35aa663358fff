// The pages of ideas as HTTP: messages, their marks, buttons, undo and refusals.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { QUESTIONS } from '../../../src/lab/language/questions.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { signedIn, type Visitor } from '../../support/visitor.ts'

let api: TestApi
let visitor: Visitor
let accountId: string
const MARKUP = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
const SENTENCE = 'At 10:00 sell the 10-wide put spread 30 points below spot.'

beforeAll(async () => {
  api = await startTestApi()
  ;({ accountId } = await api.newKey('lab', 'lab'))
  visitor = await signedIn(api, accountId)
})
afterAll(() => api.close())

const post = (form: string, fields: Record<string, string>) =>
  visitor.post(`/account/lab/${form}`, fields)
const say = (message: string, id?: string) => post('chat', { message, ...(id ? { id } : {}) })
const findText = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const listMarks = (html: string) =>
  [...html.matchAll(/<mark class="([^"]+)" title="([^"]+)">([^<]*)/g)].map(([, , name, words]) => [
    name!,
    words!,
  ])

/** Begins an idea and returns its id and page. */
async function begin(message: string) {
  const { status, location } = await say(message)
  expect(status).toBe(303)
  const [path] = location!.split('#')
  expect(path).toMatch(/^\/account\/lab\/ideas\/i_\w{12}$/)
  return { path: path!, id: path!.split('/').at(-1)! }
}

test('a rule is stated back, with each word marked by the part it was read as', async () => {
  const { path } = await begin(SENTENCE)
  const { status, html } = await visitor.get(path)
  expect(status).toBe(200)
  expect(findText(html)).toContain(
    'At 10:00 ET, sell the 0DTE 10-wide put spread 30 points below spot, hold to expiry.',
  )
  expect(listMarks(html)).toEqual([
    ['entry', 'At 10:00'],
    ['what to do', 'sell'],
    ['width', '10-wide'],
    ['structure', 'put spread'],
    ['strike', '30 points below spot'],
  ])
  expect(findText(html)).toContain('expiry: 0 (no expiry was named: the same day)')
  expect((await visitor.get('/account/lab')).html).toContain(`href="${path}"`)
  expect(findText((await visitor.get('/account')).html)).toMatch(/LAB \d+ ideas?, 30 credits\./)
})

test('a rule with unread words is proposed, its words are marked, and a button takes it', async () => {
  const { path, id } = await begin('sell the 16 delta strangle at 10 zorb')
  const { html } = await visitor.get(path)
  expect(findText(html)).toContain('Not read: zorb. Without that: At 10:00 ET, sell the 0DTE')
  expect(html).toMatch(/<button[^>]*name="message"\s+value="yes"/)
  expect(html).toMatch(/class="unread"[^>]*>zorb</)
  expect((await say('yes', id)).status).toBe(303)
  const accepted = findText((await visitor.get(path)).html)
  expect(accepted).toContain('LAB, version 1')
  expect(accepted).toContain('zorb (left out, as accepted)')
})

test('open questions have buttons; what they send completes the rule', async () => {
  const { path, id } = await begin('Sell a spread when gamma is positive')
  const open = async () => {
    const { html } = await visitor.get(path)
    const [, part = ''] = html.split('id="questions"')
    return [...part.split('</ul></div>')[0]!.matchAll(/name="message"\s+value="([^"]+)"/g)].map(
      ([, value]) => value!,
    )
  }
  expect(await open()).toEqual(['put', 'call'])
  expect((await say('put', id)).status).toBe(303)
  // next to other questions a number names the one that it resolves
  expect(await open()).toEqual(['5 wide', '10 wide', '20 wide'])
  await say('30 below', id)
  await say('10:15', id)
  expect(await open()).toEqual(['5', '10', '20'])
  await say('10', id)
  expect(await open()).toEqual([])
  expect(findText((await visitor.get(path)).html)).toContain(
    'At 10:15 ET, sell the 0DTE 10-wide put spread 30 points below spot, if net gamma is positive',
  )
})

test('every button of every question is a reply that is read', async () => {
  const requested: Readonly<Record<string, string>> = {
    'what to do': 'at 10:00, 30 points below spot, 10 wide',
    mapping: 'At 10:30 buy or sell the straddle by gamma',
    action: 'At 10:00 the 10-wide put spread 30 points below spot',
    structure: 'At 10:00 sell 30 points below spot, 10 wide',
    'put or call': 'At 10:00 sell the 10-wide spread 30 points from spot',
    width: 'At 10:00 sell the put spread 30 points below spot',
    'which wall': 'At 10:00 sell the 10-wide put spread 30 points below spot near the wall',
    'direction of the cross': 'When price crosses the flip sell the 10-wide put spread 30 below',
    'direction of the move': 'At 10:00 sell the 10-wide put spread 30 below if price moved',
    'exit time': 'At 10:00 sell the 10-wide put spread 30 points below spot, exit at the close',
  }
  const withOptions = QUESTIONS.filter(({ options }) => options)
  let attempted = 0
  for (const { slot, options } of withOptions) {
    const sentence = requested[slot]
    if (sentence === undefined) continue
    for (const option of options!) {
      const { status, location } = await say(sentence)
      // a sentence that requests something else is no case of this test
      if (status !== 303) continue
      const path = location!.split('#')[0]!
      const { html } = await visitor.get(path)
      const button = new RegExp(`name="message"\\s+value="(${option}[^"]*)"`).exec(html)?.[1]
      if (button === undefined) continue
      attempted += 1
      await say(button, path.split('/').at(-1))
      const after = (await visitor.get(path)).html
      expect(after.split('class="said lab error"'), `${slot}: ${button}`).toHaveLength(1)
    }
  }
  expect(attempted).toBeGreaterThan(12)
})

test('a change says what is another part now, and undo takes it back', async () => {
  const { path, id } = await begin(SENTENCE)
  expect((await visitor.get(path)).html).not.toContain('value="undo"')
  await say('make it 15 wide', id)
  const changed = (await visitor.get(path)).html
  expect(findText(changed)).toContain('Changed: width: 10 → 15')
  expect(changed).toContain('value="undo"')
  await say('undo', id)
  expect(findText((await visitor.get(path)).html)).toContain('Changed: width: 15 → 10')
})

test('words that are not read are marked, also of a message that begins no idea', async () => {
  const refused = await say('Sell the put spread if the moon is bright')
  expect(refused.status).toBe(200)
  expect(findText(refused.html)).toContain('Not a rule: moon is not in the data. Not read: bright.')
  expect(listMarks(refused.html)).toContainEqual(['not read', 'bright'])
  expect(listMarks(refused.html)).toContainEqual(['refused', 'moon'])
  // it can be mended where it was typed
  expect(refused.html).toMatch(/<textarea[^>]*>Sell the put spread if the moon is bright</)
  const talk = await say('hello')
  expect(talk.status).toBe(200)
  expect(findText(talk.html)).toContain('Hello. Give a rule, such as')
})

test('markup in messages stays text, in names and threads too', async () => {
  const { path, id } = await begin('Sell the put spread at 10:00')
  await say(MARKUP, id)
  const none = await say(MARKUP)
  for (const { html } of [await visitor.get(path), none, await visitor.get('/account/lab')]) {
    expect(html).not.toMatch(/<(script(?! src="\/assets)|img)\b/)
  }
  expect(none.html).toContain('&lt;script&gt;')
})

test.each([
  ['', 400, 'Message is &quot;'],
  ['   \r\n ', 400, 'Message is &quot;'],
])('the message %j gets %i, and the reason', async (message, code, sentence) => {
  const { status, html } = await say(message)
  expect(status).toBe(code)
  expect(html).toContain(sentence)
})

test('a message of 2,001 characters is refused, and stays in the form', async () => {
  const { html } = await say('x'.repeat(2_001))
  expect(html).toContain('the message has 2001 characters; the limit is 2000')
  expect(html).toMatch(/<textarea[^>]*>x{2001}</)
})

test('a thread of more than 25 exchanges is shown by pages, the newest first', async () => {
  const { path, id } = await begin(SENTENCE)
  const { key } = await (async () => {
    const added = await api.accounts.addKey({
      accountId,
      scope: 'lab',
      name: 'more',
      createdAtMs: 1,
    })
    return { key: added!.apiKey }
  })()
  for (let at = 0; at < 30; at++) {
    const message = `make it ${at % 2 === 0 ? 15 : 20} wide`
    await api.call('/api/lab/chat', { method: 'POST', key, body: JSON.stringify({ id, message }) })
  }
  const newest = (await visitor.get(path)).html
  expect(newest.match(/class="said you"/g)).toHaveLength(25)
  expect(newest).toContain(`href="${path}?before=6"`)
  const earlier = (await visitor.get(`${path}?before=6`)).html
  expect(earlier.match(/class="said you"/g)).toHaveLength(6)
  expect(listMarks(earlier)).toContainEqual(['entry', 'At 10:00'])
  expect((await visitor.get(`${path}?before=none`)).status).toBe(400)
})

test('what belongs to another account is as unknown as what is not there', async () => {
  const { path, id } = await begin(SENTENCE)
  const other = await api.newKey('lab', 'lab')
  const stranger = await signedIn(api, other.accountId)
  const none = await stranger.get('/account/lab/ideas/i_nothing')
  expect(none.status).toBe(404)
  const foreign = await stranger.get(path)
  expect([foreign.status, foreign.html]).toEqual([404, none.html])
  const [taken, unknown] = [
    await stranger.post('/account/lab/chat', { message: 'make it 15 wide', id }),
    await stranger.post('/account/lab/chat', { message: 'make it 15 wide', id: 'i_nothing' }),
  ]
  expect([taken.status, taken.html]).toEqual([404, unknown.html])
})

test('forms need the token and a page of this site, and all pages a sign-in', async () => {
  const forged = await post('chat', { message: SENTENCE, token: 'x' })
  expect(forged.status).toBe(403)
  const foreign = await visitor.post(
    '/account/lab/chat',
    { message: SENTENCE },
    { 'sec-fetch-site': 'cross-site' },
  )
  expect(foreign.status).toBe(403)
  const asNobody = (accept: string) =>
    fetch(`${api.url}/account/lab`, { redirect: 'manual', headers: { accept } })
  const nobody = await asNobody('text/html')
  expect([nobody.status, nobody.headers.get('location')]).toEqual([303, '/account/enter'])
  // a program would take the sign-in page for the file that it requested
  const program = await asNobody('text/csv')
  expect([program.status, await program.json()]).toMatchObject([401, { error: { code: 'no_key' } }])
  const head = await visitor.get('/account/lab')
  expect(head.headers.get('cache-control')).toBe('no-store')
  expect(head.headers.get('access-control-allow-origin')).toBeNull()
  for (const path of ['/account/lab/nothing', '/account/lab/ideas', '/account/lab/ideas/a/b/c/d']) {
    expect((await visitor.get(path)).status).toBe(404)
  }
  expect((await visitor.get('/account/lab/chat')).status).toBe(405)
})

test('without a plan there are no pages, and without credits no message is read', async () => {
  const { accountId: bare } = await api.newKey()
  const own = await signedIn(api, bare)
  expect((await own.get('/account')).html).not.toContain('id="lab"')
  const none = await own.get('/account/lab')
  expect(none.status).toBe(403)
  expect(findText(none.html)).toContain('This account is on no LAB plan.')
  const refused = await own.post('/account/lab/chat', { message: SENTENCE })
  expect(refused.status).toBe(403)
})
