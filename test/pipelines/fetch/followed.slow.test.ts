// A followed session by the command itself, at ten times real time.

import { rmSync } from 'node:fs'
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

const simulateDay = async () => {
  const simulated = await simulateSmall({ prints: 200, contracts: 200, hasQuotes: true, date: DAY })
  const day = await readSimulatedDay(simulated)
  simulated.remove()
  return day
}

/** Follows a source from a minute until one is published; returns that, and what the command printed. */
async function follow(source: string, from: string, url: string, until: string) {
  const dataFolder = newFolder()
  let stop = () => {}
  const ended = runScript(
    'fetch',
    [source, '--follow', '--clock', `${DAY}T${from}x10`],
    dataFolder,
    {
      env: { [`TAPEFOLD_${source.replace('-', '_').toUpperCase()}_URL`]: url },
      onStart: child => {
        stop = () => void child.kill('SIGTERM')
      },
    },
  )
  const readMinute = () => readLiveManifest(dataFolder, DAY)?.live.minute ?? ''
  try {
    await waitUntil('a minute of the session', () => readMinute() >= until)
  } finally {
    stop()
  }
  const outcome = { ...(await ended), minute: readMinute() }
  rmSync(dataFolder, { recursive: true, force: true })
  return outcome
}

test('a followed session: the chain of a minute comes, and its minute is published 15 minutes late', async () => {
  const day = await simulateDay()
  const cboe = await startCboeDelayed({ chains: { _SPX: day.cboeChain('11:00') } })
  let minute = 11 * 60
  const publishNext = () => {
    minute++
    const two = (value: number) => String(value).padStart(2, '0')
    cboe.publish('_SPX', day.cboeChain(`${two(Math.floor(minute / 60))}:${two(minute % 60)}`))
  }
  const next = setInterval(publishNext, 6_000)
  const outcome = await follow('cboe-delayed', '11:16', cboe.url, '11:02').finally(() =>
    clearInterval(next),
  )
  expect(outcome.error).toBe('')
  expect(outcome.out).toMatch(
    /^cboe-delayed is followed until the close of 2026-10-15, 15 minutes late\n/,
  )
  expect(outcome.minute < '11:16').toBe(true)
  await cboe.close()
})

test('open interest comes 8 s before the first print: the session waits for it and begins', async () => {
  const terminal = await startThetadata({
    ...(await simulateDay()).thetadata,
    today: DAY,
    faults: [{ match: /trade_quote|history\/quote|index/, times: 8, delayMs: 8_000 }],
  })
  const { out, error } = await follow('thetadata', '09:34', terminal.url, '09:34')
  expect(error).toBe('')
  expect(out).toMatch(/thetadata-open-interest-SPXW.csv: 150 new rows\nthetadata-/)
  await terminal.close()
})
