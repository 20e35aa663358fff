import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sendJson } from '../../../src/platform/http/json.ts'

test('a body sent 60 times to 3 accounts is compressed once, to the bytes of gzip', async () => {
  // so large that it is sent as the bytes that were compressed
  const text = JSON.stringify({ text: randomBytes(100_000).toString('hex') })
  const bodies: unknown[] = []
  for (let at = 0; at < 60; at++) {
    const locals = { context: { accountId: `account ${at % 3}` } }
    const end = (bytes: unknown) => void bodies.push(bytes)
    const res = { locals, setHeader: () => {}, writeHead: () => {}, end }
    sendJson({ headers: { 'accept-encoding': 'gzip' } } as never, res as never, text)
  }
  await nextTurn()
  expect(bodies).toHaveLength(60)
  expect([...new Set(bodies)]).toEqual([gzipSync(text)])
})
