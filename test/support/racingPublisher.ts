// Publishes versions of a session, or states of a running one, as a process that can be made to
// stand still at a call to the disk: the kind of what it publishes; then, as messages, what and
// where.
import { installFaults } from './faultyDisk.ts'
import { openRacer, type RaceKind } from './races.ts'

export type RaceOrder = {
  readonly folder: string
  readonly version: number
  /** Call at which it stands still; null for none. */
  readonly pauseAt: number | null
}

const racer = await openRacer(process.argv[2] as RaceKind)
process.on('message', async ({ folder, version, pauseAt }: RaceOrder) => {
  const disk = installFaults(folder, pauseAt === null ? null : { at: pauseAt, kind: 'pause' })
  const outcome = await racer.publish(version, folder).finally(disk.restore)
  process.send!({ ...outcome, calls: disk.calls() })
})
process.send!('ready')
