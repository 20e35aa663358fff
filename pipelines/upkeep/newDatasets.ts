/** Adds datasets of newer versions to published sessions, without folding them again. */

import { isDeepStrictEqual } from 'node:util'
import { systemClock } from '../../src/core/clock.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { declaredReads, readSql } from '../../src/core/engine/sql.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import { findTradingSession, type SessionDate } from '../../src/core/market/calendar.ts'
import { areaDuties } from '../../src/data/areaDuties.ts'
import { buildInputs } from '../../src/data/published/carried.ts'
import { manifestFaults } from '../../src/data/published/damage.ts'
import { readGradeSums } from '../../src/data/published/gradeSums.ts'
import {
  manifestVersion,
  type PublishedManifest,
  publishedSessions,
  readManifest,
  refuseNewer,
} from '../../src/data/published/manifest.ts'
import { addDatasets, renewViews } from '../../src/data/published/publish.ts'
import { statementsOver } from '../../src/data/published/views.ts'
import { isLater, LATER_DATASETS, RATES } from '../../src/data/tape/manifest.ts'
import { type AuditName, describeFinding } from '../build/audit.ts'
import { BOOK_MODELS, SURFACE_MODELS } from '../build/dag.ts'
import { withBuildLock } from '../build/day.ts'
import { droppingUnread } from '../build/drops.ts'
import { runLabColumnsStep } from '../build/labColumns.ts'
import { loadDay } from '../build/loadDay.ts'
import { type AfterModel, buildModel } from '../build/steps.ts'
import { buildSpots, buildSurface } from '../build/surface.ts'
import { silent } from '../command/progress.ts'
import { pushManifests } from '../command/sharedStore.ts'

/** Outcomes of the sessions of a range, each list oldest first. */
export type Added = Readonly<Record<'added' | 'complete' | 'failed', readonly SessionDate[]>>

export type NewDatasetsOptions = {
  readonly dataFolder: string
  readonly from: SessionDate
  readonly to: SessionDate
  readonly say: (line: string) => void
}

/** Datasets that can be made from published data and the tape, each with its audit. */
const ADDABLE = {
  strikes: 'strikes_add_up',
  basis: 'bases_have_reasons',
  option_minutes: 'option_minutes_are_of_their_time',
  smiles: 'smiles_have_reasons',
  settlements: 'settlements_have_reasons',
  level_grades: 'grades_have_reasons',
  regime_grades: 'grades_have_reasons',
} as const satisfies Readonly<Record<string, AuditName>>
type Addable = keyof typeof ADDABLE
const ADDABLE_NAMES = Object.keys(ADDABLE) as readonly Addable[]

/** Datasets that judge what is published: the levels, the strikes and the minutes of the market. */
const GRADES: readonly Addable[] = ['level_grades', 'regime_grades']
const GRADED = ['levels', 'market_minutes', 'strikes'] as const

/** Datasets that depend on the index alone and need nothing else of the surface. */
const OF_INDEX: readonly Addable[] = ['basis', 'settlements']

/**
 * Models of the book that the strikes depend on: not the prices of its uncertainty, nor its scan.
 */
/** Returns the models of the book that the strikes of a session follow from, in their order. */
function bookParts(): string[] {
  const read = new Set(declaredReads(readSql('levels/strikes')))
  const parts = BOOK_MODELS.toReversed().filter(model => {
    const isRead = read.has(model.replace('/', '.'))
    if (isRead) for (const table of declaredReads(readSql(model))) read.add(table)
    return isRead
  })
  return parts.toReversed()
}

/**
 * Adds the datasets of this version that sessions of a range lack, and rebuilds those that depend
 * on futures and settlements imported since. All other files and inputs of a session stay. A
 * session that fails is reported, and the others go on.
 */
export async function addNewDatasets(options: NewDatasetsOptions): Promise<Added> {
  const { dataFolder, from, to, say } = options
  refuseNewer(dataFolder)
  const dates = publishedSessions(dataFolder).filter(date => date >= from && date <= to)
  if (dates.length === 0) {
    throw new Refusal(`no session from ${from} to ${to} is published: build one first.`)
  }
  const done = { added: [] as string[], complete: [] as string[], failed: [] as string[] }
  for (const [index, date] of dates.entries()) {
    const prefix = `${index + 1} of ${dates.length}  ${date}`
    try {
      const names = await withBuildLock({ dataFolder, date }, () => addToDay(dataFolder, date))
      done[names.length > 0 ? 'added' : 'complete'].push(date)
      say(`${prefix}  ${names.length > 0 ? `has ${names.join(', ')} now` : 'lacks nothing'}`)
      if (names.length > 0) {
        await pushManifests(dataFolder, [{ kind: 'published', key: date }], silent)
      }
      await runLabColumnsStep(dataFolder, date, silent)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      done.failed.push(date)
      say(`${prefix}  FAILED: ${error.message}`)
    }
  }
  // also where nothing was added: a killed run may have left them outdated
  await renewViews(dataFolder)
  return done
}

/** Adds the datasets that one session lacks; returns their names. Its build lock is held. */
async function addToDay(dataFolder: string, date: SessionDate): Promise<readonly string[]> {
  const replaces = manifestVersion(dataFolder, date)
  const manifest = readManifest(dataFolder, date)!
  const now = buildInputs(dataFolder, date)
  const changed = changedSince(manifest.inputs, now)
  const names = ADDABLE_NAMES.filter(
    name =>
      (manifest.datasets[name] === undefined || changed.includes(name)) &&
      // a session of code that stored no minutes of the market is graded when it is built again
      (!GRADES.includes(name) || manifest.datasets.market_minutes !== undefined),
  )
  const { isRenderable, lacksForms, renderPublished } = await areaDuties()
  const lacksArchive = lacksForms(manifest) && isRenderable(manifest)
  if (names.length === 0 && !lacksArchive) return []
  if (names.length > 0) refuseOtherTape(manifest, now)
  const inputs = now.filter(input => isLater(input.dataset) || isIn(manifest.inputs, input))
  await withWorkFolder(dataFolder, `add-${date}`, async temporaryFolder => {
    const db = await openDatabase({
      threads: 2,
      memoryLimit: '2GB',
      temporaryFolder,
      hasRegion: true,
    })
    try {
      if (names.length > 0) await makeDatasets(db, dataFolder, manifest, names)
      await addDatasets(db, dataFolder, manifest, {
        replaces,
        names,
        codeVersion: codeVersion(),
        atMs: systemClock.nowMs(),
        ...(names.some(name => GRADES.includes(name)) && { grades: await readGradeSums(db) }),
        inputs: changed.length > 0 ? inputs : manifest.inputs,
        ...(isRenderable(manifest) && { archive: made => renderPublished(dataFolder, made) }),
      })
    } finally {
      db.close()
    }
  })
  return lacksArchive ? [...names, 'its archive'] : names
}

/** Makes datasets in the `ledger` schema; some need no more of the surface than the index. */
async function makeDatasets(
  db: Database,
  dataFolder: string,
  manifest: PublishedManifest,
  names: readonly Addable[],
): Promise<void> {
  const { session_date: date, min_premium_usd: minPremiumUsd } = manifest
  await loadDay(db, findTradingSession(date)!, { dataFolder, minPremiumUsd })
  const made = names.filter(name => name !== 'strikes')
  const hasGrades = made.some(name => GRADES.includes(name))
  const ofSurface = names.filter(name => !OF_INDEX.includes(name) && !GRADES.includes(name))
  const hasStrikes = names.includes('strikes')
  if (ofSurface.length > 0 || hasGrades) {
    for (const statement of statementsOver(dataFolder, [manifest])) await db.run(statement)
  }
  if (ofSurface.length > 0) {
    const after = droppingUnread({
      models: [
        ...SURFACE_MODELS,
        ...(hasStrikes ? [...bookParts(), 'levels/strikes', 'ledger/strikes'] : []),
        ...made.map(name => `ledger/${name}`),
      ],
      outputs: names.map(name => `audit/${ADDABLE[name]}`),
    })
    if (hasStrikes) await loadPublished(db)
    await buildSurface(db, undefined, after)
    if (names.includes('smiles')) await refuseOtherForwards(db, date)
    if (hasStrikes) await buildStrikes(db, date, after)
  } else if (names.some(name => OF_INDEX.includes(name))) {
    await buildSpots(db)
  }
  if (hasGrades) {
    for (const name of GRADED.filter(name => !hasStrikes || name !== 'strikes')) {
      await db.refill(`ledger.${name}`, `from memory.main.${name}`)
    }
  }
  for (const name of made) await buildModel(db, `ledger/${name}`)
  for (const name of made) {
    const wrong = await readFinding(db, ADDABLE[name])
    if (wrong !== null) throw new Refusal(`its ${name} cannot be published: ${wrong}.`)
  }
}

/** Returns the finding of an audit as a sentence, or null. */
async function readFinding(db: Database, name: AuditName): Promise<string | null> {
  const rows = await db.query(`audit/${name}`)
  return rows.length === 0 ? null : describeFinding({ name, rows })
}

type Input = PublishedManifest['inputs'][number]

const isIn = (list: readonly Input[], { dataset, sha256 }: Input): boolean =>
  list.some(one => one.dataset === dataset && one.sha256 === sha256)

/** Lists the published datasets whose own inputs have changed. */
function changedSince(before: readonly Input[], now: readonly Input[]): readonly string[] {
  const listHashes = (inputs: readonly Input[], wanted: string) =>
    inputs.filter(({ dataset }) => dataset === wanted).map(({ sha256 }) => sha256)
  return Object.entries(LATER_DATASETS).flatMap(([input, made]) =>
    isDeepStrictEqual(listHashes(before, input), listHashes(now, input)) ? [] : [made],
  )
}

/**
 * Refuses additions from another tape than the rest was built from, except for inputs that no
 * ledger depends on. Yield curves come every day, for the sessions after them: if one changed this
 * session all the same, the published net gamma and forwards show it.
 */
function refuseOtherTape(manifest: PublishedManifest, now: readonly Input[]): void {
  const { session_date: date, inputs } = manifest
  const [fault] = manifestFaults(manifest)
  if (fault !== undefined) throw new Refusal(`${fault}; repair ${date} first.`)
  const isMissing = (list: readonly Input[]) => (input: Input) =>
    !isLater(input.dataset) && !isIn(list, input)
  const lost = inputs.find(isMissing(now))
  const come = now.filter(({ dataset }) => dataset !== RATES).find(isMissing(inputs))
  if (!lost && !come) return
  const what = lost ? `${lost.file} is not there any more` : `${come!.file} has come since`
  throw new Refusal(
    `its tape is not the one that it was built from (${what}): build ${date} again.`,
  )
}

/** Loads the versions of the orders, and the levels, from published data. */
async function loadPublished(db: Database): Promise<void> {
  await db.refill('fold.editions', readSql('views/published_editions'))
  await db.refill('fold.edition_legs', readSql('views/published_edition_legs'))
  await db.refill('levels.levels', 'from memory.main.levels')
}

/** Smiles must fit the forwards that are published. */
async function refuseOtherForwards(db: Database, date: SessionDate): Promise<void> {
  const [first] = await db.query('views/other_forwards')
  if (!first) return
  throw new Refusal(
    `its forwards are of another curve or other code than this (that of ${first.expiry} at ` +
      `${first.minute_et}): build ${date} again.`,
  )
}

/** Makes `ledger.strikes`, checked against the published net gamma. */
async function buildStrikes(db: Database, date: SessionDate, after: AfterModel): Promise<void> {
  for (const model of [...bookParts(), 'levels/strikes', 'ledger/strikes']) {
    await db.build(model)
    await after(model, db)
  }
  const wrong = await readFinding(db, 'strikes_add_up')
  if (wrong === null) return
  throw new Refusal(`its levels are of other code than this (${wrong}): build ${date} again.`)
}
