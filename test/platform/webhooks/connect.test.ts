import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { openWebhookClient } from '../../../src/platform/webhooks/client.ts'
import type { DialTarget } from '../../../src/platform/webhooks/connect.ts'
import type { HostLookup, HostResolver } from '../../../src/platform/webhooks/resolver.ts'

const PUBLIC_IP = '93.184.216.34'

/** Notes whom it should dial, and says that nobody is there. */
function fakeDial() {
  const dialled: DialTarget[] = []
  return {
    dialled,
    dial: (target: DialTarget): TLSSocket => {
      dialled.push(target)
      throw new Error('nobody is there')
    },
  }
}

function createClient(resolver: HostResolver, allowed: readonly string[] = []) {
  const { dialled, dial } = fakeDial()
  const client = openWebhookClient({ resolver, dial, elapsedMs: () => 0, allowed, ownHosts: [] })
  const to = (url: string) => client.post({ url, headers: {}, body: Buffer.from('{}') })
  return { to, dialled }
}

const addresses = (...found: string[]): HostLookup => ({ kind: 'addresses', addresses: found })

const REFUSED = { result: 'failed', status: null, error: 'refused_address', ms: 0, address: null }

test('a name that turns private, over 100 flips: 0 sockets to private addresses', async () => {
  let lookupCount = 0
  const flipping: HostResolver = async () => {
    lookupCount += 1
    return addresses(lookupCount % 2 === 1 ? PUBLIC_IP : '127.0.0.1')
  }
  const { to, dialled } = createClient(flipping)
  for (let flip = 0; flip < 100; flip++) {
    const [first, second] = [
      await to('https://flip.example.com'),
      await to('https://flip.example.com'),
    ]
    expect(first).toMatchObject({ result: 'retry', error: 'connection', address: PUBLIC_IP })
    expect(second).toEqual(REFUSED)
  }
  expect(lookupCount).toBe(200)
  expect(new Set(dialled.flatMap(target => target.addresses))).toEqual(new Set([PUBLIC_IP]))
})

test.each([
  [[PUBLIC_IP, '10.0.0.1']],
  [['10.0.0.1', PUBLIC_IP]],
  [[PUBLIC_IP, '::1']],
  [[PUBLIC_IP, '169.254.169.254', '1.1.1.1']],
  [['2606:4700::1111', 'fd00::1']],
  [['2606:4700::1111', '64:ff9b::7f00:1']],
  [[PUBLIC_IP, '::ffff:93.184.216.34']],
  [[PUBLIC_IP, 'no address']],
])('of the addresses %j one is not public: 0 sockets', async found => {
  const { to, dialled } = createClient(async () => addresses(...found))
  expect(await to('https://mixed.example.com')).toEqual(REFUSED)
  expect(dialled).toEqual([])
})

test('only the addresses of the DNS are dialled, all of them, by the name', async () => {
  const { to, dialled } = createClient(async () => addresses(PUBLIC_IP, '2606:4700::1111'))
  await to('https://hooks.example.com:8443/x')
  expect(dialled).toEqual([
    { host: 'hooks.example.com', port: 8443, addresses: [PUBLIC_IP, '2606:4700::1111'] },
  ])
})

test('an address that is none of a name is judged as well, and the DNS is not queried', async () => {
  const { to, dialled } = createClient(() => expect.fail('the DNS was asked'))
  for (const host of ['127.0.0.1', '2130706433', '[::1]', '[::ffff:8.8.8.8]', '169.254.169.254']) {
    expect(await to(`https://${host}/`)).toEqual(REFUSED)
  }
  expect(dialled).toEqual([])
  await to('https://[2606:4700:0:0::1111]/')
  expect(dialled).toEqual([{ host: '2606:4700::1111', port: 443, addresses: ['2606:4700::1111'] }])
})

test('no name, or no response of the DNS: no socket, and another attempt', async () => {
  for (const kind of ['none', 'silent'] as const) {
    const { to, dialled } = createClient(async () => ({ kind }))
    expect(await to('https://hooks.example.com')).toMatchObject({ result: 'retry', error: 'dns' })
    expect(dialled).toEqual([])
  }
})

test('an exception that the DNS leads to a link-local address opens no socket', async () => {
  const allowed = ['hooks.lan:443']
  const { to, dialled } = createClient(async () => addresses('169.254.169.254'), allowed)
  expect(await to('https://hooks.lan/')).toEqual(REFUSED)
  expect(dialled).toEqual([])
})
