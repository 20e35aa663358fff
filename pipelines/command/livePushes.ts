/** Pushes each minute of a running session to the store, while another part publishes them. */

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError, Refusal } from '../../src/core/disk/refusal.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import { readStamp } from '../../src/data/published/damagedFile.ts'
import { PublishedMeanwhile } from '../../src/platform/store/faults.ts'
import { manifestPath } from '../../src/platform/store/kinds.ts'
import { pushManifest, type Store } from '../../src/platform/store/mirror.ts'
import { environmentConfig } from './command.ts'

const LOOK_EVERY_MS = 200
const RETRY_MS = 5_000

type Running = { readonly dataFolder: string; readonly date: SessionDate }

/**
 * Runs `work`, and pushes the states that it publishes; without a store it only runs it. A push that
 * fails is reported on standard error and repeated: minutes are published here all the same.
 */
export async function withLivePushes<T>(running: Running, work: () => Promise<T>): Promise<T> {
  const { store: settings, databaseUrl } = environmentConfig()
  if (settings === null || databaseUrl === null) return work()
  const { openStore } = await import('../../src/platform/store/open.ts')
  const pusher = startPusher(running, () => openStore(settings, databaseUrl))
  try {
    return await work()
  } finally {
    await pusher.stop()
  }
}

function startPusher({ dataFolder, date }: Running, open: () => Promise<Store>) {
  const name = { kind: 'live', key: date } as const
  const path = manifestPath(dataFolder, name)
  const stopping = new AbortController()
  let store: Store | null = null
  let pushedStamp = ''
  let reported = ''

  const report = (error: unknown) => {
    const { message, stack } = error as Error
    if (message === reported) return
    reported = message
    const isExpected = error instanceof Refusal || error instanceof CommandError
    const why = isExpected ? message : stack
    process.stderr.write(`tapefold: minutes of ${date} are not pushed to the store: ${why}\n`)
  }
  /** Pushes the newest state; returns the wait until the next look, milliseconds. */
  const push = async (): Promise<number> => {
    const stamp = readStamp(path)
    if (stamp === pushedStamp || !existsSync(path)) return LOOK_EVERY_MS
    try {
      store ??= await open()
      await pushManifest(store, dataFolder, name)
      reported = ''
    } catch (error) {
      report(error)
      // another feed is ahead: this one may be equal to it again with a later minute
      if (!(error instanceof PublishedMeanwhile)) return RETRY_MS
    }
    pushedStamp = stamp
    return LOOK_EVERY_MS
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      const waitMs = await push()
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const pushing = run()
  return {
    stop: async () => {
      stopping.abort()
      await pushing
      await push()
      await store?.close()
    },
  }
}
