// Commands of a running session and of the night as real processes, killed at random instants and
// at calls to the disk, and started again. A sample; all of it with CHAOS=all (npm run chaos).

import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runImport } from '../../../pipelines/import/import.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { readTapeManifest } from '../../../src/data/tape/manifest.ts'
import {
  counted,
  findCopy,
  findSample,
  findState,
  type Harm,
  isChaos,
  listWork,
} from '../../support/chaos.ts'
import { type Ended, runScript, type Trouble } from '../../support/commands.ts'
import { newFolder } from '../../support/import.ts'
import { DATE, simulateLive, writePart } from '../../support/liveTape.ts'
import { randomNumbers } from '../../support/random.ts'
import { expectReadable } from '../../support/readable.ts'

const COMMANDS = ['import', 'minute', 'feed', 'build'] as const
type Command = (typeof COMMANDS)[number]

/** Random kills of each with CHAOS=all: 200 together. */
const RANDOM_KILLS = { import: 100, minute: 40, feed: 40, build: 20 } as const
/**
 * A number of calls to the disk of each, spread over all of them; of an import every one. All
 * calls of a minute's and a night's publishing are those of the faults tests of src/store.
 */
const CALLS = { import: 1_000, minute: 20, feed: 20, build: 12 } as const
/** A feed imports and runs minutes: without CHAOS=all it stands for both. */
const TRIED: readonly Command[] = isChaos ? COMMANDS : ['import', 'feed']

const at = (minute: string) => instantMs(DATE, minute)
const parts = newFolder()
const findPart = (name: string) => join(parts, `prints-${name}.parquet`)
let templates: Record<Command, string>

beforeAll(async () => {
  const simulated = await simulateLive()
  const size = { from: 0, until: at('09:36') }
  await writePart(simulated, { ...size, to: findPart('first') })
  await writePart(simulated, { from: at('09:36'), until: at('09:37'), to: findPart('next') })
  await writePart(simulated, { from: at('09:37'), until: at('17:00'), to: findPart('rest') })
  const running = newFolder()
  const names = ['quotes', 'spots', 'open_interest', 'rates'] as const
  const files = names.map(name => [name.replace('_', '-'), join(simulated, `${name}.parquet`)])
  for (const [format, file] of [...files, ['prints', findPart('first')]]) {
    await runImport({ dataFolder: running, format: format!, files: [file!], simulated: true })
  }
  const reported = await runScript('minute', listArgs.minute(running, '09:36'), running)
  expect([reported.code, reported.error]).toEqual([0, ''])
  const grown = findCopy(running)
  const more = { format: 'prints', files: [findPart('next')], simulated: true }
  await runImport({ dataFolder: grown, ...more })
  const fed = findCopy(running)
  mkdirSync(join(fed, 'spool'))
  for (const name of ['next', 'rest']) {
    cpSync(findPart(name), join(fed, 'spool', `prints-${name}.parquet`))
  }
  templates = { import: running, minute: grown, feed: fed, build: grown }
})

const listArgs = {
  import: (_folder: string) => ['--simulated', 'prints', findPart('next'), findPart('rest')],
  minute: (_folder: string, until = '09:37') => [DATE, '--at-once', '--until', until],
  feed: (folder: string) => [
    '--spool',
    join(folder, 'spool'),
    '--once',
    '--simulated',
    '--grace',
    '0',
    '--clock',
    `${DATE}T09:38x0`,
  ],
  build: (_folder: string) => [DATE],
} as const satisfies Record<Command, (folder: string) => string[]>

const run = (command: Command, folder: string, trouble?: Trouble): Promise<Ended> =>
  runScript(command, listArgs[command](folder), folder, trouble)

/** Work that a command had reported as done when it was killed is there. */
function expectStored(folder: string, { out }: Ended): void {
  const rows = (dataFolder: string) =>
    readTapeManifest(dataFolder, DATE)
      .batches.filter(({ dataset }) => dataset === 'prints')
      .reduce((sum, batch) => sum + batch.rows, 0)
  const imported = [
    ...[...out.matchAll(/: (\d+) new rows$/gm)].map(match => Number(match[1])),
    ...[...out.matchAll(/^\S+ +prints +\d+ +(\d+) /gm)].map(match => Number(match[1])),
  ]
  const before = rows(templates.import)
  const reported = imported.reduce((sum, count) => sum + count, 0)
  expect(rows(folder)).toBeGreaterThanOrEqual(before + reported)
  for (const [, minute] of out.matchAll(/^ {2}state (\d\d:\d\d) /gm)) {
    expect(readLiveManifest(folder, DATE)!.live.minute >= minute!).toBe(true)
  }
  const revision = /is published: .* revision (\w+)/.exec(out)?.[1]
  if (revision) expect(readManifest(folder, DATE)!.revision).toBe(revision)
}

describe.each(TRIED)('%s', command => {
  let expected: Record<string, string>
  let whole: Ended

  beforeAll(async () => {
    const folder = findCopy(templates[command])
    whole = await run(command, folder, { fault: null })
    expect([whole.code, whole.error]).toEqual([0, ''])
    expected = findState(folder)
    expectStored(folder, whole)
  })

  /** Harms it, starts it again, and compares with what is never harmed; false when too late. */
  async function harmAndFinish(harm: Harm, trouble: Trouble, name: string): Promise<boolean> {
    const folder = findCopy(templates[command])
    const harmed = await run(command, folder, trouble)
    if (harm === 'random kills' && harmed.signal === null) return false
    await counted(harm, async () => {
      const end = harm === 'errors at a call' ? { code: 1 } : { signal: 'SIGKILL' }
      expect(harmed, name).toMatchObject(end)
      if (harm === 'errors at a call') expect(harmed.error, name).toMatch(/^\S.*\S/)
      await expectReadable(folder, DATE)
      expectStored(folder, harmed)
      const finished = await run(command, folder)
      expect([finished.code, finished.error], name).toEqual([0, ''])
      expect(findState(folder), name).toEqual(expected)
      expect(listWork(folder)).toEqual([])
    })
    rmSync(folder, { recursive: true })
    return true
  }

  test('killed at random instants and started again ends as if it never was', async () => {
    const random = randomNumbers(COMMANDS.indexOf(command) + 1)
    const wanted = isChaos ? RANDOM_KILLS[command] : 1
    for (let kills = 0; kills < wanted; ) {
      const killAtCpuSeconds = (0.1 + 0.9 * random()) * whole.cpuSeconds
      const name = `killed after ${killAtCpuSeconds} s`
      if (await harmAndFinish('random kills', { killAtCpuSeconds }, name)) kills += 1
    }
  })

  test('and so killed at its calls to the disk', async () => {
    for (const call of listCalls(0)) {
      const fault = { at: call, kind: 'kill' } as const
      await harmAndFinish('kills at a call', { fault }, `killed at call ${call}`)
    }
  })

  test.skipIf(!isChaos)(
    'an error at such a call is reported, and made good by the next run',
    async () => {
      for (const [index, call] of listCalls(1).entries()) {
        const fault = { at: call, kind: index % 2 === 0 ? 'EIO' : 'ENOSPC' } as const
        await harmAndFinish('errors at a call', { fault }, `${fault.kind} at call ${call}`)
      }
    },
  )

  /** Calls to the disk, spread over all of them from a first one on; one by lot in a sample. */
  function listCalls(first: number): number[] {
    const calls = findSample(whole.calls, COMMANDS.indexOf(command) + 1, 1)
    if (!isChaos) return calls.slice(0, 1)
    const step = Math.ceil(calls.length / CALLS[command])
    return calls.filter((_, index) => index % step === first % step)
  }
})
