// A server that is stopped ends with all of its processes: by any stop signal to any of them, at
// any point of its start.

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newFolder } from '../support/import.ts'
import {
  ENTRANCE,
  errorLines,
  isServed,
  killAll,
  processesWith,
  type Started,
  servedPort,
  start,
  waitUntil,
} from '../support/processes.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../support/published.ts'

let dataFolder: string

beforeEach(async () => {
  dataFolder = newFolder()
  await publishLedger(dataFolder, ledgerInput(VARIED_ORDERS))
})
afterEach(() => {
  killAll(dataFolder)
  rmSync(dataFolder, { recursive: true, force: true })
})

const serving = () => ['serve', '--port', '0', '--data', dataFolder]
const watchers = () => processesWith('cli/child.ts watch').filter(isOfTest)
const isOfTest = (pid: number) => processesWith(dataFolder).includes(pid)

/** Points of a server's start, in their order. */
const POINTS = {
  'it was started': () => true,
  'it made the account database': () => existsSync(join(dataFolder, 'accounts.sqlite')),
  'it serves': ({ text }: Started) => text().includes(' serves http'),
  'it started its watcher': () => watchers().length > 0,
  'its watcher watches': ({ text }: Started) => text().includes('watching for alerts'),
} as const
type Point = keyof typeof POINTS

/** All processes have ended, and nobody holds the port. */
async function expectNothingLeft({ text }: Started): Promise<void> {
  await waitUntil('all processes end', () => processesWith(dataFolder).length === 0)
  const port = servedPort(text())
  if (port) expect(await isServed(port)).toBe(false)
}

/** Ends a server, and all that it started, as a signal to one of its processes or to all does. */
type Way = {
  readonly signal: NodeJS.Signals
  /** Ctrl-C in a terminal: every process of the group gets the signal. */
  readonly isForAll?: boolean
}

async function stopAt(point: Point, server: Started, { signal, isForAll = false }: Way) {
  await waitUntil(point, () => POINTS[point](server))
  process.kill(isForAll ? -server.pid : server.pid, signal)
  return server.ended
}

const TERM: Way = { signal: 'SIGTERM' }
const CTRL_C: Way = { signal: 'SIGINT', isForAll: true }
const TERM_FOR_ALL: Way = { signal: 'SIGTERM', isForAll: true }

test.each<[Point, Way]>([
  ['it was started', TERM],
  ['it made the account database', TERM],
  ['it serves', TERM],
  ['it started its watcher', TERM],
  ['its watcher watches', TERM],
  ['its watcher watches', { signal: 'SIGHUP' }],
  ['it serves', CTRL_C],
  ['it started its watcher', CTRL_C],
  ['its watcher watches', CTRL_C],
  ['it started its watcher', TERM_FOR_ALL],
])(
  'a server that is stopped when %s, by %j, ends with all and logs no error',
  async (point, way) => {
    const server = start(ENTRANCE, serving())
    const code = await stopAt(point, server, way)
    await expectNothingLeft(server)
    expect(errorLines(server.text())).toEqual([])
    // before it listens to signals, the system ends it
    expect(point === 'it was started' ? ['SIGTERM', 0] : [0]).toContain(code)
  },
)

test.each<Point>(['it serves', 'it started its watcher', 'its watcher watches'])(
  'a server that is killed when %s takes its watcher along',
  async point => {
    const server = start(ENTRANCE, serving())
    expect(await stopAt(point, server, { signal: 'SIGKILL' })).toBe('SIGKILL')
    await expectNothingLeft(server)
  },
)

const NPM = join(import.meta.dirname, '../..')
const startByNpm = (...words: string[]) =>
  start('npm', ['run', 'tapefold', '--', ...words], { cwd: NPM })

test.each<[NodeJS.Signals, number | string]>([
  ['SIGTERM', 0],
  ['SIGINT', 0],
  ['SIGHUP', 'SIGHUP'],
  ['SIGKILL', 'SIGKILL'],
])('%s to npm ends the server that it runs, and the port is free', async (signal, ended) => {
  const server = startByNpm(...serving())
  expect(await stopAt('its watcher watches', server, { signal })).toBe(ended)
  await expectNothingLeft(server)
  expect(errorLines(server.text())).toEqual([])
})

test('npm ends with the exit code of the command, and Node is the pinned one', async () => {
  const path = { ...process.env, PATH: '/usr/bin:/bin' }
  const none = start('npm', ['run', '-s', 'tapefold', '--', 'nonsense'], { cwd: NPM, env: path })
  expect(await none.ended).toBe(2)
  expect(none.text()).toBe('tapefold: there is no command nonsense; "tapefold help" lists them.\n')
  const help = start(ENTRANCE, ['help'], { cwd: dataFolder, env: { PATH: '/usr/bin:/bin' } })
  expect(await help.ended).toBe(0)
  expect(help.text()).toMatch(/^tapefold: large SPX options orders/)
})

test.each<[words: string[], said: string, ended: number]>([
  [['watch'], 'watching for alerts', 0],
  [['serve', '--roles', 'watch'], 'watching for alerts', 0],
  [['schedule'], 'waiting for sessions to finish', 0],
  [['webhook', 'listen', '--port', '0'], 'listening at http', 0],
  // it publishes each step whole, and a signal ends it between any two
  [['feed', '2016-06-01', '--spool', '.'], '', 143],
])(
  '%j passes a signal on to the process that works, and ends with it',
  async (words, text, code) => {
    const env = { ...process.env, TAPEFOLD_WEBHOOK_SECRET: 'whsec_of_a_test' }
    const started = start(ENTRANCE, [...words, '--data', dataFolder], { cwd: dataFolder, env })
    const isAtWork = () =>
      text === '' ? existsSync(join(dataFolder, 'work')) : started.text().includes(text)
    await waitUntil('it works', isAtWork)
    process.kill(started.pid, 'SIGTERM')
    expect(await started.ended).toBe(code)
    await expectNothingLeft(started)
  },
)
