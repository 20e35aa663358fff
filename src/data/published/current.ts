/**
 * Links to current files, for readers that know patterns alone. `published/current/session=DATE`
 * is a link to one edition of the session, a folder that never changes, so that one rename
 * replaces all files of the session: a list of `published/current/*\/orders.*.parquet` has each
 * session once, as it was before or as it is after. A name has the hash of its content, so a
 * reader that opens a file twice never mixes two editions.
 */

import { existsSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fsyncFile, makeFolder, sha256 } from '../../core/disk/files.ts'
import { ownProcess } from '../../core/disk/process.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import {
  type PublishedFile,
  type PublishedManifest,
  publishedFolder,
  publishedSessions,
  readManifest,
} from './manifest.ts'

type Edition = {
  /** Folder of the links within `published/`. */
  readonly folder: 'current' | 'months'
  /** Its partition, such as `session=2026-10-15`. */
  readonly key: string
  readonly files: EditionFiles
}
type EditionFiles = Readonly<Record<string, Pick<PublishedFile, 'file' | 'sha256'>>>

/** Name of an edition: other files, even of the same content, are another one. */
const editionName = (files: EditionFiles): string =>
  sha256(
    Object.entries(files)
      .flatMap(([name, { file }]) => `${name} ${file}`)
      .join('\n'),
  ).slice(0, 16)

const editionPath = ({ key, files }: Pick<Edition, 'key' | 'files'>): string =>
  join('editions', key, editionName(files))

const linkPath = (published: string, { folder, key }: Pick<Edition, 'folder' | 'key'>): string =>
  join(published, folder, key)

const isLinked = (published: string, edition: Edition): boolean =>
  readTarget(linkPath(published, edition)) === `../${editionPath(edition)}`

/** Makes an edition the one that patterns find. Where a file of it is missing none is found. */
export function linkEdition(published: string, edition: Edition): void {
  if (isLinked(published, edition)) return
  const link = linkPath(published, edition)
  const files = Object.entries(edition.files)
  if (files.some(([, { file }]) => !existsSync(join(published, file)))) {
    rmSync(link, { force: true })
    return
  }
  const target = join(published, editionPath(edition))
  makeFolder(target)
  for (const [name, { file, sha256: hash }] of files) {
    const path = join(target, `${name}.${hash.slice(0, 16)}.parquet`)
    // a killed process may have made some of them
    if (readTarget(path) === null) symlinkSync(`../../../${file}`, path)
  }
  fsyncFile(target)
  makeFolder(join(published, edition.folder))
  // outside of what patterns match
  const editions = join(published, 'editions')
  const isOfKey = (name: string) => name.startsWith(`${edition.key}.`) && name.endsWith('.tmp')
  // its publisher holds the lock: these are of a killed one
  for (const name of namesIn(editions).filter(isOfKey)) rmSync(join(editions, name))
  const temporary = join(editions, `${edition.key}.${ownProcess()}.tmp`)
  symlinkSync(`../${editionPath(edition)}`, temporary)
  try {
    renameSync(temporary, link)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  fsyncFile(join(published, edition.folder))
}

const sessionEdition = (manifest: PublishedManifest): Edition => ({
  folder: 'current',
  key: `session=${manifest.session_date}`,
  files: manifest.datasets,
})

/** Makes the edition of a manifest the one that patterns find; its publisher holds the lock. */
export const linkSession = (dataFolder: string, manifest: PublishedManifest): void =>
  linkEdition(publishedFolder(dataFolder), sessionEdition(manifest))

/** Takes a session away from those that patterns find; its publisher holds the lock. */
export const unlinkSession = (dataFolder: string, date: string): void =>
  rmSync(linkPath(publishedFolder(dataFolder), { folder: 'current', key: `session=${date}` }), {
    force: true,
  })

/**
 * Links the current edition of every session where it is not linked: after a crash, or in a folder
 * of older code. `lock` runs work while nobody publishes the session.
 */
export async function linkSessions(
  dataFolder: string,
  lock: (date: string, work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const published = publishedFolder(dataFolder)
  const dates = publishedSessions(dataFolder)
  const linked = namesIn(join(published, 'current')).map(name => name.replace(/^session=/, ''))
  for (const date of new Set([...dates, ...linked])) {
    const manifest = readVerified(dataFolder, date)
    if (manifest && isLinked(published, sessionEdition(manifest))) continue
    await lock(date, async () => {
      // published, replaced or removed meanwhile
      const latest = readVerified(dataFolder, date)
      if (latest) linkSession(dataFolder, latest)
      else if (latest === null) unlinkSession(dataFolder, date)
    })
  }
}

/** Takes all partitions but some away from those that patterns find. */
export function unlinkOthers(
  published: string,
  folder: Edition['folder'],
  keys: readonly string[],
): void {
  for (const key of namesIn(join(published, folder))) {
    if (!keys.includes(key)) rmSync(linkPath(published, { folder, key }), { force: true })
  }
}

/** The manifest of a session; null when there is none, undefined when it is damaged. */
function readVerified(dataFolder: string, date: string): PublishedManifest | null | undefined {
  try {
    return readManifest(dataFolder, date)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Editions of a partition that no pattern finds any more, as paths within `published/`. */
export const replacedEditions = (published: string, key: string, files: EditionFiles): string[] =>
  namesIn(join(published, 'editions', key))
    .filter(name => name !== editionName(files))
    .map(name => join('editions', key, name))

function readTarget(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])
