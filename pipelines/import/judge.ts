import { Refusal } from '../../src/core/disk/refusal.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { formatList } from '../../src/core/engine/paths.ts'
import { loadBrokenLines, type RowShape } from '../../src/core/engine/rows.ts'
import { declaredParams, type Params, readSql } from '../../src/core/engine/sql.ts'
import { FRIDAY_EXPIRIES_FROM, neighbourSession } from '../../src/core/market/calendar.ts'
import {
  type BatchCounts,
  keySession,
  OPEN_CLOSE,
  RATES,
  readTapeManifest,
  type TapeBatch,
  tapeColumns,
  tapeDataset,
  tapeFiles,
  tapeKey,
} from '../../src/data/tape/manifest.ts'
import { loadFiles } from '../../src/data/tape/tables.ts'
import { meets, type RowRanges, readRowRanges } from '../../src/data/tape/window.ts'
import { canonicalQuery } from './canonical.ts'
import { closedWeekdays, loadDays } from './days.ts'
import type { ImportFormat } from './formats.ts'
import { Unfit } from './held.ts'
import { fileExchange, loadCurrentFlows, refuseOpenClose } from './openClose.ts'
import { type OpenedSource, refusingDamage } from './source.ts'

/** Maximum share of broken rows; above it the whole file is refused. */
const REJECTED_SHARE_MAX = 0.01
/**
 * Maximum share of excluded rows in all: a few unknown conditions are no reason to refuse a file.
 */
const LEFT_OUT_SHARE_MAX = 0.75

export type JudgeRequest = {
  readonly dataFolder: string
  readonly format: ImportFormat
  readonly source: OpenedSource
  readonly shape: RowShape
  readonly dataset: string
  readonly model: string | null
  readonly roots: readonly string[]
  readonly day: string | null
  readonly isSimulated: boolean
  /** Classes of traders that count as dealers, such as 'mm': of Open-Close files. */
  readonly dealers: readonly string[]
  /** True for few rows at a time, of which one broken row would be a large share. */
  readonly isStream: boolean
  /** Batches of earlier files of the same import, which no manifest names yet. */
  readonly staged: readonly StagedBatch[]
  /** Names of files whose rows on the tape do not count: the import replaces them. */
  readonly replaced: readonly string[]
}

export type StagedBatch = Pick<TapeBatch, 'dataset' | 'reach'> & {
  /** Name of its manifest: a session, or as `tapeKey` has it. */
  readonly key: string
  readonly path: string
}

export type SessionCounts = BatchCounts & {
  /** Null for rows whose session is unknown. */
  readonly sessionDate: string | null
}

export type JudgedRows = {
  readonly counts: readonly SessionCounts[]
  /** Ranges of the rows, by session; without entries for a dataset that has no ranges. */
  readonly rowRanges: ReadonlyMap<string, RowRanges>
  readonly otherRoots: OtherRoots
}

/** Numbers of rows that are of none of the roots to import, by root, the most first. */
export type OtherRoots = ReadonlyMap<string, number>

/**
 * Judges the rows of one file for one dataset: makes `import.accepted`, and `import.broken` with
 * `import.broken_lines` for excluded rows. Throws a Refusal when too much is broken.
 */
export async function judge(db: Database, request: JudgeRequest): Promise<JudgedRows> {
  const { format, source, dataset } = request
  const hasRows = await refusingDamage(format, source, async () => {
    await loadCandidates(db, request)
    // a format of several datasets need not hold each of them
    if (await db.isEmpty('import.candidates')) return false
    await judgeRows(db, request)
    return true
  })
  if (!hasRows) return { counts: [], rowRanges: new Map(), otherRoots: new Map() }
  if (dataset === OPEN_CLOSE) await refuseOpenClose(db, source.label)

  const keys = await sessionKeys(db, dataset)
  refuseMixture(request, keys)
  const rowRanges = await readRowRanges(db, dataset)
  await loadExisting(db, request, keys, rowRanges)
  if (dataset === 'prints') await acceptPrints(db)
  else if (dataset === OPEN_CLOSE) await acceptFlows(db)
  else await acceptKeyed(db, dataset, format)

  const counts = await countOutcomes(db)
  if (counts.some(row => row.rejected > 0 || Object.keys(row.quarantined).length > 0)) {
    await db.build('import/broken')
    if (!request.isStream) await refuseBroken(db, request, counts)
    await loadBrokenLines(db, source)
  }
  const hasSkipped = counts.some(({ skipped }) => skipped > 0)
  const otherRoots = hasSkipped ? await readOtherRoots(db, dataset) : new Map()
  return { counts, rowRanges, otherRoots }
}

async function readOtherRoots(db: Database, dataset: string): Promise<OtherRoots> {
  const name = tapeColumns(dataset).find(column => ['root', 'symbol'].includes(column.name))?.name
  if (name === undefined) return new Map()
  const rows = await db.query('import/other_roots', { name })
  return new Map(rows.map(row => [String(row.root), Number(row.row_count)]))
}

/** The rows in the columns of the dataset; a view where the model takes no parameter. */
async function loadCandidates(db: Database, request: JudgeRequest): Promise<void> {
  const { dataset, model, format, shape } = request
  const text =
    model === null
      ? canonicalQuery(dataset, format.layout.optional ?? [])
      : readSql(`import/${model}`)
  const isTable = /^-- param:/m.test(text)
  if (isTable) await db.build(`import/${model}`, shapeParams(shape))
  await db.viewName('import.candidates', isTable ? `from import.${model}` : text)
}

export const shapeParams = ({ headerCount, readCount }: RowShape) => ({
  header_count: headerCount,
  read_count: readCount,
})

async function judgeRows(db: Database, { format, source, dataset, ...request }: JudgeRequest) {
  await loadDays(db, source.label)
  const roots = formatList(request.roots)
  const vendor = format.conditions
  if (dataset === 'prints') await db.build('import/condition_letters', { vendor })
  const closed_weekdays = formatList(closedWeekdays())
  const friday_expiries_from = FRIDAY_EXPIRIES_FROM
  const params = {
    roots,
    day: request.day,
    vendor,
    closed_weekdays,
    friday_expiries_from,
    dealers: formatList(request.dealers),
    exchange: fileExchange(source.name),
  }
  await buildJudged(db, dataset, params)
}

/**
 * Makes `import.judged` of the model that judges the rows of a dataset: their columns are those of
 * the tape. A value that does not fit its column becomes null: the row has a reason.
 */
export async function buildJudged(db: Database, dataset: string, params: Params): Promise<void> {
  const text = readSql(`import/judged_${dataset}`)
  const columns = tapeColumns(dataset).filter(({ name }) => name !== 'sequence')
  const values = columns.map(({ name, type }) => `try_cast(${name} as ${type}) as ${name}`)
  await db.refill(
    'import.judged',
    `select line_number, skip_reason, reason, unknown_condition, ${values.join(', ')}
     from (${text})`,
    declaredParams(text, params),
  )
}

async function sessionKeys(db: Database, dataset: string): Promise<string[]> {
  if (dataset === RATES) return [RATES]
  const rows = await db.query('import/session_keys')
  return rows.map(row => tapeKey(dataset, String(row.session_date)))
}

/** Two vendors of one session would count every print twice; a simulation is never mixed in. */
function refuseMixture(request: JudgeRequest, keys: readonly string[]): void {
  const { dataFolder, dataset, format, source, isSimulated } = request
  if (dataset === RATES) return
  for (const key of keys.flatMap(listMixedKeys)) {
    for (const batch of readTapeManifest(dataFolder, key).batches) {
      if (batch.simulated !== isSimulated) {
        const [held, given] = batch.simulated ? ['simulated', 'real'] : ['real', 'simulated']
        throw new Unfit(
          `${source.label} has ${given} data of ${key}, but the tape of that session is ${held}; ` +
            'keep the two in different data folders.',
        )
      }
      if (dataset === 'prints' && batch.dataset === 'prints' && batch.format !== format.name) {
        throw new Unfit(
          `${source.label} holds prints of ${key}, whose prints were imported as ` +
            `${batch.format}; a second vendor would count each trade twice.`,
        )
      }
    }
  }
}

/** Manifests whose data a file of one is used with: flows sum to positions of the next session. */
function listMixedKeys(key: string): string[] {
  const session = keySession(key)!
  return session === key ? [key] : [key, session, neighbourSession(session, 1).date]
}

/** Makes `import.existing`: rows of the tape that a row of the file may repeat or contradict. */
async function loadExisting(
  db: Database,
  { dataFolder, dataset, format, staged, replaced }: JudgeRequest,
  keys: readonly string[],
  rowRanges: ReadonlyMap<string, RowRanges>,
): Promise<void> {
  const files = keys.flatMap(key => {
    // the minute before the file lies outside of its ranges
    const ranges = format.isOfChanges ? undefined : rowRanges.get(key)
    const isMet = (batch: StagedBatch) =>
      batch.dataset === dataset && batch.key === key && meets(ranges, batch.reach)
    return [
      ...tapeFiles(dataFolder, dataset, key, ranges, replaced),
      ...staged.filter(isMet).map(batch => batch.path),
    ]
  })
  if (dataset === OPEN_CLOSE) return loadCurrentFlows(db, files, 'import.existing')
  const where = format.isOfChanges ? MAY_BE_CARRIED : (MAY_BE_SAME[dataset] ?? 'true')
  await loadFiles(db, 'import.existing', tapeColumns(dataset), files, { where })
  if (dataset === 'spots') await db.build('import/named_spots', {}, 'import.existing')
}

const sameAsFile = (column: string, own = column) =>
  `${own} in (select ${column} from import.judged where reason is null and skip_reason is null)`

/** Conditions on the rows of the tape that an import of a dataset compares with; all by default. */
const MAY_BE_SAME: Readonly<Record<string, string>> = {
  prints: [
    sameAsFile('printed_at'),
    sameAsFile('vendor_sequence'),
    sameAsFile('vendor_sequence', 'sequence'),
    // a vendor's own sequence number may fall among those made from an instant
    `sequence_instant(sequence) in (
       select tape_instant(printed_at, days.starts_at)
       from import.judged as judged
       inner join import.days as days on days.day = judged.session_date
     )`,
  ].join(' or '),
  quotes: sameAsFile('minute_at'),
  spots: sameAsFile('spotted_at'),
  futures: sameAsFile('priced_at'),
}

/** The same for quotes that stand until the next one, also those of the minute before the file. */
const MAY_BE_CARRIED = `minute_at between (
    select min(minute_at) - interval 1 minute from import.judged where reason is null
  ) and (select max(minute_at) from import.judged where reason is null)`

async function acceptPrints(db: Database): Promise<void> {
  await db.build('import/print_verdicts', {}, 'import.verdicts')
  await db.build('import/sequenced_prints', {}, 'import.accepted')
  const repeated = await db.query('import/repeated_sequences')
  if (repeated.length > 0) {
    throw new Error(`two prints would share a sequence: ${JSON.stringify(repeated[0])}`)
  }
}

async function acceptKeyed(
  db: Database,
  dataset: string,
  { isOfChanges }: ImportFormat,
): Promise<void> {
  await judgeKeys(db, keyedColumns(dataset))
  await db.build('import/fresh_rows', {}, isOfChanges ? undefined : 'import.accepted')
  if (isOfChanges) await db.build('import/carried_quotes', {}, 'import.accepted')
}

/** Accepts flows, which replace those of the same contract and day. */
async function acceptFlows(db: Database): Promise<void> {
  await db.build('import/flow_verdicts', {}, 'import.verdicts')
  await db.build('import/accepted_flows', {}, 'import.accepted')
}

/** Returns the grain of a dataset of the tape as keys, and all else but `known_at` as values. */
export function keyedColumns(dataset: string): KeyedColumns {
  const { grain, columns } = tapeDataset(dataset)
  const keys = grain.split(', ')
  const names = columns.map(({ name }) => name)
  return { keys, values: names.filter(name => !keys.includes(name) && name !== 'known_at') }
}

/** Names of the columns by which rows are the same, and of those in which the same rows agree. */
export type KeyedColumns = {
  readonly keys: readonly string[]
  readonly values: readonly string[]
}

/**
 * Makes `import.verdicts` for rows with a key: a row of `import.judged` whose key is in
 * `import.existing`, or earlier in the file, is 'known' when its values are equal, and a 'conflict'
 * otherwise. The first one imported stands.
 */
export async function judgeKeys(db: Database, { keys, values }: KeyedColumns): Promise<void> {
  const params = { keys: formatList(keys), values: formatList(values) }
  await db.build('import/keyed_verdicts', params, 'import.verdicts')
}

/** Counts the outcomes of the rows of a file, by session. */
export async function countOutcomes(db: Database): Promise<SessionCounts[]> {
  const unknown = await db.query('import/quarantine')
  const rows = await db.query('import/tally')
  return rows.map(row => ({
    sessionDate: row.session_date as string | null,
    read: row.read_count as number,
    imported: row.imported_count as number,
    already_there: row.known_count as number,
    rejected: row.rejected_count as number,
    skipped: row.skipped_count as number,
    quarantined: Object.fromEntries(
      unknown
        .filter(entry => entry.session_date === row.session_date)
        .map(entry => [String(entry.unknown_condition), entry.print_count as number]),
    ),
  }))
}

/** Fails with a Refusal where too many rows of a file are excluded. */
export async function refuseBroken(
  db: Database,
  { source }: { readonly source: Pick<OpenedSource, 'label'> },
  counts: readonly SessionCounts[],
): Promise<void> {
  const total = (name: 'read' | 'skipped' | 'rejected') =>
    counts.reduce((sum, row) => sum + row[name], 0)
  const judged = total('read') - total('skipped')
  const rejected = total('rejected')
  const quarantined = counts
    .flatMap(row => Object.values(row.quarantined))
    .reduce((sum, count) => sum + count, 0)
  const percent = (count: number) => `${((100 * count) / judged).toFixed(1)} %`
  if (rejected > judged * REJECTED_SHARE_MAX) {
    throw new Refusal(
      `${source.label}: ${rejected} of ${judged} rows (${percent(rejected)}) cannot be used; ` +
        `the limit is 1 %, so nothing was imported. ${await describeExamples(db, false)}.`,
    )
  }
  const leftOut = rejected + quarantined
  if (leftOut > judged * LEFT_OUT_SHARE_MAX) {
    throw new Refusal(
      `${source.label}: ${leftOut} of ${judged} rows (${percent(leftOut)}) cannot be used or ` +
        'have an unknown condition; the limit is 75 %, so nothing was imported. ' +
        `${await describeExamples(db, quarantined > 0)}.`,
    )
  }
}

/** Returns the first excluded rows, with their lines. */
async function describeExamples(db: Database, isQuarantined: boolean): Promise<string> {
  const first = await db.query('import/broken_examples', { is_quarantined: isQuarantined })
  return first.map(row => `line ${row.line_number}: ${row.reason}`).join('; ')
}
