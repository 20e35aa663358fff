import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { startHistoryProcess } from '../../src/server/demoHistory.ts'

/** A process that ends on demand. */
function begin() {
  const stderr = new PassThrough()
  const killed: unknown[] = []
  const child = Object.assign(new EventEmitter(), {
    stdout: new PassThrough(),
    stderr,
    kill: (signal?: string) => killed.push(signal ?? 'SIGTERM'),
  })
  const message: string[] = []
  const started: unknown[] = []
  const history = startHistoryProcess({
    dataFolder: 'data/demo',
    sessions: 250,
    until: '2026-10-14',
    nextSteps: 'Test it.\n',
    say: text => void message.push(text),
    start: ((...given: unknown[]) => {
      started.push(given)
      return child
    }) as never,
  })
  return { child, stderr, killed, said: message, started, history }
}

test('it publishes a null history into the folder of the demo, and says when it is there', () => {
  const { child, said: text, started } = begin()
  const words = 'history --data data/demo --lab null --sessions 250 --until 2026-10-14'
  expect(started).toEqual([[words.split(' '), null]])
  expect(text).toEqual([])
  child.emit('close', 0, null)
  expect(text).toEqual([
    'LAB can test rules now, on 250 simulated sessions until 2026-10-14.\nTest it.\n',
  ])
})

test('one that fails says why in the words of the process', async () => {
  const { child, stderr, said: text } = begin()
  stderr.end('tapefold: data/demo has real sessions, such as 2016-06-01.\n')
  await new Promise(setImmediate)
  child.emit('close', 1, null)
  expect(text).toEqual([
    'LAB has no sessions to test rules on: ' +
      'tapefold: data/demo has real sessions, such as 2016-06-01.\n',
  ])
})

test('one that the machine kills says by what', () => {
  const { child, said: text } = begin()
  child.emit('close', null, 'SIGKILL')
  expect(text).toEqual(['LAB has no sessions to test rules on: the process ended by SIGKILL.\n'])
})

test('one that cannot be started says why', () => {
  const { child, said: text } = begin()
  child.emit('error', new Error('spawn ENOMEM'))
  child.emit('close', null, null)
  expect(text).toEqual(['LAB has no sessions to test rules on: spawn ENOMEM.\n'])
})

test('one that is stopped with the demo says nothing, and is waited for', async () => {
  const { child, said: text, killed, history } = begin()
  let isOver = false
  const stopped = history.stop().then(() => {
    isOver = true
  })
  await new Promise(setImmediate)
  expect({ killed, isOver }).toEqual({ killed: ['SIGTERM'], isOver: false })
  child.emit('close', null, 'SIGTERM')
  await stopped
  expect(text).toEqual([])
})
