// Two feeds of one session side by side, each killed twice, in `npm run chaos` 20 times: what the
// store has of it, and how late.

import { expect, test } from 'vitest'
import { isChaos } from '../../support/chaos.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { runTwoFeeds } from '../../support/twoFeeds.ts'

const KILLS = isChaos ? 20 : 2
/** Longest time for which a minute is late when a feed has died. */
const GAP_MAX_MS = 5_000

const seconds = (ms: number | undefined) => ((ms ?? Number.NaN) / 1_000).toFixed(1)

test.runIf(hasPostgres)(`two feeds, each killed ${KILLS} times`, async () => {
  const { afterKillMs, otherMs } = await runTwoFeeds({ kills: KILLS, seed: 49 })
  for (const [what, lateMs] of [
    ['after a kill', afterKillMs],
    ['others', otherMs],
  ] as const) {
    const half = lateMs[Math.floor(lateMs.length / 2)]
    process.stdout.write(
      `two feeds: ${lateMs.length} minutes ${what}, ${seconds(half)} s after they were due (half), ` +
        `${seconds(lateMs.at(-1))} s (all)\n`,
    )
  }
  // on a machine that does nothing else
  if (isChaos) expect(afterKillMs.at(-1)).toBeLessThan(GAP_MAX_MS)
})
