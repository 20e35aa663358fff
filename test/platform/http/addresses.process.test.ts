import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import {
  clientAddress,
  isProxy,
  nameClient,
  parseProxies,
} from '../../../src/platform/http/addresses.ts'

const requestFrom = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage

function clientBehind(proxies: string, remoteAddress: string, forwarded?: string): string {
  const request = requestFrom(remoteAddress, forwarded)
  nameClient(request, parseProxies(proxies)!)
  return clientAddress(request)
}

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  [undefined, 'unknown'],
])('a call of %s is one of %s', (address, client) => {
  expect(clientAddress(requestFrom(address))).toBe(client)
})

test.each([
  // trusted, connection from, X-Forwarded-For, client
  ['off', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['10.0.0.0/8', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['10.0.0.0/8', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.0/8', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.0/8', '10.1.2.3', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
  ['10.0.0.0/8', '10.1.2.3', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['10.0.0.0/8', '10.1.2.3', '10.4.4.4, 10.9.9.9', '10.4.4.4'],
  ['10.0.0.0/8', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
  ['10.0.0.0/8', '10.1.2.3', '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
  ['10.0.0.0/8,2001:db8::/32', '2001:db8::5', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.0/8', '10.1.2.3', 'unknown', '10.1.2.3'],
  ['10.0.0.0/8', '10.1.2.3', '198.51.100.1, nonsense', '10.1.2.3'],
  ['10.0.0.0/8', '10.1.2.3', '127.1', '10.1.2.3'],
  ['10.0.0.0/8', '10.1.2.3', '', '10.1.2.3'],
  ['10.0.0.0/8', '10.1.2.3', undefined, '10.1.2.3'],
  // so many proxies, wherever they are: what a client puts before them changes nothing
  ['1', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['1', '10.1.2.3', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
  ['2', '10.1.2.3', '203.0.113.9, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['2', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['1', '10.1.2.3', 'nonsense', '10.1.2.3'],
  ['1', '10.1.2.3', undefined, '10.1.2.3'],
])('trusting "%s", a call from %s for "%s" is one of %s', (proxies, from, forwarded, client) => {
  expect(clientBehind(proxies, from, forwarded)).toBe(client)
})

test('a header of proxies without end is not followed', () => {
  const header = ['198.51.100.1', ...Array.from({ length: 500 }, () => '10.9.9.9')].join(', ')
  expect(clientBehind('10.0.0.0/8', '10.1.2.3', header)).toBe('10.9.9.9')
})

test.each([
  '10.0.0.0/33',
  'proxy.internal',
  '10.0.0.0/8;::1',
  '127.1',
  'true',
  'on',
  '0',
  '17',
  '',
])('nothing to trust: %j', text => {
  expect(parseProxies(text)).toBeNull()
})

test('a network may be one address; of no network there is no proxy', () => {
  expect(isProxy('::ffff:127.0.0.1', parseProxies('127.0.0.1, ::1')!)).toBe(true)
  expect(isProxy('127.0.0.2', parseProxies('127.0.0.1, ::1')!)).toBe(false)
  expect(isProxy('127.0.0.1', parseProxies('off')!)).toBe(false)
  expect(isProxy('192.0.2.7', parseProxies('1')!)).toBe(true)
})
