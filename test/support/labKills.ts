// Kills servers and engines in the middle of tests of ideas, and tells what became of the credits.

import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openAccountStore } from '../../src/accounts/store.ts'
import type { AccountStore } from '../../src/accounts/types.ts'
import { systemClock } from '../../src/clock.ts'
import { canonicalJson, canonicalSpec } from '../../src/lab/language/spec.ts'
import { rule } from '../lab/engine/market.ts'
import { BEHAVIOURS } from './labBehaviours.ts'
import { keepIdea } from './labRuns.ts'
import type { LabServerProcess } from './labServerProcess.ts'
import { randomNumbers } from './random.ts'

const SCRIPT = join(import.meta.dirname, 'labServerProcess.ts')
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Tests of a round, each of an account of its own: answered, failed, engine killed, answered. */
const QTYS = [1, BEHAVIOURS.fails, BEHAVIOURS.dies, 1] as const
/** After so many kills of the server a clean one. */
const KILLS_IN_A_ROW = 3
/** Steps of a round: begins, claims and ends. */
const STEPS_MAX = 5 * QTYS.length

function run(given: LabServerProcess): Promise<{ code: number | null; signal: string | null }> {
  const child = fork(SCRIPT, [JSON.stringify(given)], { stdio: 'inherit' })
  return new Promise(done => child.once('exit', (code, signal) => done({ code, signal })))
}

type Idea = { readonly accountId: string; readonly id: string; readonly qty: number }

/** Kills so many servers at random steps, and checks every test and every credit. */
export async function killRuns(killCount: number, seed: number, place?: string): Promise<void> {
  const dataFolder = mkdtempSync(join(FOLDER, 'tapefold-lab-kills-'))
  const database = place ?? join(dataFolder, 'accounts.sqlite')
  const store = await openAccountStore(database)
  const random = randomNumbers(seed)
  const all: Idea[] = []
  try {
    for (let kills = 0; kills < killCount; ) {
      const ideas = await newIdeas(store)
      all.push(...ideas)
      const given = { place: database, dataFolder, ideas }
      for (let row = 0; row < KILLS_IN_A_ROW && kills < killCount; row++) {
        const killAt = 1 + Math.floor(random() * STEPS_MAX)
        // with nothing left to do it ends before that step
        if ((await run({ ...given, killAt })).signal === 'SIGKILL') kills += 1
      }
      expect(await run({ ...given, killAt: null })).toMatchObject({ code: 0 })
    }
    for (const idea of all) await check(store, idea)
    const { unbalanced, overdrawn } = await store.lab.auditCredits()
    expect([unbalanced, overdrawn]).toEqual([[], []])
    expect(await store.lab.openRuns()).toEqual([])
  } finally {
    await store.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function newIdeas(store: AccountStore): Promise<Idea[]> {
  const ideas: Idea[] = []
  for (const qty of QTYS) {
    const { id: accountId } = await store.addAccount({ name: 'a', plan: 'lab', createdAtMs: 1 })
    const spec = canonicalSpec(
      rule({ qty, width: 10, strike: { ref: 'spot', offset: -10 }, exit: [{ at: 'expiry' }] }),
    )
    ideas.push({ accountId, id: await keepIdea(store, accountId, canonicalJson(spec)), qty })
  }
  return ideas
}

/** One test an idea, spent once; done, or failed with its credit back and nothing else moved. */
async function check({ lab }: AccountStore, { accountId, id, qty }: Idea): Promise<void> {
  const idea = (await lab.findIdea(accountId, id))!
  const done = await lab.findDone(accountId, id, 'backtest')
  const { monthly } = await lab.balance({ accountId, atMs: systemClock.nowMs(), monthly: 30 })
  const { holder, run } = await lab.conveyor(accountId)
  expect(run).toBeNull()
  expect([idea.stage, holder, monthly]).toEqual(done ? ['tested', id, 29] : ['rule', null, 30])
  if (qty !== 1) expect(done).toBeNull()
  if (done) expect(await lab.readResult(accountId, done.id)).toContain(`"job":"${done.id}"`)
}
