/** Follows the pointers of a store, and pulls what is new into a data folder. */

import { setTimeout as sleep } from 'node:timers/promises'
import { isLocked, lockPath } from '../../core/disk/lock.ts'
import { readBase } from './bases.ts'
import type { SessionCache } from './cache.ts'
import type { ManifestKind } from './kinds.ts'
import { pullManifest, type Store } from './mirror.ts'
import type { Pointer } from './pointers.ts'

/** Interval at which the pointers are looked at where no change is announced. */
const LOOK_EVERY_MS = 1_000

/** Wait before a manifest that could not be pulled is tried again. */
const RETRY_MS = 5_000

export type StoreFollowing = {
  readonly store: Store
  readonly dataFolder: string
  readonly kinds: readonly ManifestKind[]
  /** Null: the folder has no limit. */
  readonly cache: SessionCache | null
  /** Milliseconds of any clock that only grows. */
  readonly elapsedMs: () => number
  readonly onPulled: (pointer: Pointer) => void
  /** Called with the failure of a manifest, or of a look; null when the store works again. */
  readonly onFault: (error: unknown | null) => void
}

type Waiting = { readonly pointer: Pointer; readonly isNew: boolean; readonly notBeforeMs: number }

export type StoreFollower = { readonly stop: () => Promise<void> }

/**
 * Starts to follow. The newest session is pulled first; those that were in the store before the
 * start fill a limited cache and evict nothing, later changes evict what was used least recently.
 */
export function followStore(options: StoreFollowing): StoreFollower {
  const { store, dataFolder, kinds, cache, elapsedMs, onPulled, onFault } = options
  const waiting = new Map<string, Waiting>()
  const stopping = new AbortController()
  let lastSeq = 0
  let isFirst = true
  let isAnnounced = true
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let wake = () => {}
  let endListening: (() => void) | null = null

  const announce = () => {
    isAnnounced = true
    wake()
  }

  const look = async () => {
    isAnnounced = false
    lookedAtMs = elapsedMs()
    // before the look: a change in between is announced
    endListening ??= await store.pointers.listen(announce, () => {
      endListening = null
    })
    for (const pointer of await store.pointers.listSince(lastSeq)) {
      lastSeq = pointer.seq
      if (!kinds.includes(pointer.kind)) continue
      waiting.set(`${pointer.kind} ${pointer.key}`, { pointer, isNew: !isFirst, notBeforeMs: 0 })
    }
    isFirst = false
  }

  const pull = async ({ pointer, isNew }: Waiting) => {
    const base = readBase(dataFolder, pointer)
    const bytes = Math.max(0, pointer.bytes - (base?.bytes ?? 0))
    if (base !== null && base.seq >= pointer.seq) return
    // a feed of this folder takes its states itself, once it has taken its rows
    if (pointer.kind === 'live' && isLocked(lockPath(dataFolder, `live-${pointer.key}`))) return
    if (cache && !(await cache.admit(bytes, isNew || base !== null))) return
    if (await pullManifest(store, dataFolder, pointer)) onPulled(pointer)
  }

  const step = async () => {
    if (isAnnounced || elapsedMs() - lookedAtMs >= LOOK_EVERY_MS) await look()
    const due = [...waiting].filter(([, { notBeforeMs }]) => notBeforeMs <= elapsedMs())
    const next = due.sort(([, a], [, b]) => byNewest(a.pointer, b.pointer))[0]
    if (!next) return false
    const [name, task] = next
    waiting.delete(name)
    try {
      await pull(task)
    } catch (error) {
      waiting.set(name, { ...task, notBeforeMs: elapsedMs() + RETRY_MS })
      throw error
    }
    return true
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      let isBusy = false
      try {
        isBusy = await step()
        if (waiting.size === 0) onFault(null)
      } catch (error) {
        onFault(error)
      }
      if (isBusy || isAnnounced) continue
      const pause = sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
      await Promise.race([promise, pause])
    }
  }

  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
      endListening?.()
    },
  }
}

/** The newest session first; rates and the like, which are no sessions, before all. */
const byNewest = (a: Pointer, b: Pointer) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0)
