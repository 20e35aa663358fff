// Objects of the store: what is stored is read back, and each failure is one clear sentence.

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../src/core/disk/files.ts'
import { CommandError, Refusal } from '../../../src/core/disk/refusal.ts'
import { openBlobs } from '../../../src/platform/store/blobs.ts'
import { blobName, parseStoreAddress } from '../../../src/platform/store/names.ts'
import { newFolder } from '../../support/import.ts'
import { type ObjectStore, startObjectStore } from '../../support/objectStore.ts'

let objects: ObjectStore

beforeAll(async () => {
  objects = await startObjectStore()
})
afterAll(() => objects.stop())

const open = (prefix = 'a/b/') => openBlobs({ bucket: objects.newBucket(), prefix }, true)

/** The sentence of a failure. */
async function sentence(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it did not fail'),
    reason => reason,
  )
  expect(error instanceof Refusal || error instanceof CommandError, String(error.stack)).toBe(true)
  return error.message
}

test.each([
  ['s3://bucket', { bucket: 'bucket', prefix: '' }],
  ['s3://my.bucket-1/', { bucket: 'my.bucket-1', prefix: '' }],
  ['s3://bucket/one/two', { bucket: 'bucket', prefix: 'one/two/' }],
  ['s3://bucket/../two', null],
  ['s3://key:secret@bucket/one', null],
  ['https://bucket/one', null],
  ['s3://', null],
  ['s3://bucket//one', null],
])('%s is the address %j', (text, address) => {
  expect(parseStoreAddress(text)).toEqual(address)
})

describe('an object', () => {
  test.each([
    ['empty', 0],
    ['small', 1_000],
    ['larger than what is sent from memory', 9_000_000],
  ])('that is %s is read back byte for byte', async (_, size) => {
    const blobs = open()
    const bytes = randomBytes(size)
    const path = join(newFolder(), 'file')
    writeFileSync(path, bytes)
    const name = blobName(sha256(bytes))
    expect(await blobs.findBytes(name)).toBeNull()
    await blobs.putFile(name, path, sha256(bytes))
    await blobs.putFile(name, path, sha256(bytes))
    expect(await blobs.findBytes(name)).toBe(size)
    await blobs.getFile(name, `${path}.2`, sha256(bytes))
    expect(readFileSync(`${path}.2`).equals(bytes)).toBe(true)
    blobs.close()
  })

  test('is listed by the start of its name, over many pages', async () => {
    const blobs = open()
    const names = Array.from({ length: 1_203 }, (_, index) => `some/${10_000 + index}`)
    for (const name of names) await blobs.putText(name, name)
    await blobs.putText('other/1', 'x')
    const found = []
    for await (const { name, bytes } of blobs.list('some/')) found.push({ name, bytes })
    expect(found).toEqual(names.map(name => ({ name, bytes: 10 })))
    expect(await blobs.getText('some/10000', sha256('some/10000'))).toBe('some/10000')
    blobs.close()
  })
})

describe('a failure is one sentence', () => {
  test('for a file that differs from its hash, which is not sent', async () => {
    const blobs = open()
    const path = join(newFolder(), 'file')
    writeFileSync(path, 'other')
    const hash = sha256('some')
    expect(await sentence(blobs.putFile(blobName(hash), path, hash))).toBe(
      `a file does not match its hash ${hash.slice(0, 16)}; repair its session.`,
    )
    expect(await blobs.findBytes(blobName(hash))).toBeNull()
  })

  test('for a blob that was damaged in the store', async () => {
    const blobs = open()
    const hash = sha256('some')
    await blobs.putText(blobName(hash), 'other')
    const path = join(newFolder(), 'file')
    const damaged =
      /^object blobs\/a6\/\w{64} of the store is damaged: its sha256 is d9298a10d1b07358, not/
    expect(await sentence(blobs.getFile(blobName(hash), path, hash))).toMatch(damaged)
    expect(await sentence(blobs.getText(blobName(hash), hash))).toMatch(damaged)
  })

  test('for an object that is missing', async () => {
    const path = join(newFolder(), 'file')
    expect(await sentence(open().getFile('blobs/aa/some', path, sha256('')))).toBe(
      'the store has no object blobs/aa/some; push its session again.',
    )
    expect(existsSync(path)).toBe(false)
  })

  test('for a bucket that is missing', async () => {
    const blobs = openBlobs({ bucket: 'no-such-bucket', prefix: '' }, true)
    const none = 'the store has no bucket no-such-bucket; create it, or correct TAPEFOLD_STORE.'
    expect(await sentence(blobs.putText('a', 'b'))).toBe(none)
    expect(await sentence(blobs.getText('a', sha256('b')))).toBe(none)
    expect(await sentence(Array.fromAsync(blobs.list('')))).toBe(none)
  })
})

/** A secret key as Amazon's documents write one. */
const KEY = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'

/** A store that gives every request the same response, and counts them. */
async function withStore(
  status: number,
  code: string,
  use: (blobs: ReturnType<typeof openBlobs>, requests: () => number) => Promise<void>,
): Promise<void> {
  let count = 0
  const server = createServer((request, response) => {
    count += 1
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(`<Error><Code>${code}</Code><Message>${KEY} of /home/x</Message></Error>`)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const before = process.env.AWS_ENDPOINT_URL!
  process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await use(openBlobs({ bucket: 'bucket', prefix: '' }, true), () => count)
  } finally {
    process.env.AWS_ENDPOINT_URL = before
    await new Promise(resolve => server.close(resolve))
  }
}

test.each([
  [
    403,
    'AccessDenied',
    /^the store refuses access to bucket bucket \(AccessDenied\); check the/,
    1,
  ],
  [403, 'SignatureDoesNotMatch', /^the store refuses access to bucket bucket \(Signature/, 1],
  [400, 'XAmzContentSHA256Mismatch', /^the store refused a request to bucket bucket \(XAmzC/, 1],
  [503, 'SlowDown', /^the store does not respond \(SlowDown, 503\); try again later\.$/, 4],
  [
    500,
    'InternalError',
    /^the store does not respond \(InternalError, 500\); try again later\.$/,
    4,
  ],
])('the response %i %s is one sentence without secrets', async (status, code, text, requests) => {
  await withStore(status, code, async (blobs, count) => {
    const said = await sentence(blobs.putText('a', 'b'))
    expect(said).toMatch(text)
    expect(said).not.toMatch(/wJalr|home|127\.0/)
    expect(count()).toBe(requests)
  })
})

test('a large file is sent again by a new stream where the store is slow', async () => {
  const path = join(newFolder(), 'file')
  const bytes = randomBytes(9_000_000)
  writeFileSync(path, bytes)
  await withStore(503, 'SlowDown', async (blobs, count) => {
    const away = sentence(blobs.putFile('a', path, sha256(bytes)))
    expect(await away).toBe('the store does not respond (SlowDown, 503); try again later.')
    expect(count()).toBe(3)
  })
})

test('a store that does not listen is away, and may be back later', async () => {
  await withStore(200, '', async () => {})
  const before = process.env.AWS_ENDPOINT_URL!
  process.env.AWS_ENDPOINT_URL = 'http://127.0.0.1:1'
  const blobs = openBlobs({ bucket: 'bucket', prefix: '' }, true)
  const error = await blobs.findBytes('a').catch(reason => reason)
  process.env.AWS_ENDPOINT_URL = before
  expect(error).toMatchObject({
    message: 'the store does not respond (ECONNREFUSED); try again later.',
    exitCode: 75,
  })
})

test('keys that are not set are named', async () => {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = process.env
  delete process.env.AWS_ACCESS_KEY_ID
  delete process.env.AWS_SECRET_ACCESS_KEY
  Object.assign(process.env, {
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_CONFIG_FILE: '/dev/null',
  })
  const blobs = openBlobs({ bucket: 'bucket', prefix: '' }, true)
  expect(await sentence(blobs.findBytes('a'))).toBe(
    'there are no keys for the store; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  )
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret })
})
