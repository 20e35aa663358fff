// Bytes as vendors, proxies and other programs send them, by sockets that know nothing of a connector.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { generate } from 'selfsigned'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openInspection } from '../../../pipelines/fetch/inspect.ts'
import { FetchProblem } from '../../../pipelines/fetch/source.ts'
import { ATTEMPT_DELAYS_MS } from '../../../pipelines/fetch/transfer.ts'
import { TREASURY } from '../../../pipelines/fetch/treasury/source.ts'
import { printable, shown } from '../../../src/core/disk/text.ts'
import { findProxy } from '../../../src/core/proxy.ts'
import { runScript } from '../../support/commands.ts'
import { fetchOnePart, NOW_MS, SMALL } from '../../support/fetchPart.ts'
import { newFolder } from '../../support/import.ts'
import { tooManyRequests } from '../../support/sources/faults.ts'

const ARGS = ['treasury', '2023-12-20']
const HEAD = 'HTTP/1.1 200 OK\r\n'
/** Rows that the Treasury published (public domain), and its header of 2000 without 1 and 2 months. */
const HEADER =
  'Date,"1 Mo","2 Mo","3 Mo","4 Mo","6 Mo","1 Yr","2 Yr","3 Yr","5 Yr","7 Yr","10 Yr","20 Yr","30 Yr"'
const ROW = '12/20/2023,5.50,5.49,5.44,5.45,5.33,4.88,4.34,4.06,3.86,3.88,3.86,4.17,3.98'
const SENT = `${HEADER}\n${ROW}\n12/19/2023,5.51,5.51,5.43,5.45,5.35,4.93,4.41,4.15,3.94,3.96,3.93,4.23,4.03`
const SENT_2000 = `Date,"3 Mo","6 Mo","1 Yr","2 Yr","3 Yr","5 Yr","7 Yr","10 Yr","20 Yr","30 Yr"
12/29/2000,5.89,5.70,5.32,5.11,5.06,4.99,5.16,5.12,5.59,5.46`
const LARGE = Buffer.from(`${HEADER}\n${`${ROW}\n`.repeat(1e6)}`)
const toPart = (year: string) => TREASURY.plan([`${year}-12-29`], NOW_MS)[0]!

let dataFolder: string
let closers: (() => unknown)[] = []
beforeEach(() => {
  dataFolder = newFolder()
})
afterEach(() => {
  for (const close of closers) close()
  closers = []
  rmSync(dataFolder, { recursive: true, force: true })
})

/** Starts a server on loopback until the test ends; returns its port. */
async function listen(server: Server): Promise<number> {
  server.on('connection', socket => {
    socket.on('error', () => {})
    closers.push(() => socket.destroy())
  })
  closers.push(() => server.close())
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

/** Sends the same bytes at the first request. */
const respond = (bytes: string | Uint8Array) => (socket: Socket) =>
  void socket.once('data', () => socket.end(bytes))

async function fetchYear(handle: (socket: Socket) => void, year = '2023', bodyTimeoutMs = 60_000) {
  const url = `http://127.0.0.1:${await listen(createServer(handle))}`
  return fetchOnePart({ source: TREASURY, part: toPart(year), dataFolder, url, bodyTimeoutMs })
}

test.each([
  ['2023', SENT, 2, `Content-Length: ${SENT.length}\r\n\r\n${SENT}`],
  ['2023', SENT, 2, `\r\n${SENT}`],
  ['2000', SENT_2000, 1, `Transfer-Encoding: chunked\r\n\r\n8a\r\n${SENT_2000}\r\n0\r\n\r\n`],
])(
  'the file of %s, without a line break at its end, is stored at the first request',
  async (year, file, rows, rest) => {
    const { record, problem, waits } = await fetchYear(respond(HEAD + rest), year)
    expect([problem, record?.rows, waits]).toEqual([null, rows, []])
    expect(readFileSync(join(dataFolder, 'inbox/treasury', year, record!.file), 'utf8')).toBe(file)
  },
)

test('a last line without a line break is cut where it lacks 1 of 14 cells, or half a number', async () => {
  for (const cut of [SENT.slice(0, -5), SENT.slice(0, -2)]) {
    const inspection = openInspection(toPart('2023'))
    await inspection.take(Buffer.from(cut))
    const message = expect.stringMatching(/^is cut short: its last line is "12\/19\/2023,/)
    await expect(inspection.finish()).rejects.toMatchObject({ isCut: true, message })
  }
})

test.each([
  ['SSH', (socket: Socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n')],
  ['an alert of TLS', respond(Buffer.from('15030100020246', 'hex'))],
  ['HTTP/0.9', respond(SENT)],
])('%s on the port of a source is one sentence, after one request', async (_, handle) => {
  const { problem, waits } = await fetchYear(handle)
  expect([problem?.kind, waits]).toEqual(['wrong_content', []])
  expect(problem!.message).toMatch(
    /^treasury does not speak HTTP at 127.0.0.1:\d+: another program may listen there\.$/,
  )
})

test('a body of some 50 bytes a second is left: its least speed is 1,000', async () => {
  const { problem, waits } = await fetchYear(
    socket => {
      socket.write(`${HEAD}Content-Length: 5000\r\n\r\n`)
      const drip = setInterval(() => socket.write('a'), 20)
      socket.on('close', () => clearInterval(drip))
    },
    '2023',
    300,
  )
  expect(problem?.message).toBe('treasury sends less than 1000 bytes a second.')
  expect(waits.length).toBe(ATTEMPT_DELAYS_MS.length)
})

test.each([
  ['99999999', /asks to wait 1,158 days\.$/],
  ['9'.repeat(400), /asks to wait 11,575 days\.$/],
  ['Fri, 31 Dec 9999 23:59:59 GMT', /asks to wait 2,9\d\d,\d{3} days\.$/],
])('a Retry-After of %s waits 0 times and repeats it in days', async (value, says) => {
  const small = await SMALL.fred!([{ ...tooManyRequests(), headers: { 'retry-after': value } }])
  const { problem, waits } = await fetchOnePart({ ...small, dataFolder, url: small.server.url })
  await small.server.close()
  expect(waits).toEqual([])
  expect(problem!.message).toMatch(says)
})

test.each([
  ['gzip', gzipSync, 1e9, 'unpacks to more than 250 times its size, as no table does'],
  ['zstd', zstdCompressSync, 1e9, 'unpacks to more than 250 times its size, as no table does'],
  ['text', (table: Buffer) => table, 2e4, 'has more than 67.1 MB, far above its usual size'],
])('75 MB of one row as %s are left after 64 MiB', async (_, pack, usualBytes, says) => {
  const inspection = openInspection({ ...toPart('2023'), usualBytes })
  const take = () => inspection.take(pack(LARGE)).then(inspection.finish)
  await expect(take()).rejects.toThrow(says)
})

test('a sentence shows 80 letters of a cell of 60,000, and no character that a terminal obeys', async () => {
  const cell = `\u001b[31m\u009b\u202e${'A'.repeat(60_000)}`
  const body = `${HEADER}\n${cell}${',1'.repeat(13)}\n`
  const { problem } = await fetchYear(respond(`${HEAD}\r\n${body}`))
  expect(problem!.message).toMatch(/has a row of .*A{70,80}, not of 2023; it lies in/)
  const reason = new FetchProblem('bad_request', `x refuses: ${cell}`).message
  for (const text of [problem!.message, reason, shown(cell)]) {
    expect([text, text.length < 610]).toEqual([printable(text), true])
  }
})

test.each([
  [{ HTTPS_PROXY: 'http://p:1', https_proxy: 'q:2' }, 'http://q:2/'],
  [{ HTTPS_PROXY: 'http://p:1', https_proxy: '' }, undefined],
  [{ ALL_PROXY: 'http://p:1', HTTP_PROXY: 'http://q:1' }, 'http://p:1/'],
  [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example, .treasury.gov' }, undefined],
  [{ HTTPS_PROXY: 'http://p:1', no_proxy: 'home.treasury.gov:443' }, undefined],
  [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'home.treasury.gov:80,ry.gov' }, 'http://p:1/'],
  [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
])('with %j home.treasury.gov is reached through %s, as by curl', (environment, address) => {
  expect(findProxy(new URL('https://home.treasury.gov'), environment)?.url.href).toBe(address)
  expect(findProxy(new URL('http://127.0.0.1:25503'), environment)).toBeNull()
})

test('HTTPS_PROXY is sent CONNECT home.treasury.gov:443, and 26 rates of 2 days come through it', async () => {
  const attributes = [{ name: 'commonName', value: 'home.treasury.gov' }]
  const { cert, private: key } = await generate(attributes, {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'home.treasury.gov' }] }],
  })
  const trusted = join(dataFolder, 'ca.pem')
  writeFileSync(trusted, cert)
  const serve = (_: unknown, response: ServerResponse) => void response.end(SENT)
  const target = await listen(createTlsServer({ cert, key }, serve))
  const proxy = createHttpServer()
  const requested: unknown[] = []
  proxy.on('connect', ({ url, headers }, socket) => {
    requested.push([url, headers['proxy-authorization']])
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(connect(target, '127.0.0.1')).pipe(socket)
  })
  const address = `http://me:secret@127.0.0.1:${await listen(proxy)}`
  const env = { HTTPS_PROXY: address, NODE_EXTRA_CA_CERTS: trusted }
  const { code, out, error } = await runScript('fetch', ARGS, dataFolder, { env })
  expect([code, error]).toEqual([0, ''])
  expect(out).toContain(`2023  1 file, ${SENT.length} bytes; imported 26 rates\n`)
  expect(requested).toEqual([['home.treasury.gov:443', `Basic ${btoa('me:secret')}`]])
})

test.each([
  ['refuses (407)', respond('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')],
  ['closes the connection', respond('')],
])('a proxy that %s is named in one sentence without its password', async (why, handle) => {
  const host = `127.0.0.1:${await listen(createServer(handle))}`
  const env = { https_proxy: `http://me:secret@${host}` }
  const { code, out, error } = await runScript('fetch', ARGS, dataFolder, { env })
  expect(code).toBe(75)
  const says = `treasury cannot be reached through the proxy ${host} of https_proxy: it ${why}.\n`
  expect(out).toContain(says)
  expect(out + error).not.toContain('secret')
})

test('SIGTERM ends a fetch within a second while it waits, and the next one imports 26 rates', async () => {
  let stop = (): unknown => null
  let stoppedAtMs = 0
  const server = createHttpServer((_, response) => {
    if (stoppedAtMs > 0) return void response.end(SENT)
    stoppedAtMs = performance.now()
    stop()
  })
  const env = { TAPEFOLD_TREASURY_URL: `http://127.0.0.1:${await listen(server)}` }
  const onStart = (child: { kill: (signal: 'SIGTERM') => unknown }) => {
    stop = () => child.kill('SIGTERM')
  }
  const { signal } = await runScript('fetch', ARGS, dataFolder, { env, onStart })
  expect([signal, performance.now() - stoppedAtMs < 1000]).toEqual(['SIGTERM', true])
  const next = await runScript('fetch', ARGS, dataFolder, { env })
  expect([next.code, next.error]).toEqual([0, ''])
  expect(next.out).toContain('imported 26 rates')
})
