// Fetches one file of a source as a process of its own, and prints its cost: largeFiles.ts starts it.

import { MASSIVE } from '../../pipelines/fetch/massive/source.ts'
import { THETADATA } from '../../pipelines/fetch/thetadata/source.ts'
import { readPeakMib } from '../../pipelines/measure/bench/meter.ts'
import { monotonicMs, systemClock } from '../../src/core/clock.ts'
import { DAY, fetchOnePart, NOW_MS } from './fetchPart.ts'
import { MASSIVE_KEYS } from './sources/massive.ts'

const [name, file, url, dataFolder] = process.argv.slice(2) as [string, string, string, string]
const source = name === 'massive' ? MASSIVE : THETADATA
const part = source.plan([DAY], NOW_MS).find(each => each.file === file)!
const startMs = monotonicMs()
const { record, problem } = await fetchOnePart({
  source,
  part,
  dataFolder,
  url,
  nowMs: systemClock.nowMs,
  keys: {
    MASSIVE_ACCESS_KEY_ID: MASSIVE_KEYS.accessKey,
    MASSIVE_SECRET_ACCESS_KEY: MASSIVE_KEYS.secretKey,
  },
})
if (problem) throw problem
process.stdout.write(
  JSON.stringify({
    bytes: record!.bytes,
    rows: record!.rows,
    seconds: (monotonicMs() - startMs) / 1000,
    peakMib: readPeakMib('self'),
  }),
)
