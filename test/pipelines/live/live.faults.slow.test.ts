// A running session on a machine that fails: full disks, other processes, commands killed outright.

import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { type FeedOptions, openFeed } from '../../../pipelines/live/feed.ts'
import { openMinuteJob } from '../../../pipelines/live/minute.ts'
import { isLocked, lockPath, withLock } from '../../../src/core/disk/lock.ts'
import { isRunning } from '../../../src/core/disk/process.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { readTapeManifest } from '../../../src/data/tape/manifest.ts'
import { counted, findCopy, findState, isChaos } from '../../support/chaos.ts'
import { runScript } from '../../support/commands.ts'
import { installFaults } from '../../support/faultyDisk.ts'
import { newFolder } from '../../support/import.ts'
import { DATE, simulateLive, writePart } from '../../support/liveTape.ts'
import { processesWith } from '../../support/processes.ts'
import { expectReadable } from '../../support/readable.ts'

const at = (minute: string) => instantMs(DATE, minute)
const template = newFolder()
const spool = join(template, 'spool')
const mounted = newFolder()
const canMount =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tapefold-full', mounted]).status === 0
afterAll(() => {
  if (canMount) spawnSync('umount', [mounted])
})

beforeAll(async () => {
  const simulated = await simulateLive()
  mkdirSync(spool)
  for (const [name, from, until] of [
    ['first', '00:00', '09:36'],
    ['next', '09:36', '09:37'],
  ] as const) {
    const to = join(spool, `prints-${name}.parquet`)
    await writePart(simulated, { from: at(from), until: at(until), to })
  }
  const names = ['quotes', 'spots', 'open_interest', 'rates'] as const
  for (const [format, file] of [
    ...names.map(name => [name.replace('_', '-'), join(simulated, `${name}.parquet`)]),
    ['prints', join(spool, 'prints-first.parquet')],
  ]) {
    await runImport({ dataFolder: template, format: format!, files: [file!], simulated: true })
  }
})

const jobOn = (dataFolder: string) => openMinuteJob({ dataFolder, date: DATE, progress: silent })

test('a state that could not be published is whole when it is published again', async () => {
  const [smooth, rough] = [findCopy(template), findCopy(template)]
  for (const folder of [smooth, rough]) {
    const job = await jobOn(folder)
    await job.advance(at('09:35'), true)
    if (folder === rough) {
      // the first file of the state that it writes
      const disk = installFaults(folder, { at: 12, kind: 'ENOSPC' })
      const failed = await job.advance(at('09:36')).catch(error => error)
      disk.restore()
      expect(failed).toMatchObject({ code: 'ENOSPC' })
      expect(readLiveManifest(folder, DATE)!.live.minute).toBe('09:35')
    }
    await job.advance(at('09:36'))
    await job.close()
  }
  expect(readLiveManifest(rough, DATE)!.live.minute).toBe('09:36')
  expect(findState(rough)).toEqual(findState(smooth))
})

test('of two that publish a session, the pointer takes the first; the other goes on from there', async () => {
  const [alone, shared] = [findCopy(template), findCopy(template)]
  const [only, one, other] = [await jobOn(alone), await jobOn(shared), await jobOn(shared)]
  for (const job of [one, other, only]) await job.advance(at('09:35'), true)
  await one.advance(at('09:36'))
  // it stands at 09:35: the next state is there already, and the one after it is not
  const same = await other.advance(at('09:36'))
  expect(same).toEqual(readLiveManifest(shared, DATE))
  await other.advance(at('09:37'))
  // it stands at 09:36, and a step of two minutes would name those of 09:37 twice
  await one.advance(at('09:38'), true)
  for (const minute of ['09:36', '09:37', '09:38']) await only.advance(at(minute))
  for (const job of [only, one, other]) await job.close()
  expect(findState(shared)).toEqual(findState(alone))
})

test('what comes while somebody else imports is taken once that is done', async () => {
  const [dataFolder, others] = [newFolder(), newFolder()]
  cpSync(join(spool, 'prints-first.parquet'), join(others, 'prints.parquet'))
  const input = new PassThrough()
  const text: string[] = []
  const options: FeedOptions = {
    dataFolder,
    date: DATE,
    spool: others,
    simulated: true,
    graceMs: 0,
    rows: { dataset: 'spots', input },
    clock: { nowMs: () => at('09:29') },
    progress: { ...silent, say: line => void text.push(line) },
  }
  const feed = await openFeed(options)
  input.write(`session_date,spotted_at,spot\n${DATE},2026-10-15 13:30:10,6000.5\n`)
  await new Promise(done => setImmediate(done))
  await withLock(lockPath(dataFolder, 'import'), 'busy', async () => {
    await feed.look()
    await feed.look()
    const wait = ': Another import into '
    expect(text).toEqual([
      expect.stringContaining(`prints.parquet waits${wait}`),
      expect.stringContaining(`standard input waits${wait}`),
    ])
    expect(feed.untaken()).toEqual(['prints.parquet', 'standard input'])
    input.write(`${DATE},2026-10-15 13:30:11,6000.75\n`)
    await new Promise(done => setImmediate(done))
  })
  expect(readTapeManifest(dataFolder, DATE).batches).toEqual([])
  await feed.look()
  await feed.look()
  expect(feed.untaken()).toEqual([])
  await feed.close()
  const taken = readTapeManifest(dataFolder, DATE).batches.map(({ dataset, rows }) => [
    dataset,
    rows,
  ])
  expect(taken).toEqual([
    ['prints', expect.any(Number)],
    ['spots', 2],
  ])
})

test('a feed whose command is killed holds nobody up', async () => {
  const dataFolder = findCopy(template)
  const empty = newFolder()
  const args = ['--spool', empty, '--clock', `${DATE}T09:30x0`, '--data', dataFolder]
  const feed = ['src/cli/cli.ts', 'feed', ...args]
  const child = spawn(process.execPath, feed, { stdio: 'ignore' })
  while (!isLocked(lockPath(dataFolder, `live-${DATE}`))) {
    expect(child.exitCode).toBeNull()
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  const [holder] = processesWith(`--spool ${empty}`).filter(pid => pid !== child.pid)
  expect(holder).not.toBe(child.pid)
  const ended = new Promise(resolve => child.on('close', resolve))
  child.kill('SIGKILL')
  await ended
  while (isRunning(holder!)) await new Promise(resolve => setTimeout(resolve, 20))
  const again = await runScript('minute', [DATE, '--until', '09:30'], dataFolder)
  expect([again.code, again.error]).toEqual([0, ''])
})

test.skipIf(!canMount)(
  'on a full disk a feed ends and says why; with free space again the next goes on',
  async () => {
    const data = join(mounted, 'data')
    const ballast = join(mounted, 'ballast')
    const args = (folder: string) => [
      '--spool',
      join(folder, 'spool'),
      '--once',
      '--simulated',
      '--grace',
      '0',
      '--clock',
      `${DATE}T09:36x0`,
    ]
    const freeNow = () => statfsSync(mounted)
    cpSync(template, data, { recursive: true })
    const before = freeNow().bavail
    const whole = await runScript('feed', args(data), data)
    expect([whole.code, whole.error]).toEqual([0, ''])
    const expected = findState(data)
    // its files on the disk; while it runs it needs more, how much is unknown
    const storedBlocks = before - freeNow().bavail
    expect(storedBlocks).toBeGreaterThan(1)
    rmSync(data, { recursive: true })
    const rooms = isChaos ? [0, 3, 6, 9, storedBlocks, 15, 18] : [storedBlocks - 1]
    for (const freeBlocks of rooms) {
      cpSync(template, data, { recursive: true })
      const { bavail, bsize } = freeNow()
      writeFileSync(ballast, Buffer.alloc((bavail - freeBlocks) * bsize))
      const full = await runScript('feed', args(data), data)
      const isFull = freeBlocks < storedBlocks || full.code !== 0
      const judge = async () => {
        const name = `${freeBlocks} blocks free`
        if (isFull) {
          expect(full.code, name).toBe(1)
          expect(full.error, name).toMatch(/^tapefold: .*the disk is full/)
        }
        rmSync(ballast)
        await expectReadable(data, DATE)
        const again = await runScript('feed', args(data), data)
        expect([again.code, again.error], name).toEqual([0, ''])
        expect(findState(data), name).toEqual(expected)
      }
      await (isFull ? counted('full disks', judge) : judge())
      rmSync(data, { recursive: true })
    }
  },
)
