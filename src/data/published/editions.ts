import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../core/disk/refusal.ts'
import type { SessionDate } from '../../core/market/calendar.ts'
import { formatSecond } from './condition.ts'
import { type PublishedManifest, readManifest } from './manifest.ts'

/** Editions of a session: each is other content, with a number and the instant of its publication. */

/** Facts of an edition; each is absent where it is not known. */
export type Edition = Pick<PublishedManifest, 'edition' | 'published_at'>

/** Published state of a session before another build of it. */
export type EditionBefore =
  /** `unknown`: its manifest cannot be read. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'known'; readonly manifest: PublishedManifest }

/** Reads what is published of a session; a damaged manifest does not stop the build that mends it. */
export function readEditionBefore(dataFolder: string, date: SessionDate): EditionBefore {
  try {
    const manifest = readManifest(dataFolder, date)
    return manifest === null ? { kind: 'none' } : { kind: 'known', manifest }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'unknown' }
    throw error
  }
}

/**
 * The edition of a session that is about to be published: the one before where its content is the
 * same, else the next one. `atMs`: now, UTC milliseconds.
 */
export function nextEdition(before: EditionBefore, revision: string, atMs: number): Edition {
  const published_at = formatSecond(atMs)
  if (before.kind === 'none') return { published_at, edition: 1 }
  if (before.kind === 'unknown') return { published_at }
  const { manifest } = before
  if (manifest.revision === revision) {
    const { published_at: same, edition } = manifest
    return { ...(same && { published_at: same }), ...(edition && { edition }) }
  }
  return { published_at, ...(manifest.edition && { edition: manifest.edition + 1 }) }
}

/** True where two machines made the same of the same inputs; they may have published it apart. */
export function isSameContent(one: PublishedManifest, other: PublishedManifest): boolean {
  const facts = ({ revision, code_version, inputs }: PublishedManifest) => [
    revision,
    code_version,
    inputs,
  ]
  return isDeepStrictEqual(facts(one), facts(other))
}
