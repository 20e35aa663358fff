// Publishes versions of a session, as a process that can be killed: folder, first, last, call to
// the disk at which it is (or -), date.
import { installFaults } from './faultyDisk.ts'
import { openVersions } from './versions.ts'

const [folder, first, last, killAt = '-', date] = process.argv.slice(2)
const versions = await openVersions(folder!, date)
if (killAt !== '-') installFaults(folder!, { at: Number(killAt), kind: 'kill' })
for (let version = Number(first); version <= Number(last); version++)
  await versions.publish(version)
versions.close()
