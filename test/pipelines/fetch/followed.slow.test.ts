// A followed session by the command itself, at ten times real time.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { runScript } from '../../support/commands.ts'
import { DAY } from '../../support/fetchPart.ts'
import { newFolder } from '../../support/import.ts'
import { waitUntil } from '../../support/processes.ts'
import { simulateSmall } from '../../support/simulated.ts'
import { startCboeDelayed } from '../../support/sources/cboeDelayed.ts'
import { readSimulatedDay } from '../../support/sources/simulatedDay.ts'
import { startThetadata } from '../../support/sources/thetadata.ts'

const FETCH = join(import.meta.dirname, '../../../pipelines/fetch/fetch.ts')

test('a followed session: the chain of a minute comes, and its minute is published 15 minutes late', async () => {
  const simulated = await simulateSmall({ prints: 200, contracts: 200, hasQuotes: true, date: DAY })
  const day = await readSimulatedDay(simulated)
  simulated.remove()
  const cboe = await startCboeDelayed({ chains: { _SPX: day.cboeChain('11:00') } })
  const dataFolder = newFolder()
  let minute = 11 * 60
  const publishNext = () => {
    minute++
    const two = (value: number) => String(value).padStart(2, '0')
    cboe.publish('_SPX', day.cboeChain(`${two(Math.floor(minute / 60))}:${two(minute % 60)}`))
  }
  const next = setInterval(publishNext, 6_000)
  let stop = () => {}
  const ended = runScript(
    FETCH,
    ['cboe-delayed', '--follow', '--clock', `${DAY}T11:16x10`],
    dataFolder,
    {
      env: { TAPEFOLD_CBOE_DELAYED_URL: cboe.url },
      onStart: child => {
        stop = () => void child.kill('SIGTERM')
      },
    },
  )
  try {
    await waitUntil(
      'a minute of the session',
      () => (readLiveManifest(dataFolder, DAY)?.live.minute ?? '') >= '11:02',
    )
  } finally {
    clearInterval(next)
    stop()
  }
  const { out, error } = await ended
  expect(error).toBe('')
  expect(out).toMatch(/^cboe-delayed is followed until the close of 2026-10-15, 15 minutes late\n/)
  const published = readLiveManifest(dataFolder, DAY)!
  expect(published.live.minute < '11:16').toBe(true)
  await cboe.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

test('open interest comes 8 s before the first print: the session waits for it and begins', async () => {
  const simulated = await simulateSmall({ prints: 200, contracts: 200, hasQuotes: true, date: DAY })
  const day = await readSimulatedDay(simulated)
  simulated.remove()
  const terminal = await startThetadata({
    ...day.thetadata,
    today: DAY,
    faults: [{ match: /trade_quote|history\/quote|index/, times: 8, delayMs: 8_000 }],
  })
  const dataFolder = newFolder()
  let stop = () => {}
  const ended = runScript(
    FETCH,
    ['thetadata', '--follow', '--clock', `${DAY}T09:34x10`],
    dataFolder,
    {
      env: { TAPEFOLD_THETADATA_URL: terminal.url },
      onStart: child => {
        stop = () => void child.kill('SIGTERM')
      },
    },
  )
  try {
    await waitUntil(
      'a minute of the session',
      () => (readLiveManifest(dataFolder, DAY)?.live.minute ?? '') >= '09:34',
    )
  } finally {
    stop()
  }
  const { out, error } = await ended
  expect(error).toBe('')
  expect(out).toMatch(/thetadata-open-interest-SPXW.csv: 150 new rows\nthetadata-/)
  await terminal.close()
  rmSync(dataFolder, { recursive: true, force: true })
})
