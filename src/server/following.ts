import { monotonicMs, systemClock } from '../core/clock.ts'
import type { Config } from '../platform/config.ts'
import { openCache } from '../platform/store/cache.ts'
import { followStore, type StoreFollower } from '../platform/store/follow.ts'
import type { Background } from './background.ts'

const WORK = 'follow the store'

/** Receives what is pulled, and what fails. */
type FollowerReports = {
  readonly log: { readonly info: (fields: object, message: string) => void }
  readonly background: Pick<Background, 'failed' | 'succeeded'>
}

/**
 * Follows the store of a server or a watcher, so that its folder has each new session; null without
 * a store.
 */
export async function startFollower(
  {
    store: settings,
    databaseUrl,
    dataFolder,
  }: Pick<Config, 'store' | 'databaseUrl' | 'dataFolder'>,
  { log, background }: FollowerReports,
): Promise<StoreFollower | null> {
  if (settings === null || databaseUrl === null) return null
  const { openStore } = await import('../platform/store/open.ts')
  const store = await openStore(settings, databaseUrl)
  const { cacheBytes } = settings
  const follower = followStore({
    store,
    dataFolder,
    kinds: ['published', 'live'],
    cache: cacheBytes === null ? null : openCache(dataFolder, cacheBytes, systemClock.nowMs),
    elapsedMs: monotonicMs,
    onPulled: ({ kind, key, seq }) => log.info({ kind, session: key, seq }, 'pulled'),
    onFault: error => {
      if (error === null) background.succeeded(WORK)
      else background.failed(WORK, error)
    },
  })
  return {
    stop: async () => {
      await follower.stop()
      await store.close()
    },
  }
}
