// A server in a process of its own whose disk fails when its parent says so. Uncaught errors end
// it, as by default; it judges its data continually.

import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../../src/server/main.ts'
import { installFaultyReads } from './faultyReads.ts'

/** From now on: reads fail with a code, or no more; all descriptors are taken, or given back. */
export type Order = { readonly code?: string | null; readonly isHoarding?: boolean }
export type Reported = { readonly url: string } | 'done' | { readonly line: string }

const [dataFolder, startMs, firstCode] = process.argv.slice(2) as [string, string, string]
let code: string | null = firstCode === '' ? null : firstCode
const hoard: number[] = []

const report = (reported: Reported) => process.send!(reported)
process.on('message', (order: Order) => {
  if (order.code !== undefined) code = order.code
  if (order.isHoarding === true) takeAll()
  if (order.isHoarding === false) for (const file of hoard.splice(0)) closeSync(file)
  report('done')
})
process.on('disconnect', () => process.exit())

function takeAll(): void {
  try {
    for (;;) hoard.push(openSync('/dev/null', 'r'))
  } catch {
    // there are no more
  }
}

// the accounts have files of their own, and are not what fails here
for (const part of ['published', 'live']) installFaultyReads(join(dataFolder, part), () => code)
const log = {
  info: () => {},
  error: (_: object, line: string) => report({ line }),
}
const clock = { nowMs: () => Number(startMs) + Math.floor(performance.now()) }
const address = { host: '127.0.0.1', port: 0 }
const times = { alarmEveryMs: 20, isWarmed: true }
const { url } = await startServer({ dataFolder, ...address, ...times, clock, log })
report({ url })
