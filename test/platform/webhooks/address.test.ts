import { Dispatcher, fetch } from 'undici'
import { expect, test } from 'vitest'
import { dialFault, parseAllowed, webhookFault } from '../../../src/platform/webhooks/address.ts'
import { listOwnHosts } from '../../../src/platform/webhooks/tools.ts'

/** Rows of texts, without the gaps between them. */
const words = (text: string) => text.trim().split(/\s+/)

const PUBLIC = words(`
  example.com            hooks.example.co.uk:8443  a.b                     api.internal.example.com
  1.1.1.1                8.8.8.8:8443              172.32.0.1              100.128.0.1
  [2606:4700:4700::1111] [2001:4860:4860::8888]:8443
`)

/** Spellings and wrappings of addresses that are not public, and names that never are. */
const PRIVATE = words(`
  localhost           LOCALHOST           localhost.          x.localhost         localhost..
  intranet            printer.local       x.local...          a.internal          b.lan
  host.localdomain    router.home.arpa    nas.home            a.corp              x.onion
  wiki.intranet       a.test              a.invalid           metadata            db.private
  metadata.google.internal                kubernetes.default.svc.cluster.local
  127.0.0.1           127.1               127.0.1             2130706433          0x7f000001
  0x7f.0.0.1          0177.0.0.1          017700000001        ①②⑦.⓪.⓪.①           １２７.０.０.１
  %31%32%37.0.0.1     127。0。0。1        127.0.0.1.          127.255.255.254     0.0.0.0
  0                   0.1.2.3             10.0.0.1            012.0.0.1           167772161
  172.16.0.1          172.31.255.255      192.168.1.1         192.168.257         169.254.169.254
  2852039166          0xa9fea9fe          169.254.170.2       100.64.0.1          100.127.255.255
  100.100.100.200     168.63.129.16       192.0.0.192         198.18.0.1          192.0.2.1
  198.51.100.1        203.0.113.1         192.88.99.1         224.0.0.1           239.255.255.250
  240.0.0.1           255.255.255.255     [::]                [::1]               [0:0:0:0:0:0:0:1]
  [::ffff:7f00:1]     [::ffff:127.0.0.1]  [::ffff:10.0.0.1]   [::ffff:8.8.8.8]    [::ffff:0:7f00:1]
  [::127.0.0.1]       [::7f00:1]          [::a9fe:a9fe]       [fe80::1]           [febf::1]
  [fec0::1]           [fc00::1]           [fd12::1]           [fd00:ec2::254]     [64:ff9b::7f00:1]
  [64:ff9b::a9fe:a9fe]  [64:ff9b::8.8.8.8]  [64:ff9b:1::a00:1]  [2002:7f00:1::]   [2002:a9fe:a9fe::]
  [2001:0:7f00:1::]   [2001:0:4136:e378:8000:63bf:3fff:fdd2]  [2001:db8::1]       [2001:10::1]
  [2001:20::1]        [2001:2::1]         [3fff::1]           [5f00::1]           [100::1]
  [4000::1]           [8000::1]           [ff02::1]           [ff0e::1]
`)

test('there are ten public hosts and a hundred others', () => {
  expect([PUBLIC.length, PRIVATE.length]).toEqual([10, 100])
})

test.each(PUBLIC)('https://%s may be a webhook', host => {
  expect(webhookFault(`https://${host}/hook?x=1`)).toBeNull()
})

test.each(PRIVATE)('https://%s may not', host => {
  expect(webhookFault(`https://${host}/hook`)).toBe('is not known on the public internet')
  expect(webhookFault(`https://${host}:8443/hook`)).toBe('is not known on the public internet')
})

test.each([
  ['http://example.com', 'does not begin with https://'],
  ['ftp://example.com', 'does not begin with https://'],
  ['javascript:alert(1)', 'does not begin with https://'],
  ['https://me@example.com', 'has a name or password in it'],
  ['https://me:secret@example.com', 'has a name or password in it'],
  ['https://127.0.0.1\\@example.com', 'is not known on the public internet'],
  ['https://example.com:0', 'has the port 0'],
  ['https://', 'is not an address'],
  ['https://[fe80::1%25eth0]/', 'is not an address'],
  ['https://256.256.256.256/', 'is not an address'],
  ['example.com', 'is not an address'],
  ['', 'is not an address'],
])('%j %s', (url, fault) => {
  expect(webhookFault(url)).toBe(fault)
})

test.each([
  [443, null],
  [444, 'has the port 444; those below 1024 are refused, but for 443'],
  [80, 'has the port 80; those below 1024 are refused, but for 443'],
  [22, 'has the port 22; those below 1024 are refused, but for 443'],
  [1023, 'has the port 1023; those below 1024 are refused, but for 443'],
  [1024, null],
  [8443, null],
  [65_535, null],
  [6000, 'has the port 6000, which is that of X11'],
  [6697, 'has the port 6697, which is that of IRC'],
  [10_080, 'has the port 10080, which is that of Amanda'],
  [5432, 'has the port 5432, which is that of PostgreSQL'],
  [3306, 'has the port 3306, which is that of MySQL'],
  [6379, 'has the port 6379, which is that of Redis'],
  [27_017, 'has the port 27017, which is that of MongoDB'],
  [9200, 'has the port 9200, which is that of Elasticsearch'],
  [11_211, 'has the port 11211, which is that of memcached'],
])('the port %i: %s', (port, fault) => {
  expect(webhookFault(`https://example.com:${port}/`)).toBe(fault)
})

/** Says what it would have sent, and sends nothing. */
class Unconnected extends Dispatcher {
  override dispatch(): boolean {
    throw new Error('dispatched')
  }
}

test('no port that fetch refuses is taken', async () => {
  const dispatcher = new Unconnected()
  const causes = new Map<number, string>()
  for (let port = 1; port <= 12_000; port++) {
    const url = `https://example.com:${port}/`
    const error = await fetch(url, { dispatcher }).catch((reason: Error) => reason)
    causes.set(port, ((error as Error).cause as Error).message)
  }
  const bad = [...causes].filter(([, cause]) => cause === 'bad port').map(([port]) => port)
  expect(bad.length).toBeGreaterThan(70)
  expect(new Set(causes.values())).toEqual(new Set(['bad port', 'dispatched']))
  const taken = bad.filter(port => webhookFault(`https://example.com:${port}/`) === null)
  expect(taken).toEqual([])
})

const OWN = { allowed: [], ownHosts: ['tapefold.example', '[2606:4700::5]'] }

test.each([
  ['https://tapefold.example/hook', 'is that of this server itself'],
  ['https://TAPEFOLD.example.:8443/hook', 'is that of this server itself'],
  ['https://[2606:4700:0::5]/', 'is that of this server itself'],
  ['https://geo.tapefold.example/hook', 'is that of this server itself'],
  ['https://mcp.TAPEFOLD.example:8443/hook', 'is that of this server itself'],
  ['https://a.b.tapefold.example/', 'is that of this server itself'],
  ['https://nottapefold.example/hook', null],
  ['https://tapefold.example.org/hook', null],
  ['https://hooks.example/tapefold.example', null],
])('%s %s where the server is tapefold.example', (url, fault) => {
  expect(webhookFault(url, OWN)).toBe(fault)
})

test('an address of this server is not dialled by any name, but as an exception', () => {
  const url = new URL('https://hooks.example.com:8443/')
  for (const ip of words('2606:4700::5 2606:4700:0:0::5')) {
    expect(dialFault(url, ip, OWN), ip).toBe('is not known on the public internet')
    expect(dialFault(url, ip, { ...OWN, allowed: ['hooks.example.com:8443'] }), ip).toBeNull()
  }
  expect(dialFault(url, '2606:4700::6', OWN)).toBeNull()
  const four = { allowed: [], ownHosts: ['1.1.1.1'] }
  expect(dialFault(url, '1.1.1.1', four)).toBe('is not known on the public internet')
  expect(webhookFault('https://1.1.1.1/', four)).toBe('is that of this server itself')
  expect(dialFault(url, '1.1.1.2', four)).toBeNull()
})

test('the hosts of a server are its public one, where it listens, and those of its machine', () => {
  const own = (settings: object) => listOwnHosts(settings)
  expect(own({ publicUrl: 'https://Tapefold.example:8443', host: 'API.example' })).toEqual(
    expect.arrayContaining(['tapefold.example', 'api.example', '127.0.0.1']),
  )
  expect(own({ publicUrl: null, host: '0.0.0.0' })).not.toContain('0.0.0.0')
})

const LABEL = 'a'.repeat(63)
const LONGEST = `${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(57)}.com`

test.each([
  [`https://${LABEL}.example.com/`, null],
  [`https://${LABEL}a.example.com/`, 'is not known on the public internet'],
  [`https://${LONGEST}/`, null],
  [`https://${LONGEST}./`, null],
  [
    `https://a${LONGEST.slice(1).replace(/aa\.com$/, 'aaa.com')}/`,
    'is not known on the public internet',
  ],
  ['https://hooks..example.com/', 'is not known on the public internet'],
  ['https://.example.com/', 'is not known on the public internet'],
  ['https://hooks.example.com../', 'is not known on the public internet'],
  ['https://hooks.example.com./', null],
])('%s: %s, by what a name of the DNS can be', (url, fault) => {
  expect(webhookFault(url)).toBe(fault)
})

const rules = { allowed: parseAllowed('127.0.0.1:9443, Hooks.LAN:443,[::1]:9444')!, ownHosts: [] }

test('an exception holds of its host and port alone', () => {
  expect(rules.allowed).toEqual(['127.0.0.1:9443', 'hooks.lan:443', '::1:9444'])
  const taken = words(
    'https://127.0.0.1:9443 https://127.1:9443/x https://hooks.lan https://[::1]:9444',
  )
  for (const url of taken) expect(webhookFault(url, rules), url).toBeNull()
  const refused = words('https://127.0.0.1 https://127.0.0.2:9443 https://hooks.lan:9443')
  for (const url of refused)
    expect(webhookFault(url, rules), url).toBe('is not known on the public internet')
  expect(webhookFault('http://127.0.0.1:9443', rules)).toBe('does not begin with https://')
  expect(webhookFault('https://a:b@127.0.0.1:9443', rules)).toBe('has a name or password in it')
})

test('the name of an exception may lead into a network, and never to a machine by itself', () => {
  const url = new URL('https://hooks.lan/')
  for (const ip of words('10.0.0.7 127.0.0.1 192.168.1.1 100.64.0.1 fd12::7 ::1 1.1.1.1')) {
    expect(dialFault(url, ip, rules), ip).toBeNull()
    const other = new URL('https://example.com/')
    expect(dialFault(other, ip, rules) === null, ip).toBe(ip === '1.1.1.1')
  }
  const never = words(`169.254.169.254 fe80::1 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 0.0.0.0 ::
    2002:a9fe:a9fe:: fd00:ec2::254 168.63.129.16 100.100.100.200 224.0.0.1 255.255.255.255
    nonsense`)
  for (const ip of never) {
    expect(dialFault(url, ip, rules), ip).toBe('is not known on the public internet')
  }
})

test.each(
  words(`hooks.lan 127.0.0.1 :443 hooks.lan:0 hooks.lan:65536 https://hooks.lan:443 hooks.lan:443/x
    169.254.169.254:443 2852039166:443 [fe80::1]:443 a@b.lan:443 hooks.lan:443,
    [::ffff:a9fe:a9fe]:443     0.0.0.0:443 *.lan:443:443`),
)('%s is no exception', text => {
  expect(parseAllowed(text)).toBeNull()
})
