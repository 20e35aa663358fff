/** `tapefold store`: sessions between the data folder and the store that machines share. */

import { readArguments, UsageError } from '../../src/core/command.ts'
import { dateArgument } from '../../src/core/days.ts'
import { CommandError, Refusal } from '../../src/core/disk/refusal.ts'
import { isDate } from '../../src/core/market/calendar.ts'
import { counted, formatBytes } from '../../src/core/text/counts.ts'
import { renewViews } from '../../src/data/published/publish.ts'
import { keySession } from '../../src/data/tape/manifest.ts'
import { checkStore, rebuildPointers } from '../../src/platform/store/check.ts'
import {
  isKind,
  KINDS,
  listManifests,
  type ManifestKind,
  type ManifestName,
} from '../../src/platform/store/kinds.ts'
import { pullManifest, pushManifest, restoreFiles } from '../../src/platform/store/mirror.ts'
import type { Pointer } from '../../src/platform/store/pointers.ts'
import { runCommand } from './command.ts'
import { type SharedStore, withSharedStore } from './sharedStore.ts'

const USAGE = `usage: tapefold store push [DAY...] [--kinds LIST] [--data DIR]
       tapefold store pull [DAY...] [--kinds LIST] [--data DIR]
       tapefold store check
       tapefold store rebuild

Copies sessions between the data folder and the store of TAPEFOLD_STORE, whose pointers are in the
PostgreSQL of DATABASE_URL. Without days: all sessions, newest first.

  push      sends files that the store does not have, then sets the pointer; refused where another
            machine has published since this folder had the session
  pull      fetches what is missing or damaged here; with TAPEFOLD_CACHE_GB, as much as fits; of a
            day that is named, also in place of a tape that was imported here and never pushed
  check     checks that the manifest of every pointer, and every file that it names, is in the store
  rebuild   makes the table of pointers again from the manifests in the store

  --kinds LIST   of ${KINDS.join(', ')} (all)
`

type Request = {
  readonly dataFolder: string
  readonly days: readonly string[]
  readonly kinds: readonly ManifestKind[]
}

type Verb = (store: SharedStore, request: Request) => Promise<void>

const VERBS: Readonly<Record<string, Verb>> = {
  push: runPush,
  pull: runPull,
  check: runCheck,
  rebuild: runRebuild,
}

const say = (line: string) => void process.stdout.write(`${line}\n`)

async function runPush(store: SharedStore, { dataFolder, days, kinds }: Request): Promise<void> {
  const names = selectNames(listManifests(dataFolder, kinds), { days, kinds })
  await forEachName(names, async name => {
    const { pointer, filesSent, isNew } = await pushManifest(store, dataFolder, name, true)
    const sent = `${counted(filesSent, 'file')} sent`
    say(`${name.kind} ${name.key}: ${sent}, ${isNew ? `pointer ${pointer.seq}` : 'same pointer'}`)
  })
}

async function runPull(store: SharedStore, { dataFolder, days, kinds }: Request): Promise<void> {
  const pointers = selectNames(await store.pointers.listSince(0), { days, kinds })
  const cache = store.openCache(dataFolder)
  // a day that was named may replace what was imported here and never pushed
  const isNamed = days.length > 0
  let isFull = false
  try {
    await forEachName(pointers, async pointer => {
      if (cache && !(await cache.admit(pointer.bytes, isNamed))) {
        isFull = true
        if (!isNamed) return
        throw new Refusal(
          `there is no space for ${formatBytes(pointer.bytes)} in the cache (TAPEFOLD_CACHE_GB): ` +
            'sessions of the last 24 hours stay.',
        )
      }
      say(
        `${pointer.kind} ${pointer.key}: ${await pullOne(store, dataFolder, { pointer, isNamed })}`,
      )
    })
  } finally {
    await renewViews(dataFolder)
  }
  if (isFull) say('the cache is full: older sessions were left in the store')
}

async function pullOne(
  store: SharedStore,
  dataFolder: string,
  { pointer, isNamed }: { readonly pointer: Pointer; readonly isNamed: boolean },
): Promise<string> {
  if (await pullManifest(store, dataFolder, pointer, isNamed)) {
    return `pulled, ${formatBytes(pointer.bytes)}`
  }
  const restored = await restoreFiles(store, dataFolder, pointer)
  return restored > 0 ? `${counted(restored, 'file')} restored` : 'up to date'
}

async function runCheck(store: SharedStore): Promise<void> {
  const { pointers, files, bytes, unnamedFiles, findings } = await checkStore(store)
  for (const finding of findings) say(`  ${finding}`)
  say(`${counted(pointers, 'pointer')}, ${counted(files, 'file')}, ${formatBytes(bytes)}`)
  say(`${counted(unnamedFiles, 'file')} of earlier versions, stages or killed pushes`)
  if (findings.length > 0)
    throw new CommandError(`the store has ${counted(findings.length, 'fault')}.`, 1)
}

async function runRebuild(store: SharedStore): Promise<void> {
  const count = await rebuildPointers(store)
  say(`${counted(count, 'pointer')} made again; "tapefold store check" checks them`)
}

/** Runs `work` for each name; a Refusal of one leaves the others, and ends the command with 1. */
async function forEachName<Name extends ManifestName>(
  names: readonly Name[],
  work: (name: Name) => Promise<void>,
): Promise<void> {
  let refusedCount = 0
  for (const name of names) {
    try {
      await work(name)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusedCount += 1
      process.stderr.write(`tapefold: ${name.kind} ${name.key}: ${error.message}\n`)
    }
  }
  if (refusedCount > 0) {
    throw new CommandError(`${counted(refusedCount, 'manifest was', 'manifests were')} refused.`, 1)
  }
}

/** Manifests of the days, newest first. Fails with a Refusal for a day that has none. */
function selectNames<Name extends ManifestName>(
  names: readonly Name[],
  { days, kinds }: Pick<Request, 'days' | 'kinds'>,
): Name[] {
  const ofKinds = names.filter(({ kind }) => kinds.includes(kind))
  const readDay = ({ key }: ManifestName) => keySession(key)
  const missing = days.find(day => !ofKinds.some(name => readDay(name) === day))
  if (missing !== undefined) throw new Refusal(`there is no session of ${missing} to copy.`)
  return ofKinds
    .filter(name => days.length === 0 || days.includes(readDay(name) ?? ''))
    .sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0))
}

/** Kinds of `--kinds`. Fails with a UsageError. */
function parseKinds(text: string): ManifestKind[] {
  const kinds = text.split(',')
  if (kinds.every(isKind)) return kinds
  throw new UsageError(`--kinds is ${text}; give of ${KINDS.join(', ')}, such as published,live.`)
}

if (import.meta.main) {
  runCommand(async () => {
    const { values, positionals } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: 'data' },
        kinds: { type: 'string', default: KINDS.join(',') },
      },
    })
    const [verb = '', ...days] = positionals
    const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
    const verbs = Object.keys(VERBS).join(', ')
    if (!run) throw new UsageError(`store needs one of ${verbs}; see "tapefold store --help".`)
    const takesDays = run === runPush || run === runPull
    if (!takesDays && days.length > 0) throw new UsageError(`store ${verb} takes no days.`)
    const kinds = parseKinds(values.kinds)
    for (const day of days) if (!isDate(day)) dateArgument(day)
    const request = { dataFolder: values.data, days, kinds }
    await withSharedStore(async store => {
      if (store === null) {
        throw new Refusal(
          'there is no store; set TAPEFOLD_STORE, such as s3://bucket/prefix, and DATABASE_URL.',
        )
      }
      await run(store, request)
    })
  })
}
