/** `tapefold store`: sessions between the data folder and the store that machines share. */

import type { Input } from '../../src/core/commandRow.ts'
import { dateArgument } from '../../src/core/days.ts'
import { CommandError, Refusal } from '../../src/core/disk/refusal.ts'
import { counted, formatBytes } from '../../src/core/text/counts.ts'
import { renewViews } from '../../src/data/published/publish.ts'
import { keySession } from '../../src/data/tape/manifest.ts'
import { checkStore, rebuildPointers } from '../../src/platform/store/check.ts'
import {
  listManifests,
  type ManifestKind,
  type ManifestName,
} from '../../src/platform/store/kinds.ts'
import { pullManifest, pushManifest, restoreFiles } from '../../src/platform/store/mirror.ts'
import type { Pointer } from '../../src/platform/store/pointers.ts'
import type { STORE } from './rows.ts'
import { type SharedStore, withRequiredStore } from './sharedStore.ts'

type Copying = Input<typeof STORE, 'store push'>

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Runs `tapefold store push`. */
export const storePushCommand = ({ words, data, kinds }: Copying): Promise<void> => {
  const days = words.map(day => dateArgument(day))
  return withRequiredStore(async store => {
    const names = selectNames(listManifests(data, kinds), { days, kinds })
    await forEachName(names, async name => {
      const { pointer, filesSent, isNew } = await pushManifest(store, data, name, true)
      const sent = `${counted(filesSent, 'file')} sent`
      say(`${name.kind} ${name.key}: ${sent}, ${isNew ? `pointer ${pointer.seq}` : 'same pointer'}`)
    })
  })
}

/** Runs `tapefold store pull`. */
export const storePullCommand = ({ words, data, kinds }: Copying): Promise<void> => {
  const days = words.map(day => dateArgument(day))
  return withRequiredStore(async store => {
    const pointers = selectNames(await store.pointers.listSince(0), { days, kinds })
    await pullAll(store, data, { pointers, isNamed: days.length > 0 })
  })
}

type Pulling = {
  readonly pointers: readonly Pointer[]
  /** True for days that were named: they may replace what was imported here and never pushed. */
  readonly isNamed: boolean
}

async function pullAll(
  store: SharedStore,
  dataFolder: string,
  { pointers, isNamed }: Pulling,
): Promise<void> {
  const cache = store.openCache(dataFolder)
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

/** Runs `tapefold store check`. */
export const storeCheckCommand = (): Promise<void> =>
  withRequiredStore(async store => {
    const { pointers, files, bytes, unnamedFiles, findings } = await checkStore(store)
    for (const finding of findings) say(`  ${finding}`)
    say(`${counted(pointers, 'pointer')}, ${counted(files, 'file')}, ${formatBytes(bytes)}`)
    say(`${counted(unnamedFiles, 'file')} of earlier versions, stages or killed pushes`)
    if (findings.length > 0)
      throw new CommandError(`the store has ${counted(findings.length, 'fault')}.`, 1)
  })

/** Runs `tapefold store rebuild`. */
export const storeRebuildCommand = (): Promise<void> =>
  withRequiredStore(async store => {
    const count = await rebuildPointers(store)
    say(`${counted(count, 'pointer')} made again; "tapefold store check" checks them`)
  })

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
  { days, kinds }: { readonly days: readonly string[]; readonly kinds: readonly ManifestKind[] },
): Name[] {
  const ofKinds = names.filter(({ kind }) => kinds.includes(kind))
  const readDay = ({ key }: ManifestName) => keySession(key)
  const missing = days.find(day => !ofKinds.some(name => readDay(name) === day))
  if (missing !== undefined) throw new Refusal(`there is no session of ${missing} to copy.`)
  return ofKinds
    .filter(name => days.length === 0 || days.includes(readDay(name) ?? ''))
    .sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0))
}
