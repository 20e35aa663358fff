// Publishes versions of a session, as a process that can be killed: folder, first, last[, call].
import { installFaults } from './faulty-disk.ts'
import { openVersions } from './versions.ts'

const [folder, first, last, killAt] = process.argv.slice(2)
const versions = await openVersions(folder!)
if (killAt !== undefined) installFaults(folder!, { at: Number(killAt), kind: 'kill' })
for (let version = Number(first); version <= Number(last); version++)
  await versions.publish(version)
versions.close()
