// A few of the kills of kills.slow.test.ts, and what a second run asks for.

import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FetchedState,
  fileRequests,
  KILL_DAY,
  type Killed,
  killAtByte,
  killAtCall,
  killMassiveAtByte,
  killRestatedAtCall,
  massiveFile,
  partialFile,
  readState,
  runFetchProcess,
  runUndisturbed,
  startSmallMassive,
} from '../../support/fetchKills.ts'
import { newFolder } from '../../support/import.ts'
import { type MassiveSource, massiveTradesKey } from '../../support/sources/massive.ts'

let server: MassiveSource
let killed: Killed
let whole: FetchedState
let calls: number

beforeAll(async () => {
  server = await startSmallMassive()
  killed = { server, source: 'massive' }
  const undisturbed = await runUndisturbed(killed)
  whole = undisturbed.state
  calls = undisturbed.calls
})
afterAll(() => server.close())

test('a fetch that is killed at any of some calls to the disk ends as if it had run once', async () => {
  for (let index = 0; index < 5; index++)
    await killAtCall(killed, 1 + Math.floor((index * calls) / 5) + index, whole)
})

test('a fetch that is killed at some bytes goes on by Range from the last byte', async () => {
  const { length } = (await massiveFile(1)).content
  for (const share of [0.2, 0.9, 1])
    await killMassiveAtByte(killed, Math.floor(length * share), whole)
})

test('a file that is replaced after a kill is fetched whole: If-Range names the old one', async () => {
  const dataFolder = newFolder()
  const first = await massiveFile(1)
  const other = await massiveFile(2)
  await killAtByte(killed, dataFolder, {
    bytes: 9000,
    match: /^GET .*\.csv\.gz/,
    written: partialFile(dataFolder),
  })
  expect(statSync(partialFile(dataFolder)).size).toBeGreaterThan(0)
  server.publish(massiveTradesKey(KILL_DAY), other)
  try {
    const before = fileRequests(server).length
    const { code, error } = await runFetchProcess(killed, dataFolder)
    expect([code, error]).toEqual([0, ''])
    expect(fileRequests(server).slice(before)).toMatchObject([
      { status: 200, headers: { 'if-range': expect.any(String) } },
    ])
    const file = partialFile(dataFolder).replace('.part', '')
    expect(readFileSync(file).equals(other.content)).toBe(true)
    expect(existsSync(partialFile(dataFolder))).toBe(false)
    const { tape } = await readState(dataFolder)
    expect(tape).not.toBe(whole.tape)
  } finally {
    server.publish(massiveTradesKey(KILL_DAY), first)
    rmSync(dataFolder, { recursive: true })
  }
})

test('a fetch of a replaced file that is killed leaves the old rows or the new ones', async () => {
  await killRestatedAtCall(server, Math.floor(calls / 2))
})

test('a second run asks for no rows', async () => {
  const dataFolder = newFolder()
  expect((await runFetchProcess(killed, dataFolder)).code).toBe(0)
  const before = fileRequests(server).length
  expect((await runFetchProcess(killed, dataFolder)).code).toBe(0)
  expect(fileRequests(server).length).toBe(before)
  expect(await readState(dataFolder)).toEqual(whole)
  rmSync(dataFolder, { recursive: true })
})
