// Invariants of tests and credits after any kills: read from the database itself, and from the
// product.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { sha256 } from '../../src/core/disk/files.ts'
import { removeLeftovers } from '../../src/core/disk/work.ts'
import { tradesPath } from '../../src/lab/runs/tradesFile.ts'
import { isPostgresUrl } from '../../src/platform/database/postgres.ts'
import type { ServerStore } from '../../src/server/accountStore.ts'
import { type LabRequest, query } from './labRequests.ts'

export type KilledTest = {
  readonly request: LabRequest
  readonly qty: number
  /** True when nothing more is requested of its idea. */
  isTaken: boolean
}

/** Null of a rule alone. */
export const findIdea = ({ request }: KilledTest): string | null =>
  request.kind === 'struct' ? null : request.id

type Killed = {
  readonly index: string
  readonly dataFolder: string
  readonly store: ServerStore
  readonly tests: readonly KilledTest[]
  readonly runOf: ReadonlyMap<string, string>
}

type Row = Readonly<Record<string, unknown>>

async function listRows(index: string, query: string): Promise<Row[]> {
  if (!isPostgresUrl(index)) {
    const database = new DatabaseSync(index, { readOnly: true })
    const rows = database.prepare(query).all()
    database.close()
    return rows
  }
  const client = new pg.Client({ connectionString: index })
  await client.connect()
  const { rows } = await client.query(query)
  await client.end()
  return rows
}

/** Credits of the plan a month. */
const MONTHLY = 30

/** Checks all of it; returns how many tests are done, and how many failed. */
export async function checkKilled(killed: Killed) {
  const { index, store, tests, runOf } = killed
  const runs = await listRows(index, 'select * from lab_runs')
  const findId = ({ request: { key } }: KilledTest) => runOf.get(key)!
  expect(runs.filter(({ state }) => state !== 'done' && state !== 'failed')).toEqual([])
  // each request came to one run, and each run is of a request
  expect(runs.map(({ id }) => id).sort()).toEqual(tests.map(findId).sort())
  await checkLines(index, runs)
  const { unbalanced, overdrawn } = await store.lab.auditCredits()
  expect([unbalanced, overdrawn]).toEqual([[], []])
  const runById = new Map(runs.map(run => [String(run.id), run]))
  const found = { done: 0, failed: 0, cutOff: 0 }
  const listTrades = new Map<string, Set<string>>()
  for (const test of tests) {
    const run = runById.get(findId(test))!
    const isDone = await checkTest(killed, test, run)
    found[isDone ? 'done' : 'failed'] += 1
    if (!isDone && test.qty === 1) found.cutOff += 1
    if (isDone) {
      const { kind } = test.request
      const known = listTrades.get(kind) ?? new Set()
      listTrades.set(kind, known.add(String(run.trades_sha256)))
    }
  }
  // the same rule on the same market, however often it was begun
  for (const hashes of listTrades.values()) expect(hashes.size).toBe(1)
  // what engines were writing when they were killed goes with the next build
  removeLeftovers(killed.dataFolder)
  const files = readdirSync(join(killed.dataFolder, 'lab', 'runs'))
  expect(
    files.filter(file => !runById.has(file.replace(/\.parquet$|-[0-9a-f]{8}\.sealed$/, ''))),
  ).toEqual([])
  const held = await listRows(index, 'select * from lab_conveyor')
  const tested = tests.filter(
    test => test.request.kind === 'backtest' && runById.get(findId(test))!.state === 'done',
  )
  // no idea is held but by a backtest that is done
  expect(held.map(row => row.idea_id).sort()).toEqual(tested.map(findIdea).sort())
  return found
}

/** Two lines an event which sum to 0; a spend for each run, and a refund for each that failed. */
async function checkLines(index: string, runs: readonly Row[]): Promise<void> {
  const lines = await listRows(index, 'select * from lab_credit_lines')
  const byEvent = Map.groupBy(
    lines,
    ({ account_id, event, ref }) => `${account_id} ${event} ${ref}`,
  )
  for (const [name, both] of byEvent) {
    const sum = both.reduce((total, { amount }) => total + Number(amount), 0)
    expect([name, both.length, sum]).toEqual([name, 2, 0])
  }
  const listEvents = (kind: string) => [...byEvent.keys()].filter(key => key.includes(` ${kind} `))
  const named = (kind: string, of: readonly Row[]) =>
    of.map(({ account_id, id }) => `${account_id} ${kind} ${id}`).sort()
  expect(listEvents('spend').sort()).toEqual(named('spend', runs))
  const failed = runs.filter(({ state }) => state === 'failed')
  expect(listEvents('refund').sort()).toEqual(named('refund', failed))
  expect(new Set(failed.map(({ refunded }) => Number(refunded))).difference(new Set([1]))).toEqual(
    new Set(),
  )
}

/** One test as the product reports it; returns whether it is done. */
async function checkTest(
  { store, dataFolder, tests, runOf }: Killed,
  test: KilledTest,
  row: Row,
): Promise<boolean> {
  const { lab } = store
  const { accountId, kind } = test.request
  const id = findIdea(test)
  const run = (await lab.findRun(accountId, String(row.id)))!
  const isDone = run.state === 'done'
  expect(run).toMatchObject({ kind, ideaId: id, isRefunded: !isDone, worker: null })
  const result = await lab.readResult(accountId, run.id)
  const deps = { accounts: store, nowMs: systemClock.nowMs }
  const again = await query({ ...deps, runner: { wake: () => {} } }, test.request)
  expect(again).toEqual({ run, isReplay: true })
  if (isDone) {
    expect(test.qty).toBe(1)
    expect(JSON.parse(result!)).toMatchObject({ kind, job: run.id })
    expect(sha256(readFileSync(tradesPath(dataFolder, run.id)))).toBe(run.tradesSha256)
  } else {
    expect([result, run.error]).toEqual([null, expect.stringMatching(/\.$/)])
  }
  const isOwn = (one: KilledTest) => one.request.accountId === accountId
  const states = tests.filter(isOwn).map(async ({ request: { key } }) => {
    return (await lab.findRun(accountId, runOf.get(key)!))!.state
  })
  const doneCount = (await Promise.all(states)).filter(state => state === 'done').length
  const { monthly } = await lab.balance({
    accountId,
    atMs: systemClock.nowMs(),
    monthly: MONTHLY,
  })
  expect(monthly).toBe(MONTHLY - doneCount)
  if (id === null) return isDone
  const { stage } = (await lab.findIdea(accountId, id))!
  const tested = await lab.findDone(accountId, id, 'backtest')
  const ready = await lab.findDone(accountId, id, 'quant')
  expect(stage).toBe(ready ? 'ready' : tested ? 'tested' : 'rule')
  const { holder, run: open } = await lab.conveyor(accountId)
  expect([holder, open]).toEqual([tested ? id : null, null])
  return isDone
}
