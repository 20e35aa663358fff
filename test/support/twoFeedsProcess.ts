// A feed of a running session, as a process that can be killed, by a clock in a file. Its argument is
// one JSON text.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { silent } from '../../pipelines/command/progress.ts'
import { openFeed } from '../../pipelines/live/feed.ts'
import { withMinuteLock } from '../../pipelines/live/minute.ts'
import { readLiveManifest } from '../../src/data/published/liveManifest.ts'

export type TwoFeedsProcess = {
  readonly dataFolder: string
  readonly spool: string
  readonly date: string
  /** File with the instant, in UTC milliseconds. */
  readonly clockFile: string
  readonly graceMs: number
}

const LOOK_EVERY_MS = 1_000

if (import.meta.main) {
  const given: TwoFeedsProcess = JSON.parse(process.argv[2]!)
  const { dataFolder, date, clockFile } = given
  await withMinuteLock({ dataFolder, date }, async states => {
    const feed = await openFeed({
      ...given,
      states,
      rows: null,
      simulated: true,
      clock: { nowMs: () => Number(readFileSync(clockFile, 'utf8')) },
      progress: silent,
    })
    for (;;) {
      await feed.look()
      process.stdout.write(`${readLiveManifest(dataFolder, date)?.live.minute}\n`)
      await sleep(LOOK_EVERY_MS)
    }
  })
}
