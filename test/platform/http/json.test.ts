import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { sha256 } from '../../../src/core/disk/files.ts'
import { sendJson } from '../../../src/platform/http/json.ts'

vi.mock('node:zlib', async original => {
  const real = await original<typeof import('node:zlib')>()
  return { ...real, gzipSync: vi.fn(real.gzipSync) }
})

test('a body sent 300 times to 3 accounts is compressed once, to the bytes of gzip', () => {
  const text = JSON.stringify({ text: 'x'.repeat(2_000) })
  const etags = new Set<unknown>()
  for (let at = 0; at < 300; at++) {
    const setHeader = (name: string, value: unknown) => void (name === 'etag' && etags.add(value))
    const locals = { context: { accountId: `account ${at % 3}` } }
    const res = { locals, setHeader, writeHead: () => {}, end: () => {} }
    sendJson({ headers: { 'accept-encoding': 'gzip' } } as never, res as never, text)
  }
  expect(gzipSync).toHaveBeenCalledTimes(1)
  expect([...etags]).toEqual([`"${sha256(gzipSync(text)).slice(0, 32)}"`])
})
