/** The states of a running session that feeds on several machines publish side by side. */

import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../../src/core/clock.ts'
import { CommandError, Refusal } from '../../src/core/disk/refusal.ts'
import { MINUTE_MS, type SessionDate } from '../../src/core/market/calendar.ts'
import { readStamp } from '../../src/data/published/damagedFile.ts'
import {
  extendsState,
  type LiveFacts,
  readLiveFacts,
} from '../../src/data/published/liveManifest.ts'
import { parseManifest } from '../../src/data/published/manifest.ts'
import { readBase, writeBase } from '../../src/platform/store/bases.ts'
import { PublishedMeanwhile } from '../../src/platform/store/faults.ts'
import { manifestPath } from '../../src/platform/store/kinds.ts'
import { pullManifest, pushManifest, type Store } from '../../src/platform/store/mirror.ts'
import type { Pointer } from '../../src/platform/store/pointers.ts'
import { environmentConfig } from './command.ts'

const LOOK_EVERY_MS = 200
const RETRY_MS = 5_000

/**
 * Time for which a feed whose states come second waits for that of the other one, so that the pointer
 * changes hands only where the other is late or dead.
 */
const HOLD_MS = 1_500

/** Longest time for which minutes wait for a store that does not respond. */
const ADOPT_MAX_MS = 3_000

type Running = { readonly dataFolder: string; readonly date: SessionDate }

export type SharedStates = {
  /**
   * Takes the newest state of the store into the folder where it is of another feed and not later
   * than an instant, by which all rows of this feed have been taken. Where the other feed was the
   * first with its states so far, it is waited for shortly. A store that is away is reported. UTC
   * milliseconds.
   */
  readonly adopt: (untilMs: number) => Promise<void>
}

/**
 * Runs `work`, and pushes the states that it publishes; without a store it only runs it, with null.
 * A push that fails is reported on standard error and repeated: minutes are published here all the
 * same.
 */
export async function withSharedStates<T>(
  running: Running,
  work: (states: SharedStates | null) => Promise<T>,
): Promise<T> {
  const { store: settings, databaseUrl } = environmentConfig()
  if (settings === null || databaseUrl === null) return work(null)
  const { openStore } = await import('../../src/platform/store/open.ts')
  const pusher = startPusher(running, () => openStore(settings, databaseUrl))
  try {
    return await work(pusher)
  } finally {
    await pusher.stop()
  }
}

function startPusher({ dataFolder, date }: Running, open: () => Promise<Store>) {
  const name = { kind: 'live', key: date } as const
  const path = manifestPath(dataFolder, name)
  const stopping = new AbortController()
  let opening: Promise<Store> | null = null
  let pushedStamp = ''
  let reported = ''
  /** True while another feed is the first with each state. */
  let isSecond = false
  /** When an adoption that failed may be tried again. */
  let adoptFromMs = 0
  let adopting: Promise<void> | null = null
  let pulling: Promise<boolean> | null = null

  const openOnce = async (): Promise<Store> => {
    opening ??= open()
    try {
      return await opening
    } catch (error) {
      opening = null
      throw error
    }
  }
  const report = (error: unknown) => {
    const { message, stack } = error as Error
    if (message === reported) return
    reported = message
    const isExpected = error instanceof Refusal || error instanceof CommandError
    const why = isExpected ? message : stack
    process.stderr.write(`tapefold: minutes of ${date} are not pushed to the store: ${why}\n`)
  }
  const readOwn = () => (existsSync(path) ? readFacts(readFileSync(path, 'utf8')) : null)

  /** The own state where it goes on from that of the pointer, which is its base then; or null. */
  const findAhead = (pointer: Pointer, theirs: LiveFacts): LiveFacts | null => {
    const own = readOwn()
    if (own === null || !extendsState(own, theirs)) return null
    writeBase(dataFolder, pointer)
    return own
  }
  const pushOnce = async (store: Store): Promise<void> => {
    try {
      isSecond = !(await pushManifest(store, dataFolder, name)).isNew
    } catch (error) {
      if (!(error instanceof PublishedMeanwhile)) throw error
      isSecond = true
      const pointer = await store.pointers.find(name)
      const theirs = pointer && readFacts(await store.blobs.getText(pointer.object, pointer.sha256))
      // any other state of another feed is adopted with the next rows
      if (theirs && findAhead(pointer, theirs)) await pushManifest(store, dataFolder, name)
    }
  }
  /** Pushes the newest state; returns the wait until the next look, milliseconds. */
  const push = async (): Promise<number> => {
    const stamp = readStamp(path)
    if (stamp === pushedStamp || !existsSync(path)) return LOOK_EVERY_MS
    try {
      await pushOnce(await openOnce())
      reported = ''
    } catch (error) {
      // the other feed is ahead once more: the next state is pushed, or its own adopted
      if (!(error instanceof PublishedMeanwhile)) {
        report(error)
        return RETRY_MS
      }
    }
    pushedStamp = stamp
    return LOOK_EVERY_MS
  }

  /**
   * Instant of the newest state here or in the store, which is taken where it may be: after the time
   * of its look it would come before rows that are taken later.
   */
  const take = async (untilMs: number, look: { readonly isOver: boolean }): Promise<number> => {
    const store = await openOnce()
    const pointer = await store.pointers.find(name)
    const own = readOwn()
    if (pointer === null) return own?.known_before_ms ?? 0
    if (own && readBase(dataFolder, name)?.sha256 === pointer.sha256) return own.known_before_ms
    const theirs = readFacts(await store.blobs.getText(pointer.object, pointer.sha256))
    const ahead = findAhead(pointer, theirs)
    if (ahead) return ahead.known_before_ms
    if (theirs.known_before_ms <= untilMs && !look.isOver) {
      isSecond = true
      pulling = pullManifest(store, dataFolder, pointer)
        .catch(error => {
          report(error)
          return false
        })
        .finally(() => {
          pulling = null
        })
      await pulling
    }
    return theirs.known_before_ms
  }
  const adoptOrReport = async (untilMs: number, look: { readonly isOver: boolean }) => {
    const dueMs = Math.floor(untilMs / MINUTE_MS) * MINUTE_MS
    const heldSinceMs = monotonicMs()
    try {
      while ((await take(untilMs, look)) < dueMs && isSecond && !look.isOver) {
        if (stopping.signal.aborted || monotonicMs() - heldSinceMs >= HOLD_MS) return
        await sleep(LOOK_EVERY_MS)
      }
    } catch (error) {
      report(error)
      adoptFromMs = monotonicMs() + RETRY_MS
    }
  }
  const adopt = async (untilMs: number): Promise<void> => {
    if (adopting !== null || monotonicMs() < adoptFromMs) return
    const look = { isOver: false }
    const over = new AbortController()
    adopting = adoptOrReport(untilMs, look).finally(() => {
      adopting = null
      over.abort()
    })
    await sleep(ADOPT_MAX_MS, undefined, { signal: over.signal }).catch(() => {})
    // a pull that has begun is waited for: it replaces the state that the next one goes on from
    look.isOver = true
    await pulling
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      const waitMs = await push()
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const pushing = run()
  return {
    adopt,
    stop: async () => {
      stopping.abort()
      await adopting
      await pushing
      await push()
      await (await opening?.catch(() => null))?.close()
    },
  }
}

/** Facts of the text of a running session's manifest. Fails with a Refusal where it is none. */
function readFacts(text: string): LiveFacts {
  const live = readLiveFacts(parseManifest(text))
  if (live === null) throw new Refusal('the store has a running session without its states.')
  return live
}
