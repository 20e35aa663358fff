// Run by hand: node test/support/measureSessions.ts [SESSIONS] [REVISIONS]. Prints what thousands of
// published sessions cost: how long servers hold their event loops, how soon two of them list a new
// revision, and how long the commands take that look at all sessions.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { planTasks } from '../../pipelines/upkeep/tasks.ts'
import { monotonicMs, systemClock } from '../../src/core/clock.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { LOOK_MAX } from '../../src/data/published/look.ts'
import { refuseNewer } from '../../src/data/published/manifest.ts'
import { renewViews } from '../../src/data/published/publish.ts'
import { startServer } from '../../src/server/main.ts'
import { statusText } from '../../src/status/statusCommand.ts'
import { lastSessions, publishMany, publishNamed } from './manySessions.ts'
import { randomNumbers } from './random.ts'
import { quantile } from './sharedTasks.ts'

const LAST = '2026-10-15'
const QUIET_MS = 10_000
const POLL_MS = 20

type Delays = { readonly p50: number; readonly p99: number; readonly max: number }

/** Serves a folder; reports the delays of its event loop, in milliseconds, on each message. */
async function serve(dataFolder: string): Promise<void> {
  const log = { info: () => {}, error: () => {} }
  const pageLimit = { atOnce: 1_000_000, perSecond: 1_000 }
  const address = { host: '127.0.0.1', port: 0 }
  const server = await startServer({ dataFolder, ...address, clock: systemClock, log, pageLimit })
  const delays = monitorEventLoopDelay({ resolution: 1 })
  process.on('message', () => {
    const [p50, p99] = [50, 99].map(share => delays.percentile(share) / 1e6)
    process.send!({ p50, p99, max: delays.max / 1e6 })
    delays.reset()
  })
  process.on('disconnect', () => server.close())
  process.send!(server.url)
  delays.enable()
}

type Served = { readonly child: ChildProcess; readonly url: string }

async function startServing(dataFolder: string): Promise<Served> {
  const child = spawn(process.execPath, [import.meta.filename, 'serve', dataFolder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [url] = await once(child, 'message')
  return { child, url }
}

async function readDelays({ child }: Served): Promise<Delays> {
  child.send('delays')
  const [delays] = await once(child, 'message')
  return delays
}

/** Milliseconds until a server lists a revision of a day, from now on. */
async function untilListed({ url }: Served, date: string, revision: string): Promise<number> {
  const startMs = monotonicMs()
  for (let etag = ''; ; await sleep(POLL_MS)) {
    // compressing half a megabyte takes longer than the look
    const headers = { 'if-none-match': etag, 'accept-encoding': 'identity' }
    const response = await fetch(`${url}/api/days`, { headers })
    const body = await response.text()
    etag = response.headers.get('etag') ?? etag
    if (body.includes(`"day":"${date}","revision":"${revision}"`)) return monotonicMs() - startMs
  }
}

const print = (line: string) => void process.stdout.write(`${line}\n`)
const ms = (value: number) => `${value.toFixed(1)} ms`
const load = () => `load ${loadavg()[0]!.toFixed(1)}`

async function time(what: string, work: () => unknown): Promise<void> {
  const startMs = monotonicMs()
  await work()
  print(`${what}: ${ms(monotonicMs() - startMs)}`)
}

/** CPU time of looks, and of the turns of the event loop in which they go on. */
async function measureLooks(dataFolder: string, dates: readonly string[]): Promise<void> {
  const { nowMs } = systemClock
  const catalog = openCatalog({ dataFolder, nowMs, log: { error: () => {} } })
  await time('the first look, which reads all manifests', catalog.sessions)
  const looks: number[] = []
  const turns: number[] = []
  // time of this thread alone: other processes may be on its core
  const used = (before: NodeJS.CpuUsage) => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
  for (let round = 0; round < 60; round++) {
    if (round % 2 === 1)
      publishNamed(dataFolder, dates[round]!, { codeVersion: 'test', edition: 1 })
    await sleep(250)
    let before = process.threadCpuUsage()
    catalog.sessions()
    looks.push(used(before))
    for (let count = 0; count < dates.length / LOOK_MAX + 2; count++) {
      before = process.threadCpuUsage()
      await setImmediate()
      turns.push(used(before))
    }
  }
  for (const [what, times] of Object.entries({ looks, turns })) {
    times.sort((a, b) => a - b)
    const [half, most] = [0.5, 0.99].map(share => ms(quantile(times, share)))
    print(
      `CPU of ${times.length} ${what === 'looks' ? what : 'turns of the event loop after them'}, ` +
        `half of them after a publish: ${half} (half), ${most} (99 %), ${ms(times.at(-1)!)} (all)`,
    )
  }
}

async function measureServers(
  dataFolder: string,
  dates: readonly string[],
  revisions: number,
): Promise<void> {
  const few = mkdtempSync(join(tmpdir(), 'tapefold-few-'))
  publishMany(few, dates.slice(-2), 'test')
  const servers = await Promise.all([dataFolder, dataFolder, few].map(startServing))
  const names = [`${dates.length} sessions`, `${dates.length} sessions`, '2 sessions']
  const printDelays = async (what: string) => {
    for (const [index, server] of servers.entries()) {
      const { p50, p99, max } = await readDelays(server)
      const figures = `${ms(p50)} (half), ${ms(p99)} (99 %), ${ms(max)} (longest)`
      print(`${what}, ${names[index]}: event loop late by ${figures}, ${load()}`)
    }
  }
  await sleep(1_000)
  for (const server of servers) await readDelays(server)
  await sleep(QUIET_MS)
  await printDelays('nothing published')
  const random = randomNumbers(1)
  const seenMs: number[] = []
  for (let edition = 2; edition < revisions + 2; edition++) {
    const date = dates[Math.floor(random() * dates.length)]!
    const { revision } = publishNamed(dataFolder, date, { codeVersion: 'test', edition })
    const seen = servers.slice(0, 2).map(server => untilListed(server, date, revision))
    seenMs.push(...(await Promise.all(seen)))
    await sleep(random() * 500)
  }
  await printDelays(`${revisions} revisions published, lists read every ${POLL_MS} ms`)
  seenMs.sort((a, b) => a - b)
  const [half, most] = [quantile(seenMs, 0.5), quantile(seenMs, 0.99)]
  print(
    `a new revision is listed by each of 2 servers after ${ms(half)} (half), ${ms(most)} (99 %), ` +
      `${ms(seenMs.at(-1)!)} (all), ${load()}`,
  )
  for (const { child } of servers) child.disconnect()
  await Promise.all(servers.map(({ child }) => once(child, 'exit')))
  rmSync(few, { recursive: true })
}

async function measure(count: number, revisions: number): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-many-'))
  const dates = lastSessions(count, LAST)
  const version = codeVersion()
  await time(`${count} sessions published, ${load()}`, () =>
    publishMany(dataFolder, dates, version),
  )
  const range = { dataFolder, from: dates[0]!, to: dates.at(-1)!, version }
  await time('plan, all up to date', () => planTasks(range))
  await time('plan of all, forced', () => planTasks({ ...range, isForced: true }))
  await time('search for a newer version, by each build', () => refuseNewer(dataFolder))
  await time('renewal of views.sql and the lists', () => renewViews(dataFolder))
  await time('status', () => statusText(dataFolder))
  await measureLooks(dataFolder, dates)
  await measureServers(dataFolder, dates, revisions)
  rmSync(dataFolder, { recursive: true })
}

const [first, second] = process.argv.slice(2)
if (first === 'serve') await serve(second!)
else await measure(Number(first ?? 5_000), Number(second ?? 60))
