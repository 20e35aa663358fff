import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeSecret, openSecretBox } from '../../../src/platform/webhooks/secretBox.ts'

const KEY = Buffer.alloc(32, 7)
const box = openSecretBox({ secretKey: KEY, databaseUrl: null, dataFolder: '/nowhere' })

test('a secret is whsec_ and 30 random bytes', () => {
  const secrets = Array.from({ length: 1000 }, makeSecret)
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{40}$/)
  expect(new Set(secrets).size).toBe(1000)
})

test('what is sealed opens for what it is about, and for nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, about, other) => {
      const sealed = box.seal(text, about)
      expect(box.open(sealed, about)).toBe(text)
      if (other !== about) expect(box.open(sealed, other)).toBeNull()
    }),
  )
})

test('the same text is sealed otherwise each time, and never seen in it', () => {
  const secret = makeSecret()
  const sealed = Array.from({ length: 100 }, () => box.seal(secret, 'acc_1'))
  expect(new Set(sealed).size).toBe(100)
  for (const each of sealed) {
    expect(Buffer.from(each.slice(3), 'base64').toString('latin1')).not.toContain(secret.slice(6))
  }
})

test('another key opens nothing, and no bit of what is sealed can be changed', () => {
  const sealed = box.seal('whsec_secret', 'acc_1')
  const other = openSecretBox({
    secretKey: Buffer.alloc(32, 8),
    databaseUrl: null,
    dataFolder: '/nowhere',
  })
  expect(other.open(sealed, 'acc_1')).toBeNull()
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(box.open(`v1.${changed.toString('base64')}`, 'acc_1')).toBeNull()
  }
  for (const text of ['', 'v1.', 'v1.AAAA', 'v2.AAAA', 'whsec_secret', sealed.slice(0, -4)]) {
    expect(box.open(text, 'acc_1'), text).toBeNull()
  }
})

const folder = () => mkdtemp(join(process.env.TMPDIR ?? '/tmp', 'tapefold-box-'))

test('without a key the data folder has one: made once, for its owner alone', async () => {
  const dataFolder = await folder()
  const open = () => openSecretBox({ secretKey: null, databaseUrl: null, dataFolder })
  const sealed = open().seal('whsec_secret', 'acc_1')
  expect(open().open(sealed, 'acc_1')).toBe('whsec_secret')
  const path = join(dataFolder, 'secret.key')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/)
  expect(readdirSync(join(dataFolder, 'work'))).toEqual([])
})

test('a key file that is none is not replaced', async () => {
  const dataFolder = await folder()
  const path = join(dataFolder, 'secret.key')
  writeFileSync(path, 'short')
  const open = () => openSecretBox({ secretKey: null, databaseUrl: null, dataFolder })
  expect(open).toThrow(`${path} is no key: it must have 32 bytes as base64.`)
  expect(readFileSync(path, 'utf8')).toBe('short')
})

test('machines that share a database need the key to be given', () => {
  const shared = { databaseUrl: 'postgresql://host/database', dataFolder: '/nowhere' }
  expect(() => openSecretBox({ secretKey: null, ...shared })).toThrow(
    'TAPEFOLD_SECRET_KEY is not set, and with DATABASE_URL it must be',
  )
  const sealed = openSecretBox({ secretKey: KEY, ...shared }).seal('text', 'acc_1')
  expect(box.open(sealed, 'acc_1')).toBe('text')
})
