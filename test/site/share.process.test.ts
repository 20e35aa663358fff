// The pictures that others show of a shared address.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseProxies } from '../../src/platform/http/addresses.ts'
import { sharePicture } from '../../src/site/shareRoutes.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'

const DAY = '2026-10-15'
const PAGE = `/sessions/${DAY}`

let built: BuiltSession
let api: TestApi
let oid: string

beforeAll(async () => {
  built = await buildSmallSession(DAY)
  const publicUrl = 'https://tapefold.example'
  const connections = { proxies: parseProxies('127.0.0.1')! }
  api = await startTestApi({ dataFolder: built.dataFolder, connections, publicUrl })
  api.clock.atMs = Date.parse('2026-10-16T16:00:00Z')
  oid = (await api.call(`/orders/api/day?day=${DAY}`)).json.orders[0].oid
})
afterAll(async () => {
  await api.close()
  built.remove()
})

const readPicture = async (path: string) => {
  const { status, headers, body } = await api.call(path, { key: null })
  return { status, headers, body }
}
/** A PNG begins with eight bytes, and the sizes stand at once after its first name. */
const findSize = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]

test('a session and an order have a picture of 1200 by 630, the same bytes each time', async () => {
  for (const path of [`${PAGE}/picture.png`, `${PAGE}/orders/${oid}/picture.png`]) {
    const [one, again] = await Promise.all([readPicture(path), readPicture(path)])
    expect([one.status, one.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(one.body.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    expect(findSize(one.body)).toEqual([1200, 630])
    expect(one.body.equals(again.body)).toBe(true)
    expect(one.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(one.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const tag = one.headers.get('etag')!
    const known = await api.call(path, { key: null, headers: { 'if-none-match': tag } })
    expect(known.status).toBe(304)
  }
  expect((await readPicture(`${PAGE}/orders/20261015-nothing/picture.png`)).status).toBe(404)
})

test('pages name their picture by an absolute address, and say what is simulated', async () => {
  for (const path of ['/', PAGE, `${PAGE}?t=11:14&book=vol`, `${PAGE}/orders/${oid}`]) {
    const { body } = await api.call(path, { key: null, headers: { accept: 'text/html' } })
    const html = body.toString('utf8')
    const findContent = (name: string) =>
      new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(html)?.[1]
    const own = path.startsWith(`${PAGE}/orders`) ? path : PAGE
    const picture = `https://tapefold.example${own}/picture.png`
    expect([findContent('og:image'), findContent('twitter:image')]).toEqual([picture, picture])
    expect(findContent('twitter:card')).toBe('summary_large_image')
    const url = path === '/' ? path : own
    expect(findContent('og:url')).toBe(`https://tapefold.example${url}`)
    expect(findContent('og:description')).toContain('SIMULATED')
    expect((await readPicture(new URL(picture).pathname)).status).toBe(200)
  }
})

test('the session of today has no picture, and its page names none', async () => {
  const atMs = api.clock.atMs
  api.clock.atMs = Date.parse('2026-10-15T20:45:00Z')
  for (const path of [PAGE, `${PAGE}/picture.png`]) {
    const { headers, body } = await api.call(path, { key: null, headers: { accept: 'text/html' } })
    expect(headers.get('content-type')).toContain('text/html')
    expect(body.toString('utf8')).not.toMatch(/og:|picture\.png"/)
  }
  api.clock.atMs = atMs
})

const MINUTES = ['09:31', '09:32', '09:33']
const list = <Value>(value: Value) => MINUTES.map(() => value)
const LEVELS = {
  spot: [5900, 5901, 5902],
  flip: list(5890),
  flip_lo: list(5880),
  flip_hi: list(5900),
  call_wall: list(6000),
  put_wall: list(5800),
  net_gamma: list(-1),
  reason: list(null),
}
const PICTURE = {
  title: 'SPX Thu 2026-10-15',
  facts: 'Index 5,900.',
  mark: null,
  note: 'An estimate.',
  minutes: MINUTES,
  levels: LEVELS,
  at: 1,
}

test('what is simulated says so in the picture; markup stays text, and long text is cut', () => {
  expect(sharePicture(PICTURE)).not.toContain('SIMULATED')
  expect(sharePicture({ ...PICTURE, mark: 'SIMULATED' })).toContain('>SIMULATED</text>')
  const hostile = sharePicture({ ...PICTURE, title: '<script>1</script>', facts: '"><image/>' })
  expect(hostile).toContain('&lt;script&gt;')
  expect(hostile).not.toMatch(/<script|<image/)
  const long = sharePicture({ ...PICTURE, title: 'back spread '.repeat(20) })
  expect(/font-size="30" font-weight="bold" fill="#1b1f24">([^<]*)</.exec(long)![1]).toMatch(/…$/)
})

test('a day without levels is a picture of words', () => {
  const none = Object.fromEntries(Object.keys(LEVELS).map(name => [name, list(null)])) as never
  const svg = sharePicture({ ...PICTURE, levels: none })
  expect(svg).toContain('SPX Thu 2026-10-15')
  expect(svg).not.toContain('<path')
})
