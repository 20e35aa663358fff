import { join } from 'node:path'
import type { PublishedManifest, SessionSummary } from '../data/published/manifest.ts'
import type { PublishedForm } from '../data/published/publish.ts'
import { retryLater } from '../platform/http/error.ts'
import { openCache } from '../platform/pool/cache.ts'
import { openThread } from '../platform/pool/thread.ts'
import type { NoSummary, RunningSession } from './published.ts'

/** Sessions published before the archive existed: rendered on request. */

/** About 300 sessions. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024
/** Maximum sessions that wait for the thread: each takes about half a second. */
const WAITING_MAX = 16
const SCRIPT = join(import.meta.dirname, 'olderThread.ts')

export type OlderQuestion =
  | { readonly kind: 'forms'; readonly manifest: PublishedManifest }
  | { readonly kind: 'summaries'; readonly manifests: readonly PublishedManifest[] }
  | { readonly kind: 'tape'; readonly manifest: PublishedManifest }
  | { readonly kind: 'running'; readonly manifest: PublishedManifest; readonly until: string }

type TapeReport = Readonly<Record<string, unknown>>

export type OlderSessionResult = {
  readonly forms?: Readonly<Record<string, PublishedForm>>
  /** One for each manifest. */
  readonly summaries?: readonly (SessionSummary | NoSummary)[]
  readonly tape?: TapeReport | null
  readonly running?: RunningSession
}

export type OlderSessions = {
  /**
   * Renders all forms of a session from its files. Fails with DamagedFile when one of them differs
   * from its manifest, and with 503 when too many others wait.
   */
  readonly forms: (manifest: PublishedManifest) => Promise<Readonly<Record<string, PublishedForm>>>
  /** Summaries of sessions for a list, in order. */
  readonly summaries: (
    manifests: readonly PublishedManifest[],
  ) => Promise<readonly (SessionSummary | NoSummary)[]>
  /** Reads the tape report; null when the file has no row. Fails with DamagedFile. */
  readonly tape: (manifest: PublishedManifest) => Promise<TapeReport | null>
  /** Reads a session up to a minute, 'HH:MM' ET. Fails with DamagedFile. */
  readonly running: (manifest: PublishedManifest, until: string) => Promise<RunningSession>
  readonly close: () => Promise<void>
}

/** Opens the reader of a data folder; its thread starts with the first request. */
export function openOlder(dataFolder: string): OlderSessions {
  const thread = openThread<OlderQuestion, OlderSessionResult>({
    script: SCRIPT,
    workerData: dataFolder,
  })
  const cache = openCache<Readonly<Record<string, PublishedForm>>>(CACHE_MAX_BYTES)
  const rendering = new Map<string, Promise<Readonly<Record<string, PublishedForm>>>>()
  const summaries = new Map<string, SessionSummary | NoSummary>()

  const render = async (key: string, manifest: PublishedManifest) => {
    const forms = (await thread.query({ kind: 'forms', manifest })).forms!
    const bytes = Object.values(forms).reduce((sum, { data }) => sum + data.byteLength, 0)
    cache.put(key, forms, bytes)
    return forms
  }
  return {
    forms: async manifest => {
      const key = revisionKey(manifest)
      const cached = cache.get(key)
      if (cached) return cached
      const inProgress = rendering.get(key)
      if (inProgress) return inProgress
      if (rendering.size >= WAITING_MAX) throw busy()
      const made = render(key, manifest).finally(() => rendering.delete(key))
      rendering.set(key, made)
      return made
    },
    summaries: async manifests => {
      const unknown = manifests.filter(manifest => !summaries.has(revisionKey(manifest)))
      if (unknown.length > 0) {
        const { summaries: read } = await thread.query({ kind: 'summaries', manifests: unknown })
        for (const [index, manifest] of unknown.entries()) {
          const summary = read![index]!
          // a damaged file may be restored
          if (!('reason' in summary && summary.reason === 'damaged')) {
            summaries.set(revisionKey(manifest), summary)
          }
        }
        const now = new Map(
          unknown.map((manifest, index) => [revisionKey(manifest), read![index]!]),
        )
        return manifests.map(one => now.get(revisionKey(one)) ?? summaries.get(revisionKey(one))!)
      }
      return manifests.map(manifest => summaries.get(revisionKey(manifest))!)
    },
    tape: async manifest => (await thread.query({ kind: 'tape', manifest })).tape ?? null,
    running: async (manifest, until) =>
      (await thread.query({ kind: 'running', manifest, until })).running!,
    close: thread.close,
  }
}

const revisionKey = ({ session_date, revision }: PublishedManifest) => `${session_date} ${revision}`

const busy = () => retryLater('unavailable', 'many older sessions are being read', 2)
