import { Refusal } from '../../src/core/disk/refusal.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import { buildInputs } from '../../src/data/published/carried.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { isLater, type TapeInput } from '../../src/data/tape/manifest.ts'

/**
 * True when the published session was built by this code from what a build would read now. A
 * damaged manifest is not up to date: building the session again repairs it.
 */
export const isCurrent = (dataFolder: string, date: SessionDate, version: string): boolean =>
  isBuiltBy(dataFolder, date, version, () => true)

/**
 * The same, except for inputs that no ledger depends on. A session that passes, and is not current,
 * lacks only the datasets of futures and settlements imported since.
 */
export const isCurrentButForLater = (
  dataFolder: string,
  date: SessionDate,
  version: string,
): boolean => isBuiltBy(dataFolder, date, version, ({ dataset }) => !isLater(dataset))

function isBuiltBy(
  dataFolder: string,
  date: SessionDate,
  version: string,
  counts: (input: TapeInput) => boolean,
): boolean {
  const formatInputs = (inputs: readonly TapeInput[]) =>
    JSON.stringify(
      inputs.filter(counts).map(({ dataset, file, rows, sha256 }) => {
        return { dataset, file, rows, sha256 }
      }),
    )
  try {
    const manifest = readManifest(dataFolder, date)
    if (manifest?.code_version !== version) return false
    return formatInputs(manifest.inputs) === formatInputs(buildInputs(dataFolder, date))
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
