// Run by hand: node test/support/measureSharedTasks.ts [TASKS] [WORKERS] [KILLS] [CRASHES]. Prints
// the share of the ideal of stub tasks that workers of one PostgreSQL do, with kills of workers and
// crashes of the server, and how many workers were busy in each second.

import { loadavg } from 'node:os'
import { startPostgres } from './postgres.ts'
import { waitUntil } from './processes.ts'
import { randomNumbers } from './random.ts'
import { findSpans, judge, openFleet, stubTasks } from './sharedTasks.ts'

const DEFAULTS = [500, 4, 6, 1]
const given = process.argv.slice(2).map(Number)
const [count, workerCount, kills, crashes] = DEFAULTS.map((value, index) => given[index] ?? value)

const folds = Math.round(count! * 0.9)
const tasks = stubTasks(folds, count! - folds, 2)
const random = randomNumbers(3)
// the server does not keep this process alive
const alive = setInterval(() => {}, 60_000)
const server = await startPostgres()
const fleet = openFleet(await server.newDatabase(), tasks)
await Promise.all(Array.from({ length: workerCount! }, fleet.addWorker))
const submitter = fleet.submit()
const countBegun = () => fleet.log().filter(({ what }) => what === 'begin').length
let crashed = 0
for (let kill = 1; kill <= kills!; kill++) {
  const begun = Math.floor((kill * folds) / (kills! + 1))
  await waitUntil(`${begun} tasks begin`, () => countBegun() >= begun)
  const victims = fleet.readyWorkers()
  await fleet.kill(victims[Math.floor(random() * victims.length)]!)
  fleet.startWorker()
  if (kill < ((crashed + 1) * kills!) / (crashes! + 1)) continue
  if (crashed === crashes) continue
  crashed += 1
  await server.crash()
  await server.restart()
}
await submitter.ended
const log = fleet.log()
const { lastedMs, doneMs, upMs, lost, doubled, overlapMs } = judge(log, tasks, submitter.pid)
process.stdout.write(
  `${tasks.length} tasks, ${workerCount} workers, ${kills} kills, ${crashed} crashes: ` +
    `${(lastedMs / 1_000).toFixed(1)} s, ${(doneMs / (lastedMs * workerCount!)).toFixed(2)} of the ` +
    `ideal, ${(doneMs / upMs).toFixed(2)} while workers are up; ${lost.length} lost, ` +
    `${doubled.length} doubled, longest overlap ${overlapMs} ms, load ${loadavg()[0]!.toFixed(0)}\n`,
)
const { spans } = findSpans(log)
const firstMs = Math.min(...spans.map(({ fromMs }) => fromMs))
const busy = Array.from({ length: Math.ceil(lastedMs / 1_000) }, (_, second) => {
  const [fromMs, toMs] = [firstMs + second * 1_000, firstMs + (second + 1) * 1_000]
  const shares = spans
    .filter(({ isDone }) => isDone)
    .map(span => Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs)))
  return shares.reduce((sum, ms) => sum + ms, 0) / 1_000
})
process.stdout.write(`busy workers by second: ${busy.map(each => each.toFixed(1)).join(' ')}\n`)
await fleet.end()
await server.stop()
clearInterval(alive)
