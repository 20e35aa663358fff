// Publishers of the same sessions as processes that are killed at random instants, next to a
// collector without any grace.

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { damagedFiles } from '../../src/core/disk/files.ts'
import { addDays } from '../../src/core/market/calendar.ts'
import { collect } from '../../src/data/published/collect.ts'
import {
  manifestVersion,
  publishedFiles,
  publishedFolder,
  readManifest,
  supersededManifests,
} from '../../src/data/published/manifest.ts'
import { counted } from './chaos.ts'
import { newFolder } from './import.ts'
import { randomNumbers } from './random.ts'

const PUBLISHERS = 4
/** Versions that no process gets to. */
const VERSIONS_MAX = 100_000

type Accepted = { readonly date: string; readonly version: number; readonly replaced: string }

/** Kills publishers of sessions so many times, and judges what they left. */
export async function killPublishers(sessionCount: number, kills: number): Promise<void> {
  const folder = newFolder()
  const dates = Array.from({ length: sessionCount }, (_, day) => addDays('2026-10-01', day))
  const random = randomNumbers(sessionCount)
  const accepted: Accepted[] = []
  let startCount = 0
  const start = () => {
    const child = startPublisher(folder, startCount++ * VERSIONS_MAX, dates, accepted)
    return { child, ended: waitForEnd(child) }
  }
  const publishers = Array.from({ length: PUBLISHERS }, start)
  for (let count = 0; count < kills; count++) {
    await counted('random kills', async () => {
      const before = accepted.length
      while (accepted.length === before) await sleep(5)
      await sleep(300 * random())
      const index = Math.floor(PUBLISHERS * random())
      await kill(publishers[index]!)
      await collectNow(folder)
      for (const date of dates) await expectFiles(folder, date)
      publishers[index] = start()
    })
  }
  const enough = accepted.length + PUBLISHERS
  while (accepted.length < enough) await sleep(20)
  for (const publisher of publishers) await kill(publisher)
  await collectNow(folder)
  for (const date of dates) {
    await expectFiles(folder, date)
    expectOneLine(folder, date, accepted)
  }
}

/** Every file that the manifest names is there, with its hash; read again when it was replaced. */
async function expectFiles(folder: string, date: string): Promise<void> {
  for (;;) {
    const version = manifestVersion(folder, date)
    const manifest = readManifest(folder, date)
    const damaged = await damagedFiles(
      publishedFolder(folder),
      manifest ? publishedFiles(manifest) : [],
    )
    if (manifestVersion(folder, date) !== version) continue
    expect(damaged).toEqual([])
    return
  }
}

/** Removes every file that no manifest names, however young. */
const collectNow = (dataFolder: string) =>
  collect({ dataFolder, nowMs: Number.MAX_SAFE_INTEGER, graceMs: 0 })

/** Accepted versions are a line: each replaced what stood, none was lost, and the last one stands. */
function expectOneLine(folder: string, date: string, accepted: readonly Accepted[]): void {
  const own = accepted.filter(each => each.date === date)
  const replaced = own.map(each => each.replaced)
  expect(new Set(replaced).size).toBe(replaced.length)
  expect(replaced).not.toContain(manifestVersion(folder, date))
  const stored = [readManifest(folder, date), ...listSuperseded(folder, date)]
  const versions = stored.map(manifest => manifest?.minutes.present)
  expect(versions).toEqual(expect.arrayContaining(own.map(({ version }) => version)))
}

const listSuperseded = (folder: string, date: string) =>
  supersededManifests(folder, date).map(({ manifest }) => manifest)

function startPublisher(
  folder: string,
  first: number,
  dates: readonly string[],
  accepted: Accepted[],
): ChildProcess {
  const script = join(import.meta.dirname, 'killedPublisher.ts')
  const args = [script, folder, String(first), ...dates]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', chunk => {
    const lines = `${text}${chunk}`.split('\n')
    text = lines.pop()!
    for (const line of lines) {
      const [date, version, replaced] = line.split(' ')
      accepted.push({ date: date!, version: Number(version), replaced: replaced! })
    }
  })
  return child
}

type Publisher = { readonly child: ChildProcess; readonly ended: Promise<string | null> }

const waitForEnd = (child: ChildProcess) =>
  new Promise<string | null>(resolve => child.once('close', (_, signal) => resolve(signal)))

/** Kills a publisher; fails when it had ended by itself. */
async function kill({ child, ended }: Publisher): Promise<void> {
  child.kill('SIGKILL')
  expect(await ended).toBe('SIGKILL')
}
