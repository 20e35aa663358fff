// Kills of the real command, at bytes of bodies and at calls to the disk: each time the next run ends
// as if there had been one, with no row lost, none doubled, and no half file. A twentieth of the 200;
// all of them in `npm run chaos`.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { counted, isChaos } from '../../support/chaos.ts'
import {
  type FetchedState,
  type Killed,
  killAtCall,
  killMassiveAtByte,
  killRestatedAtCall,
  killTerminalAtByte,
  massiveFile,
  runUndisturbed,
  startSmallMassive,
  startSmallTerminal,
} from '../../support/fetchKills.ts'
import { randomNumbers } from '../../support/random.ts'
import type { MassiveSource } from '../../support/sources/massive.ts'

const sample = (count: number) => (isChaos ? count : Math.ceil(count / 20))
const BYTES_OF_MASSIVE = sample(50)
const CALLS_OF_MASSIVE = sample(60)
const BYTES_OF_TERMINAL = sample(30)
const CALLS_OF_TERMINAL = sample(60)

type Case = Killed & { readonly whole: FetchedState; readonly calls: number }

let massive: Case
let terminal: Case
const random = randomNumbers(47)

beforeAll(async () => {
  const servers = { massive: await startSmallMassive(), thetadata: await startSmallTerminal() }
  const open = async (source: Killed['source']): Promise<Case> => {
    const killed = { server: servers[source], source }
    const { state, calls } = await runUndisturbed(killed)
    return { ...killed, whole: state, calls }
  }
  massive = await open('massive')
  terminal = await open('thetadata')
})
afterAll(async () => {
  await massive.server.close()
  await terminal.server.close()
})

/** Calls from the first to the last, as many as are wanted, all where there are fewer. */
const spread = (calls: number, count: number) =>
  calls <= count
    ? Array.from({ length: calls }, (_, index) => index + 1)
    : Array.from(
        { length: count },
        (_, index) => 1 + Math.floor(((index + random()) * calls) / count),
      )

test('Massive: killed at bytes of its file', async () => {
  const { length } = (await massiveFile(1)).content
  for (let count = 0; count < BYTES_OF_MASSIVE; count++)
    await counted('random kills', () =>
      killMassiveAtByte(massive, 1 + Math.floor(random() * length), massive.whole),
    )
})

test('Massive: killed at calls to the disk', async () => {
  const calls = spread(massive.calls, CALLS_OF_MASSIVE)
  for (const call of calls)
    await counted('kills at a call', () => killAtCall(massive, call, massive.whole))
})

// bodies of 400 bytes and more: the first of SPX, of the evening before, has none
const PATHS = [/trade_quote\?symbol=SPXW.*09%3A30/, /history\/quote/, /open_interest/, /index/]

test('ThetaData: killed at bytes of any body', async () => {
  for (let count = 0; count < BYTES_OF_TERMINAL; count++) {
    const at = { bytes: 1 + Math.floor(random() * 400), match: PATHS[count % PATHS.length]! }
    await counted('random kills', () => killTerminalAtByte(terminal, at, terminal.whole))
  }
})

test('ThetaData: killed at calls to the disk', async () => {
  const calls = spread(terminal.calls, CALLS_OF_TERMINAL)
  expect(terminal.calls).toBeGreaterThan(CALLS_OF_TERMINAL)
  for (const call of calls)
    await counted('kills at a call', () => killAtCall(terminal, call, terminal.whole))
})

test('a fetch of a replaced file that is killed leaves the old rows or the new ones', async () => {
  await killRestatedAtCall(massive.server as MassiveSource, Math.floor(massive.calls / 2))
})
