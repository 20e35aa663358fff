import { isDeepStrictEqual } from 'node:util'
import type { Input } from '../../src/core/commandRow.ts'
import { dateArgument } from '../../src/core/days.ts'
import { damagedFiles, sha256, sha256File } from '../../src/core/disk/files.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { withWorkFolder, withWritableFolder } from '../../src/core/disk/work.ts'
import type { Database } from '../../src/core/engine/database.ts'
import type { Dataset } from '../../src/data/dictionary/datasets.ts'
import { BUILT_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { buildInputs } from '../../src/data/published/carried.ts'
import { damagedTape, manifestFaults } from '../../src/data/published/damage.ts'
import {
  type LedgerFileEntry,
  type PublishedManifest,
  publishedFiles,
  publishedFolder,
  readManifest,
} from '../../src/data/published/manifest.ts'
import { type Draft, type PublishedForm, writeDatasets } from '../../src/data/published/publish.ts'
import { withBuiltDay } from '../build/day.ts'
import { commandProgress } from '../command/command.ts'
import type { Progress } from '../command/progress.ts'
import type { VERIFY } from './rows.ts'

/** Lists the faults of a session's files; empty when all are as its manifest states. */
export async function verifyDay(options: {
  readonly dataFolder: string
  readonly date: string
  /** Only compare hashes; do not rebuild from the tape. */
  readonly isQuick?: boolean
  readonly progress: Progress
}): Promise<string[]> {
  const { dataFolder, date, progress } = options
  const manifest = readManifest(dataFolder, date)
  if (!manifest) throw new Refusal(`${date} is not published; build it first: build ${date}.`)

  const damaged = await progress.step('hash every file', async () => [
    ...manifestFaults(manifest),
    ...(await damagedFiles(publishedFolder(dataFolder), publishedFiles(manifest))),
    ...(await damagedTape(dataFolder, date)),
    ...changedInputs(dataFolder, manifest),
  ])
  // a rebuild from a damaged tape would prove nothing
  if (damaged.length > 0 || options.isQuick) return damaged
  return withWritableFolder(dataFolder, workIn => {
    const rebuild = { ...options, minPremiumUsd: manifest.min_premium_usd, workIn }
    return withBuiltDay(rebuild, (db, draft) =>
      progress.step('compare the rebuild', () => compareRebuild(manifest, { db, draft, workIn })),
    )
  })
}

type Rebuild = {
  readonly db: Database
  readonly draft: Draft
  /** Folder in which the datasets are written to be compared. */
  readonly workIn: string
}

/** Returns the differences between a published session and its rebuild; empty without any. */
function compareRebuild(manifest: PublishedManifest, { db, draft, workIn }: Rebuild) {
  return withWorkFolder(workIn, `verify-${manifest.session_date}`, async work => {
    const take = async (_: Dataset, path: string, rows: number) => {
      return { sha256: await sha256File(path), rows }
    }
    const rebuilt = await writeDatasets(db, work, take, BUILT_DATASETS)
    const different = await differentFacts(manifest, draft)
    for (const [name, file] of Object.entries(rebuilt)) {
      const published = manifest.datasets[name]
      if (published === undefined) {
        different.push(`${name} is not published: "tapefold backfill --only-new-datasets" adds it`)
      } else if (file.sha256 !== published.sha256 || file.rows !== published.rows) {
        different.push(`${name} differs when it is rebuilt`)
      }
    }
    if (draft.code_version !== manifest.code_version && different.length > 0) {
      different.push(
        `the code has changed: built by ${manifest.code_version}, this is ${draft.code_version}`,
      )
    }
    return different
  })
}

/** Lists inputs of the published version that the tape lost or gained since. */
function changedInputs(dataFolder: string, { session_date: date, inputs }: PublishedManifest) {
  const now = buildInputs(dataFolder, date)
  const lacks = (files: readonly { sha256: string }[], sha256: string) =>
    files.every(file => file.sha256 !== sha256)
  return [
    ...inputs
      .filter(input => lacks(now, input.sha256))
      .map(({ file }) => `${file}, which the session was built from, is no longer current`),
    ...now
      .filter(input => lacks(inputs, input.sha256))
      .map(({ file }) => `${file} has come since the session was built`),
  ]
}

/** Compares the facts of the manifest, other than its files, with the rebuild. */
async function differentFacts(manifest: PublishedManifest, draft: Draft): Promise<string[]> {
  const names = ['symbol', 'simulated', 'asof', 'min_premium_usd', 'minutes', 'tape'] as const
  const facts = names.filter(name => !isDeepStrictEqual(manifest[name], draft[name]))
  const isDifferent = (
    published: LedgerFileEntry | undefined,
    { data, etag }: PublishedForm,
  ): boolean => published?.sha256 !== sha256(data) || published.etag !== etag
  const forms = Object.entries(await draft.forms).filter(([name, form]) =>
    isDifferent(manifest.ledger[name], form),
  )
  // older code had no archive
  const draftForms = manifest.archive && (await draft.archive?.(manifest.revision))
  const rendered = Object.entries(draftForms ?? {}).filter(([name, form]) => {
    // nor all forms of it
    const published = manifest.archive![name]
    return published && isDifferent(published, form)
  })
  return [
    ...facts.map(name => `${name} of the manifest differs when it is rebuilt`),
    ...forms.map(([name]) => `the ledger as ${name} differs when it is rebuilt`),
    ...rendered.map(([name]) => `${name} of the archive differs when it is rebuilt`),
  ]
}

/** Runs `tapefold verify`. */
export async function verifyCommand({ words, data, quick }: Input<typeof VERIFY>): Promise<void> {
  for (const date of words) dateArgument(date)
  const progress = commandProgress()
  for (const date of words) {
    const wrong = await verifyDay({ dataFolder: data, date, isQuick: quick, progress })
    for (const line of wrong) progress.say(`  ${line}`)
    if (wrong.length > 0) {
      const count = wrong.length === 1 ? '1 finding' : `${wrong.length} findings`
      throw new Refusal(
        `${date} does not verify: ${count}; "tapefold repair ${date}" rebuilds damaged files, ` +
          'or says which it cannot rebuild.',
      )
    }
    const how = quick ? 'every hash is right' : 'every hash is right, also after a rebuild'
    progress.say(`${date} verifies: ${how}`)
  }
}
