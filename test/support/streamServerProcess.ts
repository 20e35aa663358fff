// A server in a process of its own, whose clock runs fast and is the same in each process; sends its
// parent the address, stops when the parent leaves.

import { systemClock } from '../../src/core/clock.ts'
import { startServer } from '../../src/server/main.ts'

const [dataFolder, startMs, beganMs, speed] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
]
const log = { info: () => {}, error: () => {} }
const nowMs = () => Number(startMs) + (systemClock.nowMs() - Number(beganMs)) * Number(speed)
const address = { host: '127.0.0.1', port: 0 }
const server = await startServer({ dataFolder, ...address, clock: { nowMs }, log })
process.send!(server.url)
process.on('disconnect', () => server.close())
