import { neighbourSession, type SessionDate } from '../core/market/calendar.ts'
import { counted } from '../core/text/counts.ts'
import type { Catalog, Found } from '../data/published/catalog.ts'
import { readLiveFacts } from '../data/published/liveManifest.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { SESSIONS_CARRIED_ENOUGH } from '../data/published/reasons.ts'

/** The chain of sessions from which the newest one carries the dealers' positions. */

/**
 * Returns the sentence that says where the chain is broken and how to mend it; null when it is
 * whole as far as it matters, or begins with imported positions or the first stored session. Reads
 * manifests alone: those of at most SESSIONS_CARRIED_ENOUGH sessions.
 */
export function explainBrokenChain(
  catalog: Pick<Catalog, 'find' | 'unreadable'>,
  { first, newest }: { readonly first: SessionDate; readonly newest: Found },
): string | null {
  const { session_date: last, symbol } = newest.manifest
  let { manifest } = newest
  for (let carried = 0; carried < SESSIONS_CARRIED_ENOUGH; carried++) {
    const before = neighbourSession(manifest.session_date, -1).date
    const isDamaged = catalog.unreadable().includes(before)
    if (before < first || hasInput(manifest, 'dealer_positions') || isDamaged) return null
    const previous = findBuilt(catalog, before)
    if (previous?.symbol !== symbol) {
      return sentence(manifest.session_date, {
        carried,
        why: `${before} of ${symbol} is not published`,
        backfill: `${before} ${last}`,
      })
    }
    if (isBuilt(manifest) && !hasInput(manifest, 'closing_positions')) {
      return sentence(manifest.session_date, {
        carried,
        why: `${manifest.session_date} was built before ${before} was`,
        backfill: `${manifest.session_date} ${last}`,
      })
    }
    manifest = previous
  }
  return null
}

type Break = { readonly carried: number; readonly why: string; readonly backfill: string }

const sentence = (from: SessionDate, { carried, why, backfill }: Break): string =>
  `dealers' positions are carried over ${counted(carried, 'session')} alone: ${why}; ` +
  `run backfill ${backfill}, or import positions of ${from}`

/** The manifest of a session that was built whole: one of single minutes closes no positions. */
function findBuilt(catalog: Pick<Catalog, 'find'>, day: SessionDate): PublishedManifest | null {
  const manifest = catalog.find(day)?.manifest
  return manifest && isBuilt(manifest) ? manifest : null
}

const isBuilt = (manifest: PublishedManifest): boolean => readLiveFacts(manifest) === null

const hasInput = ({ inputs }: PublishedManifest, wanted: string): boolean =>
  inputs.some(({ dataset }) => dataset === wanted)
