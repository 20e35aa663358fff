// Lines of a client whose input ends, and whose output is gone.

import { PassThrough, Writable } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { openLines } from '../../src/mcp/lines.ts'

const HOUR_MS = 3_600_000

async function open(graceMs = HOUR_MS, output: Writable = new PassThrough()) {
  const input = new PassThrough()
  const heard: JSONRPCMessage[] = []
  const lines = openLines(input, output, graceMs)
  lines.onmessage = message => heard.push(message)
  await lines.start()
  let isOver = false
  lines.ended.then(() => {
    isOver = true
  })
  const batch = () => new Promise(done => setImmediate(done))
  return { input, output, lines, heard, isOver: () => isOver, turn: batch }
}

const call = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call"}\n`
const response = (id: number) => ({ jsonrpc: '2.0' as const, id, result: {} })

test('the lines end when the input has, and each call is completed or cancelled', async () => {
  const { input, lines, isOver, turn: batch } = await open()
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}'
  input.end(`${call(1)}${call(2)}${call(3)}${cancel}`)
  await batch()
  await batch()
  await lines.send(response(1))
  await batch()
  expect(isOver()).toBe(false)
  await lines.send(response(3))
  await lines.ended
})

test('calls that never complete hold an ended input for the grace alone', async () => {
  const { input, lines, heard } = await open(1)
  input.end(call(1))
  await lines.ended
  expect(heard).toHaveLength(1)
})

test('an output that is gone ends the lines, and a message in pieces is one', async () => {
  const gone = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) })
  const { input, lines, heard, turn: batch } = await open(HOUR_MS, gone)
  for (const letter of call(1)) input.write(letter)
  await batch()
  expect(heard).toHaveLength(1)
  await expect(lines.send(response(1))).rejects.toThrow('EPIPE')
  await lines.ended
  await lines.close()
  await expect(lines.send(response(1))).rejects.toThrow('the lines are closed')
})
