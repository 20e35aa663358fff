import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Input } from '../../src/core/commandRow.ts'
import { dateArgument } from '../../src/core/days.ts'
import { damagedFiles, sha256 } from '../../src/core/disk/files.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { parseJson } from '../../src/data/dictionary/manifestText.ts'
import { damagedTape, manifestFaults, quarantineFile } from '../../src/data/published/damage.ts'
import {
  DamagedManifest,
  type PublishedManifest,
  publishedFiles,
  publishedFolder,
  readManifest,
  supersededManifests,
  withPublishLock,
} from '../../src/data/published/manifest.ts'
import { tapeFiles } from '../../src/data/tape/manifest.ts'
import { buildLockedDay, withBuildLock } from '../build/day.ts'
import { runLabColumnsStep } from '../build/labColumns.ts'
import { commandProgress } from '../command/command.ts'
import type { Progress } from '../command/progress.ts'
import { pushManifests } from '../command/sharedStore.ts'
import type { REPAIR } from './rows.ts'
import { verifyDay } from './verify.ts'

export type RepairOptions = {
  readonly dataFolder: string
  readonly date: string
  readonly progress: Progress
}

/**
 * Repairs a session: damaged files move to the quarantine, and the session is rebuilt from its
 * tape, whose hashes are checked first. Returns a line for each action; none when nothing was
 * damaged.
 */
export async function repairDay(options: RepairOptions): Promise<string[]> {
  const { dataFolder, date, progress } = options
  return withBuildLock(options, async () => {
    const before = await withPublishLock(dataFolder, date, async () => {
      const damage = await progress.step('hash every file', () => findDamage(dataFolder, date))
      if (damage === null) return null
      // from here on nobody reads files that are known to be wrong
      const moved = damage.files.map(file => quarantineFile(dataFolder, file))
      return { ...damage, moved, names: publishedNames(dataFolder, date) }
    })
    if (before === null) return []
    const { floorUsd: minPremiumUsd, manifest, moved, names } = before
    const built = await buildLockedDay({
      ...options,
      ...(minPremiumUsd === null ? {} : { minPremiumUsd }),
    })
    const wrong = await verifyDay({ ...options, isQuick: true })
    if (wrong.length > 0) throw new Refusal(`${date} is still damaged: ${wrong.join('; ')}.`)
    const proven = publishedFiles(built).filter(({ file }) => names.has(file)).length
    return [
      ...before.lost,
      ...moved.map(file => `${file} holds what was damaged`),
      ...(minPremiumUsd === null ? ['its premium floor is not known: the default was used'] : []),
      manifest
        ? sameText(manifest, built)
        : `its manifest was made again; ${proven} files were sound`,
    ]
  })
}

function sameText(before: PublishedManifest, { revision, code_version }: PublishedManifest) {
  if (revision === before.revision) return `rebuilt to the same hashes, revision ${revision}`
  const why = code_version === before.code_version ? 'its tape has changed' : 'the code has changed'
  return `rebuilt as revision ${revision}, which was ${before.revision}: ${why}`
}

type Damage = {
  /** Null when the manifest itself is damaged or missing. */
  readonly manifest: PublishedManifest | null
  /** Damaged files, within the data folder. */
  readonly files: readonly string[]
  /** Missing files, a line each. */
  readonly lost: readonly string[]
  readonly floorUsd: number | null
}

/** Finds the damage of a session; null without any. Refuses damage that a rebuild cannot repair. */
async function findDamage(dataFolder: string, date: string): Promise<Damage | null> {
  const manifest = readVerifiedManifest(dataFolder, date)
  const path = `published/manifests/${date}.json`
  const faults: string[] = []
  for (const entry of manifest ? publishedFiles(manifest) : []) {
    const [fault] = await damagedFiles(publishedFolder(dataFolder), [entry])
    if (fault !== undefined) faults.push(entry.file)
  }
  if (!manifest && !existsSync(join(dataFolder, path))) {
    if (publishedNames(dataFolder, date).size === 0) {
      throw new Refusal(`${date} is not published; build it first: build ${date}.`)
    }
  }
  const isThere = (file: string) => existsSync(join(dataFolder, file))
  const files = [...(manifest ? [] : [path]), ...faults.map(file => `published/${file}`)]
  const tape = await damagedTape(dataFolder, date)
  if (tape.length > 0) throw new Refusal(`${tape.join('; ')}; then repair ${date} again.`)
  if (files.length === 0) return null
  if (tapeFiles(dataFolder, 'prints', date).length === 0) {
    const names = files.join(', ')
    throw new Refusal(
      `there is no tape of ${date} to rebuild ${names} from: import it, or put it back.`,
    )
  }
  return {
    manifest,
    files: files.filter(isThere),
    lost: files.filter(file => !isThere(file)).map(file => `${file} was missing`),
    floorUsd: manifest?.min_premium_usd ?? provenFloor(dataFolder, date),
  }
}

function readVerifiedManifest(dataFolder: string, date: string): PublishedManifest | null {
  try {
    const manifest = readManifest(dataFolder, date)
    return manifest && manifestFaults(manifest).length === 0 ? manifest : null
  } catch (error) {
    if (error instanceof DamagedManifest) return null
    throw error
  }
}

/** Names of all published files of a session that a manifest could name. */
const publishedNames = (dataFolder: string, date: string): Set<string> =>
  new Set(globSync(`*/session=${date}/*`, { cwd: publishedFolder(dataFolder) }))

/**
 * The premium floor of the newest ledger whose name proves its content, or of the manifest that
 * was superseded last; null when there is neither.
 */
function provenFloor(dataFolder: string, date: string): number | null {
  const folder = join(publishedFolder(dataFolder), `ledger/session=${date}`)
  const ledgers = globSync('*.json', { cwd: folder })
    .map(name => ({ name, path: join(folder, name) }))
    .filter(({ name, path }) => sha256(readFileSync(path)).startsWith(name.slice(0, 16)))
    .sort((a, b) => statSync(b.path).mtimeMs - statSync(a.path).mtimeMs)
  for (const { path } of ledgers) {
    const minPremium = (parseJson(readFileSync(path, 'utf8')) as { min_premium?: unknown })
      .min_premium
    if (typeof minPremium === 'number') return minPremium
  }
  const old = supersededManifests(dataFolder, date)
  const [last] = old.sort((a, b) => b.supersededAtMs - a.supersededAtMs)
  return last?.manifest.min_premium_usd ?? null
}

/** Runs `tapefold repair`. */
export async function repairCommand({ words, data }: Input<typeof REPAIR>): Promise<void> {
  for (const date of words) dateArgument(date)
  const progress = commandProgress()
  for (const date of words) {
    const done = await repairDay({ dataFolder: data, date, progress })
    if (done.length > 0) {
      await pushManifests(data, [{ kind: 'published', key: date }], progress)
      await runLabColumnsStep(data, date, progress)
    }
    for (const line of done) progress.say(`  ${line}`)
    progress.say(done.length === 0 ? `${date} needs no repair` : `${date} is repaired`)
  }
}
