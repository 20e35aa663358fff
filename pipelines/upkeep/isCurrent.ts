import { Refusal } from '../../src/disk/refusal.ts'
import type { SessionDate } from '../../src/market/calendar.ts'
import { buildInputs } from '../../src/published/carried.ts'
import { readManifest } from '../../src/published/manifest.ts'
import { FUTURES, type TapeInput } from '../../src/tape/manifest.ts'

/**
 * Whether what is published of a session was built by this code from what a build would read. A
 * damaged manifest is not up to date: building the session again mends it.
 */
export const isCurrent = (dataFolder: string, date: SessionDate, version: string): boolean =>
  isBuiltBy(dataFolder, date, version, () => true)

/**
 * The same but for its futures. A session that is so, and is not current, lacks the basis of the
 * futures that were imported since, and nothing else.
 */
export const isCurrentWithoutFutures = (
  dataFolder: string,
  date: SessionDate,
  version: string,
): boolean => isBuiltBy(dataFolder, date, version, ({ dataset }) => dataset !== FUTURES)

function isBuiltBy(
  dataFolder: string,
  date: SessionDate,
  version: string,
  counts: (input: TapeInput) => boolean,
): boolean {
  const textOf = (inputs: readonly TapeInput[]) =>
    JSON.stringify(
      inputs.filter(counts).map(({ dataset, file, rows, sha256 }) => {
        return { dataset, file, rows, sha256 }
      }),
    )
  try {
    const manifest = readManifest(dataFolder, date)
    if (manifest?.code_version !== version) return false
    return textOf(manifest.inputs) === textOf(buildInputs(dataFolder, date))
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
