import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { snapshotName } from '../../src/archive/snapshots.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { sha256File, writeAtomically } from '../../src/core/disk/files.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { publishedFolder } from '../../src/data/published/manifest.ts'
import { type SampleIndex, type SamplePart, sampleFolder } from '../../src/data/published/sample.ts'
import { buildDay } from '../build/day.ts'
import { commandProgress } from '../command/command.ts'
import type { Progress } from '../command/progress.ts'
import { importSimulated } from './importSimulated.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import type { SAMPLE } from './rows.ts'
import { runSimulate, TAPE_FILES, TRUTH_FILES } from './simulate.ts'

/** Size of the sample: enough for a good tape, and small enough to download in a minute. */
const SAMPLE_OPTIONS = { prints: 40_000, contracts: 2_000, seed: 51 } as const

type SampleRun = {
  readonly dataFolder: string
  readonly progress: Progress
  /** Size of the simulated session; smaller in tests. */
  readonly size?: { readonly prints: number; readonly contracts: number; readonly seed: number }
}

/**
 * Simulates and builds one session, and stores its datasets with the tape and the truth in `sample/`
 * of the data folder, under names with their hash. The same code makes the same files.
 */
export async function makeSample({
  dataFolder,
  progress,
  size = SAMPLE_OPTIONS,
}: SampleRun): Promise<SampleIndex> {
  mkdirSync(dataFolder, { recursive: true })
  return withWorkFolder(dataFolder, 'sample', async work => {
    const [out, built, stored] = ['simulated', 'data', 'sample'].map(name => join(work, name)) as [
      string,
      string,
      string,
    ]
    const options = { ...DEFAULT_OPTIONS, ...size, out }
    await progress.step('simulate customers, quotes and prints', () => runSimulate(options))
    await importSimulated(built, out)
    const manifest = await buildDay({ dataFolder: built, date: options.date, progress })
    mkdirSync(stored)
    const note = JSON.parse(readFileSync(join(out, 'simulation.json'), 'utf8'))
    const { rows: rowCounts, simulated: _, ...simulation } = note
    const store = async (dataset: string, part: SamplePart, from: string, rows: number) => {
      const sha256 = await sha256File(from)
      const file = snapshotName(dataset, options.date, sha256)
      copyFileSync(from, join(stored, file))
      const { size: bytes } = statSync(from)
      return { file, dataset, part, day: options.date, rows, bytes, sha256 }
    }
    const files = []
    for (const [name, { file, rows }] of Object.entries(manifest.datasets)) {
      files.push(await store(name, 'published', join(publishedFolder(built), file), rows))
    }
    for (const name of [...TAPE_FILES, ...TRUTH_FILES]) {
      const from = join(out, `${name}.parquet`)
      const isTruth = TRUTH_FILES.some(truth => truth === name)
      const stem = isTruth ? name.replace(/^(?!truth_)/, 'truth_') : `tape_${name}`
      files.push(await store(stem, isTruth ? 'truth' : 'tape', from, rowCounts[name]))
    }
    const { session_date, symbol, revision } = manifest
    const index = { simulated: true as const, session_date, symbol, revision, simulation, files }
    writeAtomically(join(stored, 'index.json'), `${JSON.stringify(index, null, 1)}\n`)
    replaceFolder(stored, sampleFolder(dataFolder), work)
    return index
  })
}

/** Puts a folder in the place of another one, which goes with the work folder. */
function replaceFolder(from: string, to: string, work: string): void {
  if (existsSync(to)) renameSync(to, join(work, 'replaced'))
  renameSync(from, to)
  rmSync(join(work, 'replaced'), { recursive: true, force: true })
}

/** Runs `tapefold sample`. */
export async function sampleCommand({ data: dataFolder }: Input<typeof SAMPLE>): Promise<void> {
  const progress = commandProgress()
  const { files, session_date: day } = await makeSample({ dataFolder, progress })
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const megabytes = (bytes / 1e6).toFixed(1)
  progress.say(
    `${files.length} files of the simulated session of ${day}, ${megabytes} MB, are in ` +
      `${sampleFolder(dataFolder)}; a server sends them below /snapshots/sample/.`,
  )
}
