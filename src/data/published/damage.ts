/** Faults of files, with the remedy in each message, and the quarantine of damaged ones. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { damagedFiles, publishFile } from '../../core/disk/files.ts'
import { RATES, readTapeManifest, type TapeBatch } from '../tape/manifest.ts'
import type { PublishedManifest } from './manifest.ts'
import { computeRevision } from './publish.ts'

/** Finds manifests that were edited or lost a bit: the revision is a hash of the hashes. */
export const manifestFaults = (manifest: PublishedManifest): string[] =>
  computeRevision(manifest) === manifest.revision
    ? []
    : [`manifests/${manifest.session_date}.json is damaged: its hashes are not its revision's`]

/** Describes the damaged batches of a session's tape, and how a person can restore them. */
export async function damagedTape(dataFolder: string, date: string): Promise<string[]> {
  const findings: string[] = []
  for (const key of [date, RATES]) {
    const { batches } = readTapeManifest(dataFolder, key)
    const sources = [...new Set(batches.map(describeSource))]
    for (const batch of batches) {
      const [fault] = await damagedFiles(join(dataFolder, 'tape'), [batch])
      if (fault === undefined) continue
      findings.push(
        `tape/${fault}; put back a copy whose SHA-256 is ${batch.sha256}, or take ` +
          `tape/manifests/${key}.json away and import again: ${sources.join(', ')}`,
      )
    }
  }
  return findings
}

/** Arguments that import a batch again, as far as its manifest records them. */
const describeSource = ({ format, source, simulated }: TapeBatch): string =>
  `${simulated ? '--simulated ' : ''}${format} ${source.file}`

/** Moves a file of the data folder to the same path under `quarantine/`; returns the new path. */
export function quarantineFile(dataFolder: string, file: string): string {
  for (let copy = 1; ; copy++) {
    const target = `quarantine/${file}${copy === 1 ? '' : `.${copy}`}`
    if (existsSync(join(dataFolder, target))) continue
    publishFile(join(dataFolder, file), join(dataFolder, target))
    return target
  }
}
