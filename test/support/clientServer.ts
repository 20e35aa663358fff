// A server of simulated sessions for the clients of other languages, and how their programs run.

import '../../src/server/registerAreas.ts'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runLabColumnsStep } from '../../pipelines/build/labColumns.ts'
import { silent } from '../../pipelines/command/progress.ts'
import { runHistory } from '../../pipelines/simulate/minuteSessions.ts'
import type { ServerOptions } from '../../src/server/main.ts'
import { startTestApi, type TestApi } from './api.ts'
import { copySample, copySmallSession } from './builtSession.ts'
import { copyMade } from './madeOnce.ts'

/** The built session. */
const DAY = '2026-10-15'
/** Newest of the sessions of minutes before it, on which LAB tests rules. */
const BEFORE = '2026-10-14'
const SESSIONS = 12

export type ClientServer = {
  readonly api: TestApi
  /** Variables that clients read: the address, and a key of each product. */
  readonly environment: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

/** A server on a built session and sessions of minutes, with a key of each product. */
export async function startClientServer(
  options: Partial<ServerOptions> = {},
): Promise<ClientServer> {
  const root = mkdtempSync(join(tmpdir(), 'tapefold-clients-'))
  const dataFolder = join(root, 'data')
  await copyMade('clients', dataFolder, makeData)
  const api = await startTestApi({ ...options, dataFolder })
  api.clock.atMs = Date.parse('2026-10-16T16:00:00Z')
  // no address of a test is dialled: events are queued, and a notebook replays them to itself
  const url = 'https://hooks.example/alerts'
  const { accountId } = api
  await api.accounts.outbox.saveEndpoint({ accountId, owner: 'alerts', url, atMs: 1 })
  const { key: live } = await api.newKey('live', 'live')
  const { key: labKey } = await api.newKey('lab', 'lab')
  const { key: dataset } = await api.newKey('dataset', 'dataset')
  return {
    api,
    environment: {
      TAPEFOLD_URL: api.url,
      TAPEFOLD_ACCOUNT: api.accountId,
      TAPEFOLD_ORDERS_KEY: api.key,
      TAPEFOLD_LIVE_KEY: live,
      TAPEFOLD_LAB_KEY: labKey,
      TAPEFOLD_DATASET_KEY: dataset,
      TAPEFOLD_PROGRAM: resolve('bin/tapefold'),
      TAPEFOLD_DATA_FOLDER: dataFolder,
    },
    close: async () => {
      await api.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** A built session, sessions of minutes before it, and a sample. */
async function makeData(dataFolder: string): Promise<void> {
  await copySmallSession(dataFolder, DAY)
  await runLabColumnsStep(dataFolder, DAY, silent)
  const lab = { plantedSd: 0, furthestDte: 1 }
  await runHistory({
    dataFolder,
    sessionCount: SESSIONS,
    until: BEFORE,
    seed: 1,
    labels: 'none' as const,
    lab,
    progress: silent,
  })
  await copySample(dataFolder)
}

/** A Python that has all of some modules; null when there is none. */
export function findPython(modules: readonly string[]): string | null {
  const imports = ['-c', `import ${modules.join(', ')}`]
  const works = (python: string) => spawnSync(python, imports).status === 0
  // the packages of the system belong to its own Python, which need not be the first on the path
  return ['python3', '/usr/bin/python3'].find(works) ?? null
}

export type Finished = {
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

/** Runs a program to its end. */
export function runClient(
  command: readonly [string, ...string[]],
  options: { readonly cwd?: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Finished> {
  const [program, ...args] = command
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, errors] = ['', '']
  child.stdout.on('data', piece => {
    out += piece
  })
  child.stderr.on('data', piece => {
    errors += piece
  })
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', code => done({ code, out, errors }))
  })
}
