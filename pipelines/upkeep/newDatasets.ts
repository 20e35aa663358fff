/** Gives sessions that are published the datasets that came later, without folding them anew. */

import { isRenderable, renderPublished, summarizePublished } from '../../src/archive/published.ts'
import { Refusal } from '../../src/disk/refusal.ts'
import { withWorkFolder } from '../../src/disk/work.ts'
import { type Database, openDatabase } from '../../src/engine/database.ts'
import { readSql } from '../../src/engine/sql.ts'
import { codeVersion } from '../../src/engine/version.ts'
import { type SessionDate, sessionOf } from '../../src/market/calendar.ts'
import { buildInputs } from '../../src/published/carried.ts'
import { manifestFaults } from '../../src/published/damage.ts'
import { DamagedFile } from '../../src/published/damagedFile.ts'
import {
  type PublishedManifest,
  publishedSessions,
  readManifest,
  refuseNewer,
} from '../../src/published/manifest.ts'
import { addDatasets, renewViews } from '../../src/published/publish.ts'
import { statementsOver } from '../../src/published/views.ts'
import { RATES } from '../../src/tape/manifest.ts'
import { describeFinding } from '../build/audit.ts'
import { dropAfter, withBuildLock } from '../build/day.ts'
import { loadDay } from '../build/loadDay.ts'
import { BOOK_MODELS, buildSurface } from '../build/surface.ts'

/** What became of the sessions of a range, each list oldest first. */
export type Added = Readonly<Record<'added' | 'complete' | 'failed', readonly SessionDate[]>>

export type NewDatasetsOptions = {
  readonly dataFolder: string
  readonly from: SessionDate
  readonly to: SessionDate
  readonly say: (line: string) => void
}

/** The datasets that can be made of what is published and the tape. */
const ADDABLE = ['strikes'] as const

/** Of the book, what the strikes rest on: neither its doubts' prices nor its scan. */
const BOOK_PARTS: readonly string[] = BOOK_MODELS.filter(model =>
  [
    ...['known_positions', 'inventory', 'late_inventory', 'flows', 'doubts', 'traded', 'pairs'],
    ...['holdings', 'pair_flows', 'smile_pairs', 'positions', 'gammas', 'coverage'],
  ].includes(model.slice('book/'.length)),
)

/**
 * Adds what sessions of a range lack of the datasets of this version. Every file they have stays,
 * and so does what they were built from. One that cannot be done is told, and the others go on.
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
    const place = `${index + 1} of ${dates.length}  ${date}`
    try {
      const names = await withBuildLock({ dataFolder, date }, () => addToDay(dataFolder, date))
      done[names.length > 0 ? 'added' : 'complete'].push(date)
      say(`${place}  ${names.length > 0 ? `has ${names.join(', ')} now` : 'lacks nothing'}`)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      done.failed.push(date)
      say(`${place}  FAILED: ${error.message}`)
    }
  }
  // also where nothing is added: a run that was killed may have left them as they were
  await renewViews(dataFolder)
  return done
}

/** Adds what one session lacks; answers the names. Its build lock is held. */
async function addToDay(dataFolder: string, date: SessionDate): Promise<readonly string[]> {
  const manifest = readManifest(dataFolder, date)!
  const names = ADDABLE.filter(name => manifest.datasets[name] === undefined)
  const lacksArchive = !manifest.archive && isRenderable(manifest)
  if (names.length === 0 && !lacksArchive) return []
  if (names.length > 0) refuseOtherTape(dataFolder, manifest)
  await withWorkFolder(dataFolder, `add-${date}`, async temporaryFolder => {
    const db = await openDatabase({ threads: 2, memoryLimit: '2GB', temporaryFolder })
    try {
      if (names.length > 0) await makeStrikes(db, dataFolder, manifest)
      await addDatasets(db, dataFolder, manifest, {
        ...{ names, codeVersion: codeVersion() },
        ...(isRenderable(manifest) && { archive: made => archiveOf(dataFolder, made) }),
      })
    } finally {
      db.close()
    }
  })
  return lacksArchive ? [...names, 'its archive'] : names
}

async function makeStrikes(db: Database, dataFolder: string, manifest: PublishedManifest) {
  const { session_date: date, min_premium_usd: minPremiumUsd } = manifest
  await loadDay(db, sessionOf(date)!, { dataFolder, minPremiumUsd })
  await loadPublished(db, dataFolder, manifest)
  await buildSurface(db, undefined, dropAfter)
  await buildStrikes(db, date)
}

/** What a build would have rendered for the archive; fails with a Refusal. */
async function archiveOf(dataFolder: string, manifest: PublishedManifest) {
  try {
    const [summary] = await summarizePublished(dataFolder, [manifest])
    const forms = await renderPublished(dataFolder, manifest)
    return summary && 'orders' in summary ? { forms, summary } : { forms }
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    throw new Refusal(`${error.message}; repair ${manifest.session_date} first.`)
  }
}

/**
 * What is added must be of the tape that the rest was made of. Yield curves come every day, for the
 * sessions after them: what one changed all the same, the published net gamma tells.
 */
function refuseOtherTape(dataFolder: string, manifest: PublishedManifest): void {
  const { session_date: date, inputs } = manifest
  const [fault] = manifestFaults(manifest)
  if (fault !== undefined) throw new Refusal(`${fault}; repair ${date} first.`)
  const now = buildInputs(dataFolder, date)
  const isIn = (list: typeof now, { dataset, sha256 }: (typeof now)[number]) =>
    list.some(one => one.dataset === dataset && one.sha256 === sha256)
  const lost = inputs.find(input => !isIn(now, input))
  const come = now.find(input => input.dataset !== RATES && !isIn(inputs, input))
  if (!lost && !come) return
  const what = lost ? `${lost.file} is not there any more` : `${come!.file} has come since`
  throw new Refusal(
    `its tape is not the one that it was built from (${what}): build ${date} again.`,
  )
}

/** Makes the versions of the orders, and the levels, of what is published. */
async function loadPublished(db: Database, dataFolder: string, manifest: PublishedManifest) {
  for (const statement of statementsOver(dataFolder, [manifest])) await db.run(statement)
  await db.refill('fold.editions', readSql('views/published_editions'))
  await db.refill('fold.edition_legs', readSql('views/published_edition_legs'))
  await db.refill('levels.levels', 'from memory.main.levels')
}

/** Makes `ledger.strikes`, held to the net gamma that is published. */
async function buildStrikes(db: Database, date: SessionDate): Promise<void> {
  for (const model of [...BOOK_PARTS, 'levels/strikes', 'ledger/strikes']) {
    await db.build(model)
    await dropAfter(model, db)
  }
  const rows = await db.query('audit/strikes_add_up')
  if (rows.length === 0) return
  const finding = describeFinding({ name: 'strikes_add_up', rows })
  throw new Refusal(`its levels are of other code than this (${finding}): build ${date} again.`)
}
