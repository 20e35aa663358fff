// A process that begins tests of ideas and computes them until none is open, or until it is killed
// at one of its steps. Its arguments are one JSON text.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LabRunStore } from '../../src/accounts/labRunTypes.ts'
import { openAccountStore } from '../../src/accounts/store.ts'
import { systemClock } from '../../src/clock.ts'
import { beginRun } from '../../src/lab/runs/askRuns.ts'
import { openPool } from '../../src/lab/runs/pool.ts'
import { openRunner } from '../../src/lab/runs/runner.ts'
import { systemTimers } from '../../src/outbox/timers.ts'

export type LabServerProcess = {
  /** Of the account database. */
  readonly place: string
  readonly dataFolder: string
  /** Ideas to be tested, each once. */
  readonly ideas: readonly { readonly accountId: string; readonly id: string }[]
  /** The step at which it kills itself; null: it ends when nothing is open. */
  readonly killAt: number | null
}

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
  ...{ store, nowMs, timers: systemTimers, lastSession: () => '2026-10-14' },
  pool: openPool(join(import.meta.dirname, 'labEngineChild.ts'), given.dataFolder),
  log: { info: () => {}, error: () => {} },
})
const deps = { accounts: { ...accounts, lab: { ...lab, ...store } }, nowMs, rewriter: null, runner }
for (const { accountId, id } of given.ideas) {
  const repeat = { key: id, requestHash: id }
  const asker = { accountId, monthlyCredits: 30 }
  await beginRun(deps, asker, { id, kind: 'backtest' }, repeat)
}
do {
  await runner.sweep()
  await sleep(20)
} while ((await lab.openRuns()).length > 0)
await runner.stop()
await accounts.close()
