// A process that begins tests of ideas and computes them until none is open, or until it is
// killed: from outside, or by itself at one of its steps. Its arguments are one JSON text. It
// reports to its parent which run each request came to.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { openPool } from '../../src/lab/runs/pool.ts'
import { openRunner } from '../../src/lab/runs/runner.ts'
import type { LabRunStore } from '../../src/lab/store/runTypes.ts'
import { systemTimers } from '../../src/outbox/sending/timers.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { type LabRequest, query } from './labRequests.ts'

export type LabServerProcess = {
  /** Of the account database. */
  readonly place: string
  readonly dataFolder: string
  readonly requests: readonly LabRequest[]
  /** The step at which it kills itself; null: it ends when nothing is open. */
  readonly killAt: number | null
}

/** Its report: the run that a request came to. */
export type LabServerReport = { readonly key: string; readonly run: string }

const given: LabServerProcess = JSON.parse(process.argv[2]!)
const { nowMs } = systemClock
let steps = 0

/** Counts what is done, before and after it, and ends this process at one of the steps. */
function step(): void {
  steps += 1
  if (steps === given.killAt) process.kill(process.pid, 'SIGKILL')
}

async function stepping<Result>(work: () => Promise<Result>): Promise<Result> {
  step()
  const result = await work()
  step()
  return result
}

const accounts = await openAccountStore(given.place)
const { lab } = accounts
const store: LabRunStore = {
  ...lab,
  startRun: start => stepping(() => lab.startRun(start)),
  // looking in vain is no step
  claimRun: async claim => {
    const claimed = await lab.claimRun(claim)
    if (claimed) step()
    return claimed
  },
  endRun: ended => stepping(() => lab.endRun(ended)),
}
const runner = openRunner({
  store,
  nowMs,
  timers: systemTimers,
  lastSession: () => '2026-10-14',
  pool: openPool(join(import.meta.dirname, 'labEngineChild.ts'), given.dataFolder),
  log: { info: () => {}, error: () => {} },
})
const deps = { accounts: { ...accounts, lab: { ...lab, ...store } }, nowMs, runner }
for (const request of given.requests) {
  const { run } = await query(deps, request)
  process.send!({ key: request.key, run: run.id } satisfies LabServerReport)
}
do {
  await runner.sweep()
  await sleep(20)
} while ((await lab.openRuns()).length > 0)
await runner.stop()
await accounts.close()
