import { Refusal } from '../../src/disk/refusal.ts'
import type { SessionDate } from '../../src/market/calendar.ts'
import { buildInputs } from '../../src/published/carried.ts'
import { readManifest } from '../../src/published/manifest.ts'

/**
 * Whether what is published of a session was built by this code from what a build would read. A
 * damaged manifest is not up to date: building the session again mends it.
 */
export function isCurrent(dataFolder: string, date: SessionDate, version: string): boolean {
  try {
    return isBuiltBy(dataFolder, date, version)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function isBuiltBy(dataFolder: string, date: SessionDate, version: string): boolean {
  const manifest = readManifest(dataFolder, date)
  if (manifest?.code_version !== version) return false
  const inputs = manifest.inputs.map(({ dataset, file, rows, sha256 }) => {
    return { dataset, file, rows, sha256 }
  })
  return JSON.stringify(inputs) === JSON.stringify(buildInputs(dataFolder, date))
}
