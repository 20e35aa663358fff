// Streams of events on a bare server: a client that does not read harms none, and is closed.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import express from 'express'
import { afterEach, expect, test } from 'vitest'
import { openEventStreams, type StreamEvent } from '../../../src/platform/http/eventStream.ts'
import { openEventClient } from '../../support/eventClient.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A server whose events are numbers from 1 on, each of so many bytes. */
async function serveNumbers(bytes: number, unreadMs: number) {
  const streams = openEventStreams(() => 0, unreadMs)
  const state = { newest: 0, reads: 0 }
  const read = async (afterId: string | null): Promise<StreamEvent[]> => {
    state.reads += 1
    const from = afterId === null ? Math.max(1, state.newest) : Number(afterId) + 1
    return from > state.newest
      ? []
      : [{ id: String(from), event: 'number', data: 'x'.repeat(bytes) }]
  }
  const app = express()
  const isAdmitted = async () => true
  app.get('/stream', (req, res) =>
    streams.serve({ req, res, owner: 'one', kind: 'numbers', read, isAdmitted }),
  )
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    streams.close()
    server.closeAllConnections()
    server.close()
  })
  return { streams, state, port: (server.address() as AddressInfo).port }
}

test('a client has every event once and in order, also those of before it came', async () => {
  const { streams, state, port } = await serveNumbers(10, 1000)
  state.newest = 3
  const client = await openEventClient(`http://127.0.0.1:${port}/stream`, { lastId: '1' })
  closing.push(client.close)
  await client.until(2)
  for (let next = 4; next <= 200; next++) {
    state.newest = next
    streams.notify()
  }
  await client.until(199)
  expect(client.events.map(({ id }) => Number(id))).toEqual(
    Array.from({ length: 199 }, (_, at) => at + 2),
  )
  expect(streams.count('one')).toBe(1)
  client.close()
  await expect.poll(() => streams.count('one')).toBe(0)
})

test('a client without an id begins with the newest event', async () => {
  const { state, port } = await serveNumbers(10, 1000)
  state.newest = 7
  const client = await openEventClient(`http://127.0.0.1:${port}/stream`)
  closing.push(client.close)
  await client.until(1)
  expect(client.events).toEqual([{ id: '7', event: 'number', data: 'x'.repeat(10) }])
})

test('a client that does not read is closed, others have each event meanwhile', async () => {
  const { streams, state, port } = await serveNumbers(4 * 1024 * 1024, 1000)
  const lazy = connect(port, '127.0.0.1')
  lazy.pause()
  lazy.write('GET /stream HTTP/1.1\r\nhost: a\r\nlast-event-id: 0\r\n\r\n')
  const eager = await openEventClient(`http://127.0.0.1:${port}/stream`, { lastId: '0' })
  closing.push(eager.close)
  await expect.poll(() => streams.count('one')).toBe(2)
  for (let next = 1; next <= 8; next++) {
    state.newest = next
    streams.notify()
    await eager.until(next)
  }
  await expect.poll(() => streams.count('one'), { timeout: 10_000 }).toBe(1)
  lazy.destroy()
  expect(eager.events.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
})
