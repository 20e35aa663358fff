// A watcher of a server is restarted when it ends, later each time, and that is reported.

import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createBackground } from '../../src/server/background.ts'
import { superviseWatcher, type WatchProcess } from '../../src/server/watchChild.ts'

class FakeProcess extends EventEmitter {
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly signals: string[] = []
  kill(signal: string) {
    this.signals.push(signal)
    return true
  }
}

function open() {
  const started: FakeProcess[] = []
  const timers: { call: () => void; ms: number; isOff: boolean }[] = []
  const lines: string[] = []
  const write = (level: string) => (fields: object, message: string) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  }
  const log = { info: write('info'), error: write('error') }
  const background = createBackground({ log: { info: () => {}, error: () => {} }, nowMs: () => 7 })
  const child = superviseWatcher({
    log,
    background,
    start: () => {
      const one = new FakeProcess()
      started.push(one)
      return one as unknown as WatchProcess
    },
    later: (call, ms) => {
      const timer = { call, ms, isOff: false }
      timers.push(timer)
      return () => {
        timer.isOff = true
      }
    },
  })
  /** Calls back what waits for so long. */
  const after = (ms: number) => {
    const due = timers.filter(timer => timer.ms === ms && !timer.isOff)
    for (const timer of due) timer.isOff = true
    for (const timer of due) timer.call()
    return due.length
  }
  return { started, lines, background, child, after }
}

test('it is started again after 1, 2, 4 seconds, up to a minute', () => {
  const { started, background, after } = open()
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    expect(background.faults()).toHaveLength(started.length === 1 ? 0 : 1)
    started.at(-1)!.emit('exit', 1, null)
    expect(background.faults()).toMatchObject([{ work: 'watch for alerts' }])
    const count = started.length
    expect(after(seconds * 1000)).toBeGreaterThan(0)
    expect(started).toHaveLength(count + 1)
  }
})

test.each<[number | null, NodeJS.Signals | null]>([
  [0, null],
  [null, 'SIGTERM'],
  [null, 'SIGINT'],
  [null, 'SIGHUP'],
])(
  'an end with %j, %j, as after Ctrl-C, is a fault only where the server goes on',
  (code, signal) => {
    const stopping = open()
    stopping.started[0]!.emit('exit', code, signal)
    expect(stopping.background.faults()).toEqual([])
    stopping.child.stop()
    expect(stopping.after(1_000)).toBe(0)
    expect(stopping.background.faults()).toEqual([])

    const going = open()
    going.started[0]!.emit('exit', code, signal)
    going.after(1_000)
    expect(going.background.faults()).toMatchObject([{ work: 'watch for alerts' }])
    expect(going.started).toHaveLength(2)
  },
)

test('one that has worked for a minute is reported as well, and its end is a first one', () => {
  const { started, background, after } = open()
  started[0]!.emit('exit', null, 'SIGKILL')
  after(1_000)
  after(60_000)
  expect(background.faults()).toEqual([])
  started[1]!.emit('exit', 1, null)
  expect(after(2_000)).toBe(0)
  expect(after(1_000)).toBe(1)
})

test('one that cannot be started is restarted like one that ended', () => {
  const { started, background, after } = open()
  started[0]!.emit('error', new Error('no such file'))
  started[0]!.emit('exit', null, 'SIGTERM')
  expect(background.faults()).toHaveLength(1)
  expect(after(1_000)).toBe(1)
  expect(started).toHaveLength(2)
})

test('what it writes stands in the log of the server, a stack too', async () => {
  const { started, lines } = open()
  const { stdout, stderr } = started[0]!
  stdout.write('{"level":"info","message":"watching for alerts","run":"live"}\n')
  stdout.end('{"level":"error","message":"cannot take the next minute","reason":"x"}\n')
  stderr.end('Error: no\n')
  await new Promise(done => setTimeout(done, 10))
  expect(lines.toSorted()).toEqual([
    'error Error: no {}',
    'error cannot take the next minute {"reason":"x"}',
    'info watching for alerts {"run":"live"}',
  ])
})

test('a stop ends it, by force where it does not hear, and starts none again', async () => {
  const { started, child, after } = open()
  let isOver = false
  const stopped = child.stop().then(() => {
    isOver = true
  })
  expect(started[0]!.signals).toEqual(['SIGTERM'])
  after(5_000)
  expect(started[0]!.signals).toEqual(['SIGTERM', 'SIGKILL'])
  expect(isOver).toBe(false)
  started[0]!.emit('exit', null, 'SIGKILL')
  await stopped
  after(1_000)
  expect(started).toHaveLength(1)
})
