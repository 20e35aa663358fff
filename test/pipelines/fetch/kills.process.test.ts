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
  for (const share of [0.3, 0.8]) await killAtCall(killed, Math.floor(share * calls), whole)
})

test('a fetch that is killed at some bytes goes on by Range from the last byte', async () => {
  const { length } = (await massiveFile(1)).content
  await killMassiveAtByte(killed, Math.floor(length * 0.9), whole)
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

test('a second run asks for no rows', async () => {
  const dataFolder = newFolder()
  expect((await runFetchProcess(killed, dataFolder)).code).toBe(0)
  const before = fileRequests(server).length
  expect((await runFetchProcess(killed, dataFolder)).code).toBe(0)
  expect(fileRequests(server).length).toBe(before)
  expect(await readState(dataFolder)).toEqual(whole)
  rmSync(dataFolder, { recursive: true })
})
