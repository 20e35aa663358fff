import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type HostResolver,
  judgeAtSave,
  openResolver,
} from '../../../src/platform/webhooks/resolver.ts'
import { type DnsServer, openDns } from '../../support/dns.ts'

let dns: DnsServer
let resolve: HostResolver
beforeAll(async () => {
  dns = await openDns({
    'both.example.com': ['93.184.216.34', '1.1.1.1', '2606:4700::1111'],
    'four.example.com': ['93.184.216.34'],
    'mixed.example.com': ['93.184.216.34', '10.0.0.7'],
    'mapped.example.com': ['93.184.216.34', '::ffff:10.0.0.7'.replace('10.0.0.7', 'a00:7')],
    'empty.example.com': [],
    'broken.example.com': 'broken',
    'silent.example.com': 'silent',
  })
  resolve = openResolver({ servers: [dns.address], waitMs: 300 })
})
afterAll(() => dns.close())

test('all addresses of a host are returned, of both kinds', async () => {
  expect(await resolve('both.example.com')).toEqual({
    kind: 'addresses',
    addresses: ['93.184.216.34', '1.1.1.1', '2606:4700::1111'],
  })
  expect(dns.requested).toEqual(
    expect.arrayContaining(['both.example.com 1', 'both.example.com 28']),
  )
  expect(await resolve('four.example.com')).toEqual({
    kind: 'addresses',
    addresses: ['93.184.216.34'],
  })
})

test.each([
  ['missing.example.com', 'none'],
  ['empty.example.com', 'none'],
  ['broken.example.com', 'silent'],
  ['silent.example.com', 'silent'],
])('%s: %s', async (host, kind) => {
  expect(await resolve(host)).toEqual({ kind })
})

test('a silent DNS holds nobody up for longer than its limit, however many query it', async () => {
  const lookups = await Promise.all(
    Array.from({ length: 100 }, () => resolve('silent.example.com')),
  )
  expect(new Set(lookups.map(({ kind }) => kind))).toEqual(new Set(['silent']))
})

const rules = { allowed: ['mixed.example.com:9443'], ownHosts: ['tapefold.example'] }

test.each([
  ['https://both.example.com/hook', null, null],
  ['https://1.1.1.1/hook', null, null],
  ['https://missing.example.com/', 'is not known on the public internet', null],
  ['https://empty.example.com/', 'is not known on the public internet', null],
  ['https://silent.example.com/', null, 'the DNS did not answer for its host'],
  ['https://broken.example.com/', null, 'the DNS did not answer for its host'],
  ['https://mixed.example.com/', 'is not known on the public internet', null],
  ['https://mapped.example.com/', 'is not known on the public internet', null],
  ['https://mixed.example.com:9443/', null, null],
  ['https://tapefold.example/', 'is that of this server itself', null],
  ['https://geo.tapefold.example/', 'is that of this server itself', null],
  ['https://10.0.0.7/', 'is not known on the public internet', null],
  ['http://both.example.com/', 'does not begin with https://', null],
])('saving %s: refused %s, warned %s', async (url, fault, warning) => {
  expect(await judgeAtSave(url, { rules, resolve })).toEqual({ fault, warning })
})

test('of a name within a network nobody learns whether it is there', async () => {
  const text = async (name: string) =>
    judgeAtSave(`https://${name}.example.com/`, { rules, resolve })
  expect(await text('mixed')).toEqual(await text('missing'))
  expect(await text('mixed')).toEqual(await text('empty'))
})
