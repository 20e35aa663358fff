// The test server of Massive's flat files, as an S3 client meets it.

import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { cutAfter, rowsOf } from './faults.ts'
import {
  gzipRows,
  MASSIVE_COLUMNS,
  MASSIVE_KEYS,
  type MassiveOptions,
  type MassiveSource,
  massiveIndexKey,
  massiveTradesKey,
  startMassive,
} from './massive.ts'
import { receive } from './request.ts'
import { EMPTY_SHA256, signRequest } from './sigV4.ts'

let source: MassiveSource
afterEach(() => source.close())

const NOW_MS = Date.parse('2024-11-05T16:30:00Z')
const AMZ_DATE = '20241105T163000Z'
const DAYS = ['2024-10-31', '2024-11-01', '2024-11-04']
const trade = (day: string) => ({
  ticker: 'O:SPXW241104C05700000',
  conditions: 232,
  correction: 0,
  exchange: 302,
  price: 41.5,
  sip_timestamp: `${Date.parse(`${day}T15:00:00Z`)}000001`,
  size: 2,
})
const fileOf = async (day: string) => ({
  content: await gzipRows(MASSIVE_COLUMNS.trades, [trade(day)]),
  modifiedMs: Date.parse(`${day}T15:59:30.250Z`),
})
const KEY = massiveTradesKey('2024-11-04')
const md5 = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`

async function open(over: Partial<MassiveOptions> = {}) {
  const files = Object.fromEntries(
    await Promise.all(DAYS.map(async day => [massiveTradesKey(day), await fileOf(day)] as const)),
  )
  source = await startMassive({ files, nowMs: () => NOW_MS, ...over })
  return files
}

/** Sends a signed request to a path of the bucket. */
function send(target: string, over: Record<string, string> = {}, method = 'GET') {
  const path = `/flatfiles${target}`
  const headers = {
    host: new URL(source.url).host,
    'x-amz-content-sha256': EMPTY_SHA256,
    'x-amz-date': AMZ_DATE,
    ...over,
  }
  const authorization = signRequest({ method, target: path, headers }, MASSIVE_KEYS)
  return receive(`${source.url}${path}`, { method, headers: { ...headers, authorization } })
}

const codeOf = async (sent: ReturnType<typeof send>) => {
  const { status, headers, body } = await sent
  expect(headers['content-type']).toBe('application/xml')
  return `${status} ${/<Code>(\w+)<\/Code>/.exec(body.toString())?.[1]}`
}

test('a file comes whole with its ETag, its time and its columns', async () => {
  const files = await open()
  const { content } = files[KEY]!
  expect(KEY).toBe('us_options_opra/trades_v1/2024/11/2024-11-04.csv.gz')
  expect(massiveIndexKey('2024-11-04')).toBe('us_indices/values_v1/2024/11/2024-11-04.csv.gz')
  const file = await send(`/${KEY}`)
  expect(file).toMatchObject({
    status: 200,
    body: Buffer.from(content),
    headers: {
      etag: md5(content),
      'last-modified': 'Mon, 04 Nov 2024 15:59:30 GMT',
      'content-length': String(content.length),
      'accept-ranges': 'bytes',
    },
  })
  expect(gunzipSync(file.body).toString()).toBe(
    'ticker,conditions,correction,exchange,price,sip_timestamp,size\n' +
      'O:SPXW241104C05700000,232,0,302,41.5,1730732400000000001,2\n',
  )
  const head = await send(`/${KEY}`, {}, 'HEAD')
  expect(head).toMatchObject({ status: 200, body: Buffer.alloc(0) })
  expect(head.headers['content-length']).toBe(String(content.length))
})

test('parts of a file, and conditions on its ETag and time', async () => {
  const { content } = (await open())[KEY]!
  const etag = md5(content)
  const part = await send(`/${KEY}`, { range: 'bytes=10-19', 'if-match': etag })
  expect(part).toMatchObject({ status: 206, body: Buffer.from(content.slice(10, 20)) })
  expect(part.headers['content-range']).toBe(`bytes 10-19/${content.length}`)
  const rest = await send(`/${KEY}`, { range: 'bytes=10-' })
  expect(rest).toMatchObject({ status: 206, body: Buffer.from(content.slice(10)) })
  const last = await send(`/${KEY}`, { range: 'bytes=-5' })
  expect(last).toMatchObject({ status: 206, body: Buffer.from(content.slice(-5)) })
  expect(await codeOf(send(`/${KEY}`, { range: 'bytes=99999-' }))).toBe('416 InvalidRange')
  expect(await codeOf(send(`/${KEY}`, { 'if-match': '"other"' }))).toBe('412 PreconditionFailed')
  const unmodified = { 'if-unmodified-since': 'Mon, 04 Nov 2024 15:59:29 GMT' }
  expect(await codeOf(send(`/${KEY}`, unmodified))).toBe('412 PreconditionFailed')
  expect(await send(`/${KEY}`, { 'if-none-match': etag })).toMatchObject({
    status: 304,
    body: Buffer.alloc(0),
  })
  const since = { 'if-modified-since': 'Mon, 04 Nov 2024 15:59:30 GMT' }
  expect((await send(`/${KEY}`, since)).status).toBe(304)
  const other = await send(`/${KEY}`, { range: 'bytes=10-', 'if-range': '"other"' })
  expect(other).toMatchObject({ status: 200, body: Buffer.from(content) })
})

test('a file that is replaced has another ETag: what was begun does not go on', async () => {
  const files = await open({ faults: [cutAfter(20)] })
  const etag = md5(files[KEY]!.content)
  expect(await send(`/${KEY}`)).toMatchObject({ isCut: true, headers: { etag } })
  source.publish(KEY, { ...(await fileOf('2024-11-01')), modifiedMs: NOW_MS })
  const begun = { range: 'bytes=20-', 'if-match': etag }
  expect(await codeOf(send(`/${KEY}`, begun))).toBe('412 PreconditionFailed')
  expect((await send(`/${KEY}`)).headers).toMatchObject({
    etag: md5(files[massiveTradesKey('2024-11-01')]!.content),
    'last-modified': 'Tue, 05 Nov 2024 16:30:00 GMT',
  })
})

test('a listing has parts, prefixes and delimiters', async () => {
  const { content } = (await open())[KEY]!
  const list = async (query: string) => (await send(`/?list-type=2&${query}`)).body.toString()
  const keysOf = (xml: string) => [...xml.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key)
  const month = await list('prefix=us_options_opra%2Ftrades_v1%2F2024%2F11%2F')
  expect(keysOf(month)).toEqual([massiveTradesKey('2024-11-01'), KEY])
  expect(month).toContain(
    `<LastModified>2024-11-04T15:59:30.000Z</LastModified><ETag>${md5(content).replaceAll('"', '&quot;')}</ETag><Size>${content.length}</Size>`,
  )
  const folders = await list('delimiter=%2F&prefix=us_options_opra%2Ftrades_v1%2F2024%2F')
  expect(folders).toContain('<Prefix>us_options_opra/trades_v1/2024/10/</Prefix>')
  expect(keysOf(folders)).toEqual([])
  const first = await list('max-keys=2')
  expect(first).toContain('<IsTruncated>true</IsTruncated>')
  const token = /<NextContinuationToken>(.*?)</.exec(first)![1]!
  const second = await list(`continuation-token=${encodeURIComponent(token)}&max-keys=2`)
  expect([...keysOf(first), ...keysOf(second)]).toEqual(DAYS.map(massiveTradesKey))
  expect(second).toContain('<IsTruncated>false</IsTruncated>')
  expect(keysOf(await list('prefix=us_stocks_sip'))).toEqual([])
  expect(await codeOf(send('/?prefix=us'))).toBe('400 InvalidArgument')
})

test('refusals: keys, plan, what is not published, other buckets and methods', async () => {
  await open({ isInPlan: key => !key.includes('2024/10') })
  expect(await codeOf(receive(`${source.url}/flatfiles/${KEY}`))).toBe('403 AccessDenied')
  expect(await codeOf(send(`/${massiveTradesKey('2024-10-31')}`))).toBe('403 AccessDenied')
  expect(await codeOf(send(`/${massiveTradesKey('2024-11-05')}`))).toBe('403 AccessDenied')
  const denied = await send(`/${massiveTradesKey('2024-11-05')}`, {}, 'HEAD')
  expect(denied).toMatchObject({ status: 403, body: Buffer.alloc(0) })
  expect(await codeOf(send(`-other/${KEY}`))).toBe('404 NoSuchBucket')
  expect(await codeOf(send(`/${KEY}`, {}, 'DELETE'))).toBe('405 MethodNotAllowed')
  expect(await codeOf(send(`/${KEY}?acl`))).toBe('501 NotImplemented')
  expect(await codeOf(send(`/${KEY}`, { 'x-amz-date': '20241105T161400Z' }))).toBe(
    '403 RequestTimeTooSkewed',
  )
  await source.close()
  await open({ secretKey: 'another' })
  expect(await codeOf(send(`/${KEY}`))).toBe('403 SignatureDoesNotMatch')
  await source.close()
  await open({ accessKey: 'another' })
  expect(await codeOf(send(`/${KEY}`))).toBe('403 InvalidAccessKeyId')
  await source.close()
  await open({ missing: 'no_such_key' })
  expect(await codeOf(send(`/${massiveTradesKey('2024-11-05')}`))).toBe('404 NoSuchKey')
  source.withdraw(KEY)
  expect(await codeOf(send(`/${KEY}`))).toBe('404 NoSuchKey')
  expect(JSON.stringify(source.requests)).not.toContain('Signature=')
})

test('a file larger than memory is made where it is read', async () => {
  const size = 3 * 2 ** 30
  let made = 0
  const read = function* (from: number, to: number) {
    for (let at = from; at < to; ) {
      const part = Buffer.alloc(Math.min(65536, to - at), String(Math.floor(at / 2 ** 30)))
      made += part.length
      at += part.length
      yield part
    }
  }
  const file = { content: { size, read }, etag: 'ab-12', modifiedMs: NOW_MS }
  await open({ files: { [KEY]: file } })
  const part = await send(`/${KEY}`, { range: `bytes=${2 ** 31 - 4}-${2 ** 31 + 3}` })
  expect(part).toMatchObject({ status: 206, headers: { etag: '"ab-12"' } })
  expect(part.headers['content-range']).toBe(`bytes ${2 ** 31 - 4}-${2 ** 31 + 3}/${size}`)
  expect(part.body.toString()).toBe('11111111')
  expect(made).toBe(8)
})

test("another day's content under the key of a day", async () => {
  const other = massiveTradesKey('2024-11-01')
  const files = await open({ faults: [rowsOf({ key: other })] })
  const wrong = await send(`/${KEY}`)
  expect(wrong.body).toEqual(Buffer.from(files[other]!.content))
  expect(wrong.headers.etag).toBe(md5(files[KEY]!.content))
})
