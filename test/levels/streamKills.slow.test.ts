// Server processes that are killed under their streams: clients that come back to whichever server
// there is, with the id of their last event, have each event once.

import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { minutesAfter } from '../../src/core/market/calendar.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { isChaos } from '../support/chaos.ts'
import { type ClientEvent, openEventClient } from '../support/eventClient.ts'
import { publishLevels } from '../support/levels.ts'
import { randomNumbers } from '../support/random.ts'

const SERVER = join(import.meta.dirname, '../support/streamServerProcess.ts')
const TODAY = '2026-10-15'
const LAST = '11:40'
const MINUTES = Array.from({ length: 129 }, (_, at) => minutesAfter('09:32', at))
/** Seconds of the session in one of the test: a state a second, or every four for all kills. */
const SPEED = isChaos ? 15 : 60
const CLIENTS = 24
const STREAMS_PER_KEY = 3

let api: TestApi
let keys: readonly string[]
beforeAll(async () => {
  api = await startTestApi()
  const has = ['strikes', 'basis'] as const
  await publishLevels(api.dataFolder, { day: TODAY, until: LAST, has, isLive: true, seed: 2 })
  const count = CLIENTS / STREAMS_PER_KEY
  keys = await Promise.all(
    Array.from({ length: count }, async () => (await api.newKey('live', 'live')).key),
  )
})
afterAll(() => api.close())

type Running = { readonly child: ChildProcess; readonly url: string }

/** Starts a server; its clock is the one of all. */
async function startOne(startMs: number, beganMs: number): Promise<Running> {
  const args = [api.dataFolder, startMs, beganMs, SPEED].map(String)
  const child = fork(SERVER, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const url = await new Promise<string>((done, fail) => {
    child.once('message', message => done(String(message)))
    child.once('exit', code => fail(new Error(`a server ended with ${code}`)))
  })
  return { child, url }
}

test('killed servers lose and double no event of any client', async () => {
  const beganMs = systemClock.nowMs()
  const startMs = Date.parse(`${TODAY}T09:31:30-04:00`)
  const servers: (Running | null)[] = [
    await startOne(startMs, beganMs),
    await startOne(startMs, beganMs),
  ]
  const random = randomNumbers(11)
  const isDone = (events: readonly ClientEvent[]) => events.at(-1)?.id === `${TODAY}T${LAST}`
  let severed = 0

  const follow = async (number: number): Promise<readonly ClientEvent[]> => {
    const key = keys[Math.floor(number / STREAMS_PER_KEY)]!
    const seen: ClientEvent[] = []
    while (!isDone(seen)) {
      const server = servers[Math.floor(random() * 2)]
      const lastId = seen.at(-1)?.id ?? `${TODAY}T09:31`
      try {
        const address = `${server!.url}/api/v1/stream?sym=SPX`
        const client = await openEventClient(address, { key, lastId })
        expect(client.status).toBe(200)
        while (!isDone([...seen, ...client.events])) {
          const ended = client.ended.then(() => 'ended')
          if ((await Promise.race([ended, sleep(100)])) !== 'ended') continue
          severed++
          break
        }
        client.close()
        await client.ended
        seen.push(...client.events)
      } catch (error) {
        // no server there, or killed before its response
        if (!(error instanceof TypeError)) throw error
        await sleep(50)
      }
    }
    return seen
  }

  const clients = Array.from({ length: CLIENTS }, (_, number) => follow(number))
  let isOver = false
  const all = Promise.all(clients).finally(() => {
    isOver = true
  })
  all.catch(() => {})
  let kills = 0
  for (let at = 0; !isOver; at = 1 - at) {
    await sleep(200 + random() * 800)
    const server = servers[at]!
    servers[at] = null
    const ended = new Promise(done => server.child.once('exit', done))
    server.child.kill('SIGKILL')
    await ended
    kills++
    servers[at] = await startOne(startMs, beganMs)
  }
  const seen = await all
  // what a client has that is never disturbed
  const whole = await openEventClient(`${servers[0]!.url}/api/v1/stream?sym=SPX`, {
    key: keys[0]!,
    lastId: `${TODAY}T09:31`,
  })
  await whole.until(MINUTES.length)
  whole.close()
  for (const server of servers) server!.child.disconnect()
  process.stdout.write(`${kills} servers killed, ${severed} streams severed, ${CLIENTS} clients\n`)
  expect(whole.events.map(({ id }) => id)).toEqual(MINUTES.map(minute => `${TODAY}T${minute}`))
  for (const events of seen) expect(events).toEqual(whole.events)
  expect(kills).toBeGreaterThan(isChaos ? 150 : 0)
  expect(severed).toBeGreaterThan(0)
})
