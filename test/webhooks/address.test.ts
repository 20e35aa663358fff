import { expect, test } from 'vitest'
import { webhookFault } from '../../src/webhooks/address.ts'

const PUBLIC = 'example.com hooks.example.co.uk:8443 1.1.1.1 [2606:4700:4700::1111] a.b'.split(' ')
const PRIVATE = [
  ...'localhost LOCALHOST localhost. x.localhost intranet printer.local a.internal b.lan'.split(
    ' ',
  ),
  ...'host.localdomain router.home.arpa 127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1'.split(
    ' ',
  ),
  ...'①②⑦.⓪.⓪.① %31%32%37.0.0.1 127。0。0。1 127.0.0.1. 0.0.0.0 10.0.0.1 172.16.0.1'.split(' '),
  ...'172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 198.18.0.1 192.0.2.1'.split(' '),
  ...'224.0.0.1 255.255.255.255 [::] [::1] [::ffff:7f00:1] [::ffff:10.0.0.1] [fe80::1]'.split(' '),
  ...'[fc00::1] [fd12::1] [64:ff9b::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::] [ff02::1]'.split(' '),
  ...'[2001:db8::1] [::127.0.0.1] [::7f00:1] [::a9fe:a9fe] localhost.. x.local...'.split(' '),
]

test.each(PUBLIC)('https://%s may be a webhook', host => {
  expect(webhookFault(`https://${host}/hook?x=1`)).toBeNull()
})

test.each(PRIVATE)('https://%s may not', host => {
  expect(webhookFault(`https://${host}/hook`)).toBe('is not on the public internet')
})

test.each([
  ['http://example.com', 'does not begin with https://'],
  ['ftp://example.com', 'does not begin with https://'],
  ['javascript:alert(1)', 'does not begin with https://'],
  ['https://me@example.com', 'has a name or password in it'],
  ['https://me:secret@example.com', 'has a name or password in it'],
  ['https://example.com:0', 'has the port 0'],
  ['https://', 'is not an address'],
  ['example.com', 'is not an address'],
  ['', 'is not an address'],
])('%j %s', (url, fault) => {
  expect(webhookFault(url)).toBe(fault)
})
