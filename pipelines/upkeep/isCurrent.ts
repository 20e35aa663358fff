import { Refusal } from '../../src/disk/refusal.ts'
import type { SessionDate } from '../../src/market/calendar.ts'
import { buildInputs } from '../../src/published/carried.ts'
import { readManifest } from '../../src/published/manifest.ts'
import { isLater, type TapeInput } from '../../src/tape/manifest.ts'

/**
 * Whether what is published of a session was built by this code from what a build would read. A
 * damaged manifest is not up to date: building the session again mends it.
 */
export const isCurrent = (dataFolder: string, date: SessionDate, version: string): boolean =>
  isBuiltBy(dataFolder, date, version, () => true)

/**
 * The same but for what no ledger rests on. A session that is so, and is not current, lacks what is
 * made of the futures and settlements that were imported since, and nothing else.
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
