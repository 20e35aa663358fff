import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../src/clock.ts'
import { readArguments, UsageError } from '../src/command.ts'
import { sha256File } from '../src/store/files.ts'
import { type PublishedManifest, publishedFolder, readManifest } from '../src/store/manifest.ts'
import { writeParquet } from '../src/store/publish.ts'
import { PUBLISHED_DATASETS } from '../src/store/published.ts'
import { Refusal } from '../src/store/refusal.ts'
import { tapeInputs } from '../src/store/tape.ts'
import { runCommand } from './command.ts'
import { withBuiltDay } from './nightly.ts'
import { type Progress, progressOn } from './progress.ts'

/** What is wrong with a session's files; empty when all is as its manifest says. */
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
    ...(await damagedFiles(publishedFolder(dataFolder), publishedFiles(manifest))),
    ...(await damagedFiles(dataFolder, tapeInputs(dataFolder, date))),
  ])
  // a rebuild from a damaged tape would prove nothing
  if (damaged.length > 0 || options.isQuick) return damaged
  return withBuiltDay(options, (db, draft) =>
    progress.step('compare the rebuild', async () => {
      const work = join(dataFolder, 'work', `verify-${date}-${process.pid}`)
      mkdirSync(work, { recursive: true })
      try {
        const different: string[] = []
        for (const dataset of PUBLISHED_DATASETS) {
          const path = join(work, `${dataset.name}.parquet.tmp`)
          await writeParquet(db, dataset, path)
          if ((await sha256File(path)) !== manifest.datasets[dataset.name]?.sha256) {
            different.push(`${dataset.name} is rebuilt with other content`)
          }
        }
        if (draft.code_version !== manifest.code_version && different.length > 0) {
          different.push(
            `the code has changed: built by ${manifest.code_version}, ` +
              `this is ${draft.code_version}`,
          )
        }
        return different
      } finally {
        rmSync(work, { recursive: true, force: true })
      }
    }),
  )
}

type KnownFile = { readonly file: string; readonly sha256: string; readonly bytes?: number }

const publishedFiles = (manifest: PublishedManifest): KnownFile[] => [
  ...Object.values(manifest.datasets),
  ...Object.values(manifest.ledger),
]

async function damagedFiles(folder: string, files: readonly KnownFile[]): Promise<string[]> {
  const findings = files.map(async ({ file, sha256, bytes }) => {
    const path = join(folder, file)
    if (!existsSync(path)) return [`${file} is missing`]
    const size = statSync(path).size
    if (bytes !== undefined && size !== bytes) return [`${file} has ${size} bytes, not ${bytes}`]
    return (await sha256File(path)) === sha256
      ? []
      : [`${file} has other content than its hash says`]
  })
  return (await Promise.all(findings)).flat()
}

const USAGE = `usage: tapefold verify <day...> [--quick] [--data DIR]

Checks the hash of every file of published sessions and of their tape, then rebuilds each session
from its tape and compares every byte.

  --quick   only the hashes
`

if (import.meta.main) {
  runCommand(async () => {
    const { values, positionals } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: 'data' },
        quick: { type: 'boolean', default: false },
      },
    })
    if (positionals.length === 0) {
      throw new UsageError('verify takes days, such as verify 2026-10-15.')
    }
    const progress = progressOn(process.stdout, systemClock)
    for (const date of positionals) {
      const dataFolder = values.data
      const wrong = await verifyDay({ dataFolder, date, isQuick: values.quick, progress })
      for (const line of wrong) progress.say(`  ${line}`)
      if (wrong.length > 0) {
        throw new Refusal(`${date} does not verify: ${wrong.length} findings; build it again.`)
      }
      const how = values.quick ? 'every hash is right' : 'every hash is right, also when rebuilt'
      progress.say(`${date} verifies: ${how}`)
    }
  })
}
