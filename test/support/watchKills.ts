// Watchers in processes of their own, killed at random while they take minutes.

import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instantMs } from '../../src/core/market/calendar.ts'
import { COMMAND_PROCESS } from '../../src/core/pipeline.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { type MadeSession, openMaker, quietStates } from './madeMinutes.ts'
import { randomNumbers } from './random.ts'
import {
  accountFile,
  type Listed,
  listEvents,
  newAccount,
  openWatching,
  setAlert,
} from './watching.ts'

const DAY = '2026-10-15'

/** Every three minutes the price crosses a line and the flip, and an order comes each minute. */
function busySession(): MadeSession {
  const minutes = Object.keys(quietStates(DAY, {}, { until: '11:30' }))
  const spots = minutes.map((minute, index) => [minute, { spot: index % 6 < 3 ? 6005 : 5990 }])
  return {
    day: DAY,
    states: quietStates(DAY, Object.fromEntries(spots), { until: '11:30' }),
    orders: minutes.map((minute, index) => ({ order_id: `o${index}`, visible: `${minute}:30` })),
  }
}

export type Killed = {
  readonly kills: number
  readonly events: readonly Listed[]
  /** The same without a kill. */
  readonly expected: readonly Listed[]
}

/** Kills two watchers so often, each time while the session has a few more minutes to be taken. */
export async function killWatchers(kills: number, seed: number): Promise<Killed> {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'tapefold-killed-')))
  const [dataFolder, quiet] = folders as [string, string]
  const maker = await openMaker(dataFolder)
  const random = randomNumbers(seed)
  const session = busySession()
  const minutes = Object.keys(session.states)
  try {
    const accountId = await setUp(dataFolder)
    cpSync(accountFile(dataFolder), accountFile(quiet))
    for (let round = 0; round < kills; round++) {
      const until = minutes[Math.floor(((round + 1) / (kills + 1)) * minutes.length)]!
      await maker.runUntil(session, until)
      await Promise.all([killOne(dataFolder, random), killOne(dataFolder, random)])
    }
    await maker.finish(session)
    cpSync(join(dataFolder, 'published'), join(quiet, 'published'), { recursive: true })
    return {
      kills: 2 * kills,
      events: await watchToTheEnd(dataFolder, accountId),
      expected: await watchToTheEnd(quiet, accountId),
    }
  } finally {
    maker.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

async function setUp(dataFolder: string): Promise<string> {
  const accounts = await openAccountStore(accountFile(dataFolder))
  const accountId = await newAccount(accounts)
  const line = { kind: 'price', price: 6000, mode: 'repeat' }
  for (const body of [
    { op: 'add', line },
    { op: 'add', rule: { name: 'all' } },
  ]) {
    await setAlert(accounts, { accountId, atMs: 0, body })
  }
  const url = 'https://a.example/'
  await accounts.outbox.saveEndpoint({ accountId, owner: 'alerts', url, atMs: 1 })
  await accounts.close()
  return accountId
}

/** Starts a watcher and kills it: before its first minute, after its last, or in the middle. */
async function killOne(dataFolder: string, random: () => number): Promise<void> {
  const args = [COMMAND_PROCESS, 'watch', '--json', '--data', dataFolder]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise(done => child.on('close', done))
  const begun = new Promise(done => child.stdout.once('data', done))
  await Promise.race([begun, ended])
  await new Promise(done => setTimeout(done, random() * 300))
  child.kill('SIGKILL')
  await ended
}

async function watchToTheEnd(dataFolder: string, accountId: string): Promise<Listed[]> {
  const clock = { atMs: instantMs(DAY, '20:00') }
  const { tick, accounts, close } = await openWatching({ dataFolder, clock })
  try {
    await tick()
    return await listEvents(accounts, accountId)
  } finally {
    await close()
  }
}

/** Events in their order, without when they were found. */
export const reportedIn = (events: readonly Listed[]) =>
  events.map(({ seq: _, createdAtMs: __, body: { ts: ___, ...body }, ...event }) => {
    return { ...event, body }
  })
