import { performance } from 'node:perf_hooks'
import { afterEach, expect, test } from 'vitest'
import { openWebhookClient, type WebhookClientDeps } from '../../../src/platform/webhooks/client.ts'
import { tlsDial } from '../../../src/platform/webhooks/connect.ts'
import type { HostResolver } from '../../../src/platform/webhooks/resolver.ts'
import { openReceiver, type Receiver, type Say, saying } from '../../support/receiver.ts'

const BODY = Buffer.from('{"version":1}')
const HEADERS = { 'Content-Type': 'application/json', 'X-Service-Event': 'test' }

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function startReceiver(say?: Say): Promise<Receiver> {
  const receiver = await openReceiver(say)
  closing.push(receiver.close)
  return receiver
}

function createClient({ port, ca }: Receiver, deps: Partial<WebhookClientDeps> = {}) {
  const client = openWebhookClient({
    dial: tlsDial(ca),
    elapsedMs: () => performance.now(),
    allowed: [`127.0.0.1:${port}`, `hooks.example:${port}`],
    ownHosts: [],
    ...deps,
  })
  closing.push(client.close)
  return {
    ...client,
    to: (path = '/hook', host = '127.0.0.1') =>
      client.post({ url: `https://${host}:${port}${path}`, headers: HEADERS, body: BODY }),
  }
}

test('a call has its path, headers and bytes, and a 2xx is sent', async () => {
  const receiver = await startReceiver()
  const outcome = await createClient(receiver).to('/hook?x=1#part')
  expect(outcome).toEqual({
    result: 'sent',
    status: 204,
    error: null,
    address: '127.0.0.1',
    ms: expect.any(Number),
  })
  const [call] = receiver.received
  expect(call!.head.split('\r\n')[0]).toBe('POST /hook?x=1 HTTP/1.1')
  expect(call!.body).toEqual(BODY)
  expect(Object.keys(call!.headers).toSorted()).toEqual([
    'connection',
    'content-length',
    'content-type',
    'host',
    'user-agent',
    'x-service-event',
  ])
})

test.each([
  [200, 'sent'],
  [299, 'sent'],
  [301, 'failed'],
  [302, 'failed'],
  [303, 'failed'],
  [307, 'failed'],
  [308, 'failed'],
  [400, 'failed'],
  [404, 'failed'],
  [410, 'failed'],
  [428, 'failed'],
  [429, 'retry'],
  [430, 'failed'],
  [499, 'failed'],
  [500, 'retry'],
  [503, 'retry'],
  [599, 'retry'],
  [600, 'failed'],
  [999, 'failed'],
])('%i is %s', async (status, result) => {
  const receiver = await startReceiver(saying(status))
  const outcome = await createClient(receiver).to()
  expect(outcome).toMatchObject({ result, status, error: null })
  expect(receiver.received).toHaveLength(1)
})

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n'
const PROCESSING = 'HTTP/1.1 102 Processing\r\n\r\n'

test.each<[string, string, number, string]>([
  ['100', CONTINUE, 200, 'sent'],
  ['103', EARLY_HINTS, 200, 'sent'],
  ['100 and 103', CONTINUE + EARLY_HINTS, 200, 'sent'],
  ['102, 100, 100 and 103', PROCESSING + CONTINUE + CONTINUE + EARLY_HINTS, 204, 'sent'],
  ['100', CONTINUE, 500, 'retry'],
  ['100', CONTINUE, 404, 'failed'],
])('%s before the answer is passed over', async (_name, before, status, result) => {
  const last = `HTTP/1.1 ${status} Said\r\nContent-Length: 0\r\n\r\n`
  // in one write, and in a write each
  const receiver = await startReceiver((socket, _received, at) => {
    if (at === 1) socket.write(before + last)
    else socket.write(before, () => socket.write(last))
  })
  const client = createClient(receiver)
  const outcome = { result, status, error: null, address: '127.0.0.1' }
  expect(await client.to()).toMatchObject(outcome)
  expect(await client.to()).toMatchObject(outcome)
  expect(receiver.received).toHaveLength(2)
  expect(receiver.connections()).toBe(1)
})

test('a response that never comes after 100 times out, and 101 is no response', async () => {
  const waiting = await startReceiver(socket => socket.write(CONTINUE))
  const switching = await startReceiver(socket =>
    socket.write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
  )
  const [timeout, upgrade] = await Promise.all([
    createClient(waiting).to(),
    createClient(switching).to(),
  ])
  expect(timeout).toMatchObject({ result: 'retry', status: null, error: 'timeout' })
  expect(upgrade).toMatchObject({ result: 'retry', status: null, error: 'connection' })
})

test.each([301, 302, 303, 307, 308])('%i leads nowhere, public or private', async status => {
  const second = await startReceiver()
  for (const host of ['127.0.0.1', 'hooks.example']) {
    const location = `Location: https://${host}:${second.port}/next\r\n`
    const first = await startReceiver(saying(status, location))
    const client = createClient(first, {
      allowed: [first, second].map(({ port }) => `127.0.0.1:${port}`),
      resolver: async () => ({ kind: 'addresses', addresses: ['127.0.0.1'] }),
    })
    expect(await client.to()).toMatchObject({ result: 'failed', status })
  }
  expect(second.connections()).toBe(0)
})

/** Says something again and again until nobody listens. */
const dripping =
  (first: string, next: string, everyMs: number): Say =>
  socket => {
    socket.write(first)
    const timer = setInterval(() => socket.write(next), everyMs)
    socket.on('close', () => clearInterval(timer))
  }

const HEAD = 'HTTP/1.1 200 OK\r\n'
const ENDLESS: Say = socket => {
  const write = () => {
    while (!socket.destroyed && socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`));
  }
  socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
  socket.on('drain', write)
  write()
}

test.each<[string, Say, object]>([
  ['no header', () => {}, { result: 'retry', status: null, error: 'timeout' }],
  [
    'a header by the letter',
    dripping(HEAD, 'X: y\r\n', 300),
    { result: 'retry', error: 'timeout' },
  ],
  [
    'a body by the letter',
    dripping(`${HEAD}Content-Length: 99\r\n\r\n`, 'x', 300),
    { result: 'sent', status: 200, error: null },
  ],
])('a receiver with %s is left after 3.0 seconds', async (_name, say, outcome) => {
  const receiver = await startReceiver(say)
  // real timers, and a machine that may be slow: only an upper bound can be checked
  const startMs = performance.now()
  expect(await createClient(receiver).to()).toMatchObject(outcome)
  expect(performance.now() - startMs).toBeGreaterThan(2950)
})

test('an endless body is cut at 64 KiB, and its connection is not used again', async () => {
  let written = 0
  const receiver = await startReceiver((socket, received, at) => {
    ENDLESS(socket, received, at)
    socket.on('close', () => {
      written = socket.bytesWritten
    })
  })
  const client = createClient(receiver)
  expect(await client.to()).toMatchObject({ result: 'sent', status: 200 })
  await client.to()
  expect(receiver.connections()).toBe(2)
  // what fits into the buffers of both ends and no more
  expect(written).toBeLessThan(16 * 2 ** 20)
})

test('a connection is used again for the next call, and not for one at the same time', async () => {
  const receiver = await startReceiver()
  const client = createClient(receiver)
  for (let count = 0; count < 5; count++) await client.to()
  expect(receiver.connections()).toBe(1)
  await Promise.all(Array.from({ length: 4 }, () => client.to()))
  expect(receiver.connections()).toBe(4)
  expect(receiver.received).toHaveLength(9)
})

test('a receiver that closes after each response gets a new connection', async () => {
  const receiver = await startReceiver(socket =>
    socket.end(`${HEAD}Content-Length: 0\r\nConnection: close\r\n\r\n`),
  )
  const client = createClient(receiver)
  for (let count = 0; count < 3; count++) {
    expect(await client.to()).toMatchObject({ result: 'sent' })
  }
  expect(receiver.connections()).toBe(3)
})

test.each<[string, Say, string]>([
  ['hangs up', socket => socket.destroy(), 'connection'],
  ['talks nonsense', socket => socket.write('SSH-2.0-OpenSSH_9\r\n\r\n'), 'protocol'],
  ['has a head without end', dripping(HEAD, `X: ${'y'.repeat(8000)}\r\n`, 1), 'protocol'],
])('a receiver that %s may be tried again', async (_name, say, error) => {
  const receiver = await startReceiver(say)
  expect(await createClient(receiver).to()).toMatchObject({ result: 'retry', status: null, error })
})

test('a certificate of another name, or of an unknown issuer, is no response', async () => {
  const receiver = await startReceiver()
  const allowed = [`other.example:${receiver.port}`, `127.0.0.1:${receiver.port}`]
  const resolver: HostResolver = async () => ({ kind: 'addresses', addresses: ['127.0.0.1'] })
  const named = createClient(receiver, { allowed, resolver })
  const outcome = { result: 'retry', error: 'tls', address: '127.0.0.1' }
  expect(await named.to('/', 'other.example')).toMatchObject(outcome)
  const unknown = createClient(receiver, { dial: tlsDial() })
  expect(await unknown.to()).toMatchObject(outcome)
  expect(receiver.received).toEqual([])
})

test('the name is in the handshake, and the certificate is judged by it', async () => {
  const receiver = await startReceiver()
  const resolver: HostResolver = async () => ({ kind: 'addresses', addresses: ['127.0.0.1'] })
  const client = createClient(receiver, { resolver })
  expect(await client.to('/', 'hooks.example')).toMatchObject({ result: 'sent' })
  expect(receiver.received[0]!.headers.host).toBe(`hooks.example:${receiver.port}`)
})

test('nobody listens at the port: connection', async () => {
  const receiver = await openReceiver()
  await receiver.close()
  expect(await createClient(receiver).to()).toMatchObject({ result: 'retry', error: 'connection' })
})

test('a proxy of the environment is not used', async () => {
  const proxy = await startReceiver()
  const receiver = await startReceiver()
  const names = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
  try {
    expect(await createClient(receiver).to()).toMatchObject({ result: 'sent' })
  } finally {
    for (const name of names) delete process.env[name]
  }
  expect(proxy.connections()).toBe(0)
})

test('what is still sent when the client closes has timed out', async () => {
  const receiver = await startReceiver(() => {})
  const client = createClient(receiver)
  const sending = client.to()
  while (receiver.received.length === 0) await new Promise(setImmediate)
  await client.close()
  expect(await sending).toMatchObject({ result: 'retry', error: 'timeout' })
})

test('a socket that ends elsewhere than was dialled is closed before it is used', async () => {
  const receiver = await startReceiver()
  const dial = tlsDial(receiver.ca)
  const client = openWebhookClient({
    resolver: async () => ({ kind: 'addresses', addresses: ['93.184.216.34'] }),
    // as if the system had another way to the address
    dial: ({ host }) => dial({ host, port: receiver.port, addresses: ['127.0.0.1'] }),
    elapsedMs: () => 0,
    allowed: [],
    ownHosts: [],
  })
  closing.push(client.close)
  const url = 'https://hooks.example.com/'
  expect(await client.post({ url, headers: HEADERS, body: BODY })).toEqual({
    result: 'failed',
    status: null,
    error: 'refused_address',
    ms: 0,
    address: '127.0.0.1',
  })
  expect(receiver.received).toEqual([])
})

test('a new connection goes on with the TLS session of its name, and no other', async () => {
  const reused: boolean[] = []
  const receiver = await startReceiver(socket => {
    reused.push(socket.isSessionReused())
    socket.end(`${HEAD}Content-Length: 0\r\nConnection: close\r\n\r\n`)
  })
  const client = createClient(receiver, {
    allowed: ['hooks.example', 'other.example'].map(name => `${name}:${receiver.port}`),
    resolver: async () => ({ kind: 'addresses', addresses: ['127.0.0.1'] }),
  })
  for (let count = 0; count < 3; count++) await client.to('/', 'hooks.example')
  expect(reused).toEqual([false, true, true])
  expect(await client.to('/', 'other.example')).toMatchObject({ result: 'retry', error: 'tls' })
  expect(reused).toHaveLength(3)
})
