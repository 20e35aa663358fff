// Kills servers and engines in the middle of tests of ideas: servers at their steps and at any
// instant, alone and with another one, and engines at any instant.

import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { isRunning } from '../../src/core/disk/process.ts'
import { canonicalJson, canonicalSpec, type RuleSpec } from '../../src/lab/language/spec.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { rule } from '../lab/engine/market.ts'
import { BEHAVIOURS, ENGINES_FOLDER } from './labBehaviours.ts'
import { checkKilled, findIdea, type KilledTest } from './labKillChecks.ts'
import type { LabRequest } from './labRequests.ts'
import { keepIdea } from './labRuns.ts'
import type { LabServerProcess, LabServerReport } from './labServerProcess.ts'
import { randomNumbers } from './random.ts'

const SCRIPT = join(import.meta.dirname, 'labServerProcess.ts')
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Victim of a kill: a server at a step or at any instant, one of two so, an engine so. */
const KILLS = ['step', 'server', 'pair', 'engine'] as const
type Kill = (typeof KILLS)[number]
/** Kills, one after the other, while the same tests are requested. */
const ROUNDS: readonly (readonly Kill[])[] = [
  ['server', 'engine'],
  ['step', 'pair'],
  ['step', 'engine'],
]
/** After these nothing is open: a server lived on. */
const isLast = (kill: Kill) => kill === 'pair' || kill === 'engine'

type Killing = {
  readonly index: string
  readonly dataFolder: string
  readonly store: ServerStore
  /** Independent of other kills: how often others were repeated changes nothing of it. */
  random: () => number
  /** The request, and the first run that it came to. */
  readonly tests: KilledTest[]
  readonly runOf: Map<string, string>
  /** Of a server that nobody kills, milliseconds from its start to its first engine and its end. */
  life: { readonly engineMs: number; readonly endMs: number }
}

/** Kills so many servers and engines, a third each in its way, and checks every test and credit. */
export async function killRuns(killCount: number, seed: number, given?: string): Promise<Reported> {
  const dataFolder = mkdtempSync(join(FOLDER, 'tapefold-lab-kills-'))
  mkdirSync(join(dataFolder, ENGINES_FOLDER))
  const index = given ?? join(dataFolder, 'accounts.sqlite')
  const store = await openAccountStore(index)
  const killing: Killing = {
    index,
    dataFolder,
    store,
    random: randomNumbers(seed),
    tests: [],
    runOf: new Map(),
    life: { engineMs: 0, endMs: 0 },
  }
  const reported = { step: 0, server: 0, pair: 0, engine: 0 }
  try {
    await learnLife(killing)
    let kills = 0
    for (let round = 0; kills < killCount; round++) {
      killing.random = randomNumbers(1000 * seed + kills)
      let requests = await newRequests(killing)
      let isOver = false
      for (const kill of ROUNDS[round % ROUNDS.length]!.slice(0, killCount - kills)) {
        killing.random = randomNumbers(1000 * seed + 500 + kills)
        // a draw may come after the end: then all of it is done, and others are requested
        while (!(await KILLERS[kill](killing, requests))) requests = await newRequests(killing)
        isOver = isLast(kill)
        reported[kill] += 1
        kills += 1
      }
      if (!isOver) await live(start(killing, requests))
    }
    const found = await checkKilled(killing)
    return { ...reported, ...found }
  } finally {
    await store.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

/** How many kills there were of each kind, and what became of the tests. */
export type Reported = Readonly<Record<Kill, number>> & Awaited<ReturnType<typeof checkKilled>>

/** Requests of accounts of their own, and variants of the ideas whose backtests have survived. */
async function newRequests({ store, random, tests }: Killing): Promise<LabRequest[]> {
  const requests: LabRequest[] = []
  const take = (test: KilledTest) => {
    tests.push(test)
    requests.push(test.request)
  }
  const newAccount = async () =>
    (await store.addAccount({ name: 'a', plan: 'lab', createdAtMs: 1 })).id
  for (const test of tests.filter(({ isTaken }) => !isTaken)) {
    const { accountId } = test.request
    const id = findIdea(test)!
    test.isTaken = true
    if (!(await store.lab.findDone(accountId, id, 'backtest'))) continue
    const quant = { accountId, kind: 'quant', id, key: `quant ${id}` } as const
    take({ qty: 1, isTaken: true, request: quant })
  }
  const { fails, dies, refuses } = BEHAVIOURS
  const odd = [fails, dies, refuses, 1][Math.floor(random() * 4)]!
  for (const qty of [1, odd]) {
    const accountId = await newAccount()
    const spec = findRule(qty)
    const id = await keepIdea(store, accountId, canonicalJson(spec))
    const backtest = { accountId, kind: 'backtest', id, key: `backtest ${id}` } as const
    take({ qty, isTaken: false, request: backtest })
    if (qty !== 1 || random() < 0.5) continue
    const struct = { accountId, kind: 'struct', spec, key: `struct ${id}` } as const
    take({ qty, isTaken: true, request: struct })
  }
  return requests
}

const findRule = (qty: number): RuleSpec =>
  canonicalSpec(
    rule({ qty, width: 10, strike: { ref: 'spot', offset: -10 }, exit: [{ at: 'expiry' }] }),
  )

type Server = {
  readonly child: ChildProcess
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
  isEnded: boolean
}

/** Starts a server; its report of a request is compared with the earlier one. */
function start(
  { index, dataFolder, runOf }: Killing,
  requests: readonly LabRequest[],
  killAt: number | null = null,
): Server {
  const given: LabServerProcess = { place: index, dataFolder, requests, killAt }
  const child = fork(SCRIPT, [JSON.stringify(given)], { stdio: 'inherit' })
  const {
    promise: ended,
    resolve,
    reject,
  } = Promise.withResolvers<{
    code: number | null
    signal: string | null
  }>()
  const server: Server = { child, ended, isEnded: false }
  child.on('message', reported => {
    const { key, run } = reported as LabServerReport
    if (!runOf.has(key)) runOf.set(key, run)
    if (runOf.get(key) !== run) reject(new Error(`${key} was ${runOf.get(key)}, and now ${run}`))
  })
  child.once('exit', (code, signal) => {
    server.isEnded = true
    resolve({ code, signal })
  })
  return server
}

/** Lets a server come to its end. */
async function live({ ended }: Server): Promise<void> {
  expect(await ended).toEqual({ code: 0, signal: null })
}

/** Lifetime of a server that nobody kills. */
async function learnLife(killing: Killing): Promise<void> {
  const startedMs = systemClock.nowMs()
  const server = start(killing, await newRequests(killing))
  await firstEngine(killing, server)
  const engineMs = systemClock.nowMs() - startedMs
  await live(server)
  killing.life = { engineMs, endMs: systemClock.nowMs() - startedMs }
}

/** The engines of a server that run. */
const listEngines = ({ dataFolder }: Killing, { child }: Server): number[] =>
  readdirSync(join(dataFolder, ENGINES_FOLDER))
    .map(name => name.split('-').map(Number))
    .filter(([server, engine]) => server === child.pid && isRunning(engine!))
    .map(([, engine]) => engine!)

async function firstEngine(killing: Killing, server: Server): Promise<void> {
  while (!server.isEnded && listEngines(killing, server).length === 0) await sleep(2)
}

/** Kills in each way, once; false where there was nothing left to kill, and so nothing is open. */
const KILLERS: Readonly<
  Record<Kill, (killing: Killing, requests: readonly LabRequest[]) => Promise<boolean>>
> = {
  step: async (killing, requests) => {
    // begins, claims and ends
    const killAt = 1 + Math.floor(killing.random() * 5 * requests.length)
    return isKilled(start(killing, requests, killAt))
  },
  server: async (killing, requests) => {
    const instantMs = killing.random() * killing.life.endMs
    const server = start(killing, requests)
    await Promise.race([sleep(instantMs), server.ended])
    server.child.kill('SIGKILL')
    return isKilled(server)
  },
  pair: async (killing, requests) => {
    const instantMs = killing.random() * killing.life.endMs
    const [victim, other] = [start(killing, requests), start(killing, requests)]
    await Promise.race([sleep(instantMs), victim.ended])
    victim.child.kill('SIGKILL')
    const killed = await isKilled(victim)
    await live(other)
    return killed
  },
  engine: async (killing, requests) => {
    const { engineMs, endMs } = killing.life
    const [asOf, which] = [killing.random(), killing.random()]
    const server = start(killing, requests)
    await firstEngine(killing, server)
    await Promise.race([sleep(asOf * (endMs - engineMs)), server.ended])
    const engines = server.isEnded ? [] : listEngines(killing, server)
    const engine = engines[Math.floor(which * engines.length)]
    if (engine !== undefined) process.kill(engine, 'SIGKILL')
    await live(server)
    return engine !== undefined
  },
}

async function isKilled(server: Server): Promise<boolean> {
  const { code, signal } = await server.ended
  if (signal !== 'SIGKILL') expect([code, signal]).toEqual([0, null])
  return signal === 'SIGKILL'
}
