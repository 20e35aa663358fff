import { Refusal } from '../../src/core/disk/refusal.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import { buildInputs, type Carried } from '../../src/data/published/carried.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { isLater, type TapeInput } from '../../src/data/tape/manifest.ts'

/**
 * True when the published session was built by this code from what a build would read now. A
 * damaged manifest is not up to date: building the session again repairs it. `carried`: what the
 * session takes from the one before; left out, what that one has published.
 */
export const isCurrent = (
  dataFolder: string,
  date: SessionDate,
  version: string,
  carried?: Carried | null,
): boolean => isBuiltBy(dataFolder, date, version, () => true, carried)

/**
 * The same, except for inputs that no ledger depends on. A session that passes, and is not current,
 * lacks only the datasets of futures and settlements imported since.
 */
export const isCurrentButForLater = (
  dataFolder: string,
  date: SessionDate,
  version: string,
  carried?: Carried | null,
): boolean => isBuiltBy(dataFolder, date, version, ({ dataset }) => !isLater(dataset), carried)

/** The same, except for what it takes from the session before: its own changes are those of now. */
export const isTapeCurrent = (dataFolder: string, date: SessionDate, version: string): boolean =>
  isBuiltBy(dataFolder, date, version, isOwnInput, null)

/** True for an input that a session's own changes of positions may depend on. */
export const isOwnInput = ({ dataset }: TapeInput): boolean =>
  !isLater(dataset) && !CARRIED.includes(dataset)

const CARRIED = ['closing_positions', 'closing_index', 'market_minutes']

/** Text of inputs; equal texts, equal inputs. */
export const formatInputs = (inputs: readonly TapeInput[]): string =>
  JSON.stringify(inputs.map(({ dataset, file, rows, sha256 }) => ({ dataset, file, rows, sha256 })))

function isBuiltBy(
  dataFolder: string,
  date: SessionDate,
  version: string,
  counts: (input: TapeInput) => boolean,
  carried: Carried | null | undefined,
): boolean {
  try {
    const manifest = readManifest(dataFolder, date)
    if (manifest?.code_version !== version) return false
    const inputs = buildInputs(dataFolder, date, carried)
    return formatInputs(manifest.inputs.filter(counts)) === formatInputs(inputs.filter(counts))
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
