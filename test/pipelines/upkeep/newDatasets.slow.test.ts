// Sessions published before there were strikes, brought up to date without a fold.

import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { addNewDatasets } from '../../../pipelines/upkeep/newDatasets.ts'
import { verifyDay } from '../../../pipelines/upkeep/verify.ts'
import { sha256File } from '../../../src/core/disk/files.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { openCatalog } from '../../../src/data/published/catalog.ts'
import {
  manifestPath,
  type PublishedManifest,
  publishedFolder,
  readManifest,
} from '../../../src/data/published/manifest.ts'
import { computeRevision } from '../../../src/data/published/publish.ts'
import { runScript } from '../../support/commands.ts'
import { addLateData } from '../../support/lateData.ts'
import { writeManifest } from '../../support/published.ts'

const [DAY, NEXT] = ['2026-10-14', '2026-10-15'] as const
const root = mkdtempSync(join(tmpdir(), 'tapefold-new-datasets-'))
const whole = join(root, 'whole')
/** Result of a build of today for each session. */
const built: Record<string, PublishedManifest> = {}

/** Additions after the first version, in the order in which they are reported. */
const LATER = [
  'strikes',
  'basis',
  'option_minutes',
  'smiles',
  'settlements',
  'level_grades',
  'regime_grades',
]
const REPORTED = `has ${LATER.join(', ')}, its archive now`

/** Takes datasets and the archive out of a session, as if it was built before there were any. */
function makeOld(
  dataFolder: string,
  date: string,
  names: readonly string[] = LATER,
): PublishedManifest {
  const manifest = readManifest(dataFolder, date)!
  const datasets = { ...manifest.datasets }
  for (const name of names) {
    rmSync(join(publishedFolder(dataFolder), datasets[name]!.file))
    delete datasets[name]
  }
  const { archive: _, summary: __, ...rest } = manifest
  const old = { ...rest, datasets, code_version: 'old' }
  writeManifest(dataFolder, date, { ...old, revision: computeRevision(old) })
  return readManifest(dataFolder, date)!
}

function findCopy(name: string): string {
  const folder = join(root, name)
  cpSync(whole, folder, { recursive: true })
  return folder
}

const run = async (dataFolder: string, [from, to] = [DAY, NEXT] as readonly [string, string]) => {
  const text: string[] = []
  const done = await addNewDatasets({ dataFolder, from, to, say: line => text.push(line) })
  return { done, said: text }
}

beforeAll(async () => {
  for (const [date, seed] of [
    [DAY, 3],
    [NEXT, 4],
  ] as const) {
    const out = join(root, `simulated-${date}`)
    const size = { prints: 4_000, contracts: 300, seed }
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
    // versions of orders that ended count in the book until they did
    await addLateData(join(out, 'prints.parquet'))
    await importSimulated(whole, out)
    built[date] = await buildDay({ dataFolder: whole, date, progress: silent })
  }
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Datasets but the record of editions, which has one more row for each that was added. */
const withoutRecord = ({ restatements: _, ...others }: PublishedManifest['datasets']) => others

test('what is added is to the byte what a build makes, and no other file is touched', async () => {
  const folder = findCopy('both')
  const before = [DAY, NEXT].map(date => makeOld(folder, date))
  const stamps = () =>
    before.flatMap(({ datasets, ledger }) =>
      [...Object.values(datasets), ...Object.values(ledger)].map(({ file }) => {
        const { ino, mtimeMs, size } = statSync(join(publishedFolder(folder), file))
        return [file, ino, mtimeMs, size]
      }),
    )
  const old = stamps()
  const { done, said: text } = await run(folder)
  expect(done).toEqual({ added: [DAY, NEXT], complete: [], failed: [] })
  expect(text).toEqual([`1 of 2  ${DAY}  ${REPORTED}`, `2 of 2  ${NEXT}  ${REPORTED}`])
  expect(stamps()).toEqual(old)
  for (const [index, date] of [DAY, NEXT].entries()) {
    const now = readManifest(folder, date)!
    expect(withoutRecord(now.datasets)).toEqual(withoutRecord(built[date]!.datasets))
    // the record of editions has each as added
    expect(now.datasets.restatements!.rows).toBe(LATER.length)
    expect(Object.keys(now.datasets)).toEqual(Object.keys(built[date]!.datasets))
    expect(now.ledger).toEqual(before[index]!.ledger)
    expect(now.revision).toBe(built[date]!.revision)
    const { archive, summary } = built[date]!
    expect([now.archive, now.summary]).toEqual([archive, summary])
    expect(now.revision).not.toBe(before[index]!.revision)
    // the builder of the rest is still reported, so a backfill of all of it goes on to build it
    expect([now.code_version, now.added]).toEqual([
      'old',
      Object.fromEntries(LATER.map(name => [name, expect.any(String)])),
    ])
  }
  // a curve came after the first session was built
  expect(await verifyDay({ dataFolder: folder, date: NEXT, progress: silent })).toEqual([])
  const { rows } = await runQuery(
    folder,
    'select count(distinct session_date) as days from strikes',
  )
  expect(rows).toEqual([{ days: 2 }])
  // the second time there is nothing to do
  const again = await run(folder)
  expect(again.done).toEqual({ added: [], complete: [DAY, NEXT], failed: [] })
})

test.each([
  [['option_minutes']],
  [['smiles', 'settlements']],
  [['strikes', 'smiles']],
  [['settlements']],
])('a session that lacks %j alone gets that to the byte, and what LAB replays', async names => {
  const folder = findCopy(names.join('-'))
  // of a bad tape LAB replays nothing
  const tape_grade = { grade: 'good', reasons: [] }
  writeManifest(folder, DAY, { ...makeOld(folder, DAY, names), tape_grade })
  const { said: text } = await run(folder, [DAY, DAY])
  expect(text).toEqual([`1 of 1  ${DAY}  has ${names.join(', ')}, its archive now`])
  const now = readManifest(folder, DAY)!.datasets
  expect(withoutRecord(now)).toEqual(withoutRecord(built[DAY]!.datasets))
  expect(now.restatements!.rows).toBe(names.length)
  expect(readdirSync(join(folder, `lab/session=${DAY}`))).toHaveLength(6)
})

test('a session that lacks its archive alone gets it, and keeps its revision', async () => {
  const folder = findCopy('archive')
  const { archive: _, ...old } = readManifest(folder, DAY)!
  writeManifest(folder, DAY, old)
  const { said: text } = await run(folder, [DAY, DAY])
  expect(text).toEqual([`1 of 1  ${DAY}  has its archive now`])
  expect(readManifest(folder, DAY)).toEqual(built[DAY])
})

test('a session without the new dataset is read as before', async () => {
  const folder = findCopy('readers')
  makeOld(folder, DAY)
  const { rows } = await runQuery(
    folder,
    `select session_date::varchar as day, count(*) as n from strikes group by all
     union all
     select session_date::varchar, count(*) from levels group by all order by all`,
  )
  expect(rows.map(row => row.day)).toEqual([DAY, NEXT, NEXT])
  const catalog = openCatalog({ dataFolder: folder, nowMs: () => 0, log: { error: () => {} } })
  expect(catalog.sessions()).toEqual([DAY, NEXT])
  expect(catalog.problems()).toEqual([])
  const { bytes } = await catalog.readLedger(catalog.find(DAY)!.manifest, 'json')
  expect(JSON.parse(Buffer.from(bytes).toString()).day).toBe(DAY)
})

test('of another tape nothing is added, and the other session is', async () => {
  const folder = findCopy('tape')
  for (const date of [DAY, NEXT]) makeOld(folder, date)
  const file = join(root, 'late.csv')
  const line = `${DAY}T15:00:00Z,5900.25`
  writeFileSync(file, `spotted_at,spot\n${line}\n`)
  await runImport({ dataFolder: folder, format: 'spots', files: [file], simulated: true })
  const before = readFileSync(manifestPath(folder, DAY), 'utf8')
  const { done, said: text } = await run(folder)
  expect(done).toEqual({ added: [NEXT], complete: [], failed: [DAY] })
  expect(text[0]).toMatch(
    /FAILED: its tape is not the one .+ built from \(tape\/spots\S+ has come since\): build/,
  )
  expect(readFileSync(manifestPath(folder, DAY), 'utf8')).toBe(before)
})

test('levels found by other code are reported, and nothing is added to them', async () => {
  const folder = findCopy('levels')
  const manifest = makeOld(folder, DAY)
  const entry = manifest.datasets.levels!
  const path = join(publishedFolder(folder), entry.file)
  const other = `${path.slice(0, -'.parquet'.length)}-other.parquet`
  const db = await openDatabase()
  await db.run(
    `copy (select * replace (net_gamma_musd_per_point + 0.001 as net_gamma_musd_per_point)
     from read_parquet($path)) to $other (format parquet)`,
    { path, other },
  )
  db.close()
  const levels = {
    ...entry,
    file: entry.file.replace('.parquet', '-other.parquet'),
    bytes: statSync(other).size,
    sha256: await sha256File(other),
  }
  const changed = { ...manifest, datasets: { ...manifest.datasets, levels } }
  writeManifest(folder, DAY, { ...changed, revision: computeRevision(changed) })
  const { done, said: text } = await run(folder, [DAY, DAY])
  expect(done.failed).toEqual([DAY])
  expect(text[0]).toMatch(/its levels are of other code than this \(the audit strikes_add_up finds/)
  expect(readManifest(folder, DAY)!.datasets.strikes).toBeUndefined()
})

test('a curve that came later and changes forwards is reported, and no smile is added', async () => {
  const folder = findCopy('curve')
  makeOld(folder, DAY, ['smiles'])
  const file = join(root, 'rates.csv')
  writeFileSync(file, 'session_date,tenor_days,rate\n2026-10-13,2,0.09\n')
  await runImport({ dataFolder: folder, format: 'rates', files: [file], simulated: true })
  const { done, said: text } = await run(folder, [DAY, DAY])
  expect(done.failed).toEqual([DAY])
  expect(text[0]).toMatch(
    /its forwards are of another curve or other code than this \(that of 2026-10-\d\d at 09:30\)/,
  )
  expect(readManifest(folder, DAY)!.datasets.smiles).toBeUndefined()
})

test('the command says what it did, and takes no option of a build', async () => {
  const folder = findCopy('command')
  makeOld(folder, NEXT)
  const backfill = (...args: string[]) =>
    runScript('backfill', ['--only-new-datasets', ...args], folder)
  expect(await backfill(DAY, NEXT)).toMatchObject({
    code: 0,
    out:
      `1 of 2  ${DAY}  lacks nothing\n2 of 2  ${NEXT}  ${REPORTED}\n` +
      '1 completed, 1 already complete, 0 failed\n',
  })
  const forced = await backfill(DAY, NEXT, '--force', '--workers', '2')
  expect(forced.code).toBe(2)
  expect(forced.error).toContain('builds nothing; leave out --workers, --force.')
  expect(await backfill('2026-10-19', '2026-10-19')).toMatchObject({
    code: 1,
    error: 'tapefold: no session from 2026-10-19 to 2026-10-19 is published: build one first.\n',
  })
})
