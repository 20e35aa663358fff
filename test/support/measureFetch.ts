// Run by hand: node test/support/measureFetch.ts [GB]. Prints how fast a fetch over loopback is
// against curl into a file.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { monotonicMs } from '../../src/core/clock.ts'
import { newFolder } from './import.ts'
import {
  fetchLarge,
  type Large,
  runProgram,
  startLargeMassive,
  startLargeTerminal,
} from './largeFiles.ts'
import { MASSIVE_KEYS } from './sources/massive.ts'

const bytes = Number(process.argv[2] ?? 1) * 1e9
const ROUNDS = 2

async function runCurl({ target, source }: Large): Promise<number> {
  const folder = newFolder()
  const signed = [
    '--aws-sigv4',
    `aws:amz:${MASSIVE_KEYS.region}:s3`,
    '--user',
    `${MASSIVE_KEYS.accessKey}:${MASSIVE_KEYS.secretKey}`,
  ]
  const startMs = monotonicMs()
  const args = ['--fail', '--silent', '--show-error', '--globoff', '-o', join(folder, 'file')]
  const [, error] = await runProgram('curl', [
    ...args,
    ...(source === 'massive' ? signed : []),
    target,
  ])
  if (error !== '') throw new Error(error)
  const seconds = (monotonicMs() - startMs) / 1000
  rmSync(folder, { recursive: true })
  return seconds
}

for (const open of [startLargeTerminal, startLargeMassive]) {
  const large = await open(bytes)
  const curls: number[] = []
  const fetches: number[] = []
  let peakMib = 0
  for (let round = 0; round < ROUNDS; round++) {
    curls.push(await runCurl(large))
    const result = await fetchLarge(large)
    fetches.push(result.seconds)
    peakMib = Math.max(peakMib, result.peakMib)
  }
  const [curl, fetch] = [Math.min(...curls), Math.min(...fetches)]
  process.stdout.write(
    `${large.source}: ${(large.bytes / 1e9).toFixed(2)} GB, curl ${curl.toFixed(1)} s, fetch ` +
      `${fetch.toFixed(1)} s: ${(curl / fetch).toFixed(2)} of its speed, ${peakMib.toFixed(0)} MiB\n`,
  )
  await large.server.close()
}
