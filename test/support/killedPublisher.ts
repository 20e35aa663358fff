// Publishes versions of sessions, one after the other, until it is killed: the folder, the first
// version, the sessions. A line for each publish that was accepted, with the manifest it replaced.
import { writeSync } from 'node:fs'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { manifestVersion } from '../../src/data/published/manifest.ts'
import { REFUSED } from './races.ts'
import { openVersions } from './versions.ts'

const [folder, first, ...dates] = process.argv.slice(2)
for (let version = Number(first); ; version++) {
  // each process begins with another session
  const date = dates[version % dates.length]!
  const replaces = manifestVersion(folder!, date)
  const versions = await openVersions(folder!, date, ['orders', 'levels', 'stats'])
  try {
    await versions.publish(version, folder, replaces)
    writeSync(1, `${date} ${version} ${replaces}\n`)
  } catch (error) {
    if (!(error instanceof Refusal && REFUSED.test(error.message))) throw error
  } finally {
    versions.close()
  }
}
