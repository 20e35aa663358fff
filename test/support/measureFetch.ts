// Run by hand: node test/support/measureFetch.ts [GB]. Prints how fast a fetch over loopback is
// against curl into a file, and against curl whose file is flushed to the disk as the fetch's is.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { monotonicMs } from '../../src/core/clock.ts'
import { fsyncFile } from '../../src/core/disk/files.ts'
import { newFolder } from './import.ts'
import { fetchLarge, type Large, runProgram, startLargeTerminal } from './largeFiles.ts'

const bytes = Number(process.argv[2] ?? 1) * 1e9
const ROUNDS = 3

async function runCurl({ target }: Large, isFlushed: boolean): Promise<number> {
  const folder = newFolder()
  const startMs = monotonicMs()
  const args = ['--fail', '--silent', '--show-error', '--globoff', '-o', join(folder, 'file')]
  const [, error] = await runProgram('curl', [...args, target])
  if (error !== '') throw new Error(error)
  if (isFlushed) fsyncFile(join(folder, 'file'))
  const seconds = (monotonicMs() - startMs) / 1000
  rmSync(folder, { recursive: true })
  return seconds
}

const large = await startLargeTerminal(bytes)
const curls: number[] = []
const flushed: number[] = []
const fetches: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  curls.push(await runCurl(large, false))
  flushed.push(await runCurl(large, true))
  fetches.push((await fetchLarge(large)).seconds)
}
const [curl, flush, fetch] = [Math.min(...curls), Math.min(...flushed), Math.min(...fetches)]
process.stdout.write(
  `${(large.bytes / 1e9).toFixed(2)} GB of CSV: curl ${curl.toFixed(1)} s, with its file flushed ` +
    `${flush.toFixed(1)} s, fetch ${fetch.toFixed(1)} s: ${(curl / fetch).toFixed(2)} and ` +
    `${(flush / fetch).toFixed(2)} of their speed\n`,
)
await large.server.close()
