// A server in a process of its own; sends its parent the address, stops when the parent leaves.

import { fixedClock } from '../../src/core/clock.ts'
import { startServer } from '../../src/server/main.ts'

const [dataFolder, atMs, databaseUrl] = process.argv.slice(2) as [string, string, string?]
const log = { info: () => {}, error: () => {} }
const clock = fixedClock(Number(atMs))
const address = { host: '127.0.0.1', port: 0 }
const server = await startServer({ dataFolder, databaseUrl, ...address, clock, log })
process.send!(server.url)
process.on('disconnect', () => server.close())
