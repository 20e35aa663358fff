import { join } from 'node:path'
import { sha256 } from '../../core/disk/files.ts'
import type { PublishedManifest } from './manifest.ts'

/**
 * Paths of the columns of a session that LAB replays. They are computed from its published files,
 * and named by their hashes, so that they may be deleted at any time.
 */

/** Version of the file format; files of an older one are made again. */
const LAB_FILE_FORMAT = 1

/** Datasets that a session must have published to be replayed. */
export const LAB_SOURCES = [
  'market_minutes',
  'large_orders',
  'option_minutes',
  'smiles',
  'settlements',
] as const

/** A file holds the contracts of one dte; that of dte 0 has the market of the session as well. */
const LAB_DTES = [0, 1, 2, 3, 4, 5] as const

/** Hash of the published files of a session that LAB reads, hex; null when some are missing. */
export function labRevision({ session_date, datasets }: PublishedManifest): string | null {
  const hashes = LAB_SOURCES.map(name => datasets[name]?.sha256)
  return hashes.includes(undefined) ? null : sha256([session_date, ...hashes].join('\n'))
}

/** Relative to the data folder. */
export const labFile = (date: string, revision: string, dte: number): string =>
  `lab/session=${date}/${sha256(`${LAB_FILE_FORMAT} ${dte} ${revision}`).slice(0, 16)}.bin`

export const labFolder = (dataFolder: string): string => join(dataFolder, 'lab')

/** The files that LAB may have made of a session as it is published now. */
export function namedLabFiles(manifest: PublishedManifest): string[] {
  const revision = labRevision(manifest)
  if (revision === null) return []
  return LAB_DTES.map(dte => labFile(manifest.session_date, revision, dte))
}
