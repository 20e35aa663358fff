import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { verifyDay } from '../../../pipelines/upkeep/verify.ts'
import { fixedClock } from '../../../src/core/clock.ts'
import { Refusal } from '../../../src/core/disk/refusal.ts'
import { PUBLISHED_DATASETS } from '../../../src/data/dictionary/dictionary.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import type { PublishedManifest } from '../../../src/data/published/manifest.ts'
import { publishedFolder, readManifest, refuseNewer } from '../../../src/data/published/manifest.ts'
import { writeViews } from '../../../src/data/published/views.ts'
import { accountFilePath, openAccountStore } from '../../../src/server/accountStore.ts'
import { startServer } from '../../../src/server/main.ts'
import { statusText } from '../../../src/status/statusCommand.ts'
import { DAMAGES, whileDamaged } from '../../support/damage.ts'
import { listHashes } from '../../support/session.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-nightly-'))
const dataFolder = join(root, 'data')
const simulated = join(root, 'simulated')
let manifest: PublishedManifest

const build = (folder: string, threads = 2) =>
  buildDay({ dataFolder: folder, date: DATE, minPremiumUsd: 50_000, threads, progress: silent })

beforeAll(async () => {
  const size = { prints: 6_000, contracts: 1_500, seed: 3 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  await importSimulated(dataFolder, simulated)
  manifest = await build(dataFolder)
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

test('a session is published with every dataset of the dictionary, marked simulated', async () => {
  expect(manifest).toMatchObject({ symbol: 'SPX', simulated: true, session_date: DATE })
  expect(Object.keys(manifest.datasets)).toEqual(PUBLISHED_DATASETS.map(({ name }) => name))
  const { rows } = await runQuery(
    dataFolder,
    'select count(*) as n, sum(print_count) as p from orders',
  )
  expect(rows[0]!.n).toBe(manifest.datasets.orders!.rows)
  expect(rows[0]!.p).toBe(manifest.tape.kept)
  expect(manifest.datasets.levels!.rows).toBe(405 * 3)
})

test('the manifest, the ledger and the dataset say the same of the tape', async () => {
  const { rows } = await runQuery(dataFolder, 'from tape_report')
  const { minutes, tape_grade: reported } = manifest
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    session_date: DATE,
    minutes_expected: 405,
    minutes_present: minutes.present,
    minutes_missing: minutes.missing.length,
    print_count: manifest.tape.kept,
    has_curve: true,
    has_open_interest: true,
    grade: reported!.grade,
    grade_reasons: reported!.reasons,
  })
  // six thousand prints leave minutes without any
  expect(reported!.grade).toBe('bad')
  const file = join(publishedFolder(dataFolder), manifest.ledger.json!.file)
  expect(JSON.parse(readFileSync(file, 'utf8')).tape).toMatchObject(reported!)
})

test('contracts on the tape are contracts in orders, or left out with a disposition', async () => {
  const { rows } = await runQuery(
    dataFolder,
    `select
       (select sum(size) from prints) as tape,
       (select sum(contracts) from legs)
         + (select sum(size) from prints where fate <> 'kept') as told,
       (select count(*) from prints where fate = 'kept')
         - (select count(*) from order_prints) as left`,
  )
  expect(rows[0]!.tape).toBe(rows[0]!.told)
  expect(rows[0]!.left).toBe(0)
})

test('a rebuilt day has the same hashes, with one thread as with two', async () => {
  expect(listHashes(await build(dataFolder, 1))).toEqual(listHashes(manifest))
  expect(listHashes(await build(dataFolder, 2))).toEqual(listHashes(manifest))
})

test('a rebuild from the tape verifies, at the floor the day was built at', async () => {
  expect(await verifyDay({ dataFolder, date: DATE, progress: silent })).toEqual([])
})

/** Every file a session consists of: datasets, forms of the ledger, batches of the tape. */
const filesOfSession = (): string[] => [
  ...[...Object.values(manifest.datasets), ...Object.values(manifest.ledger)].map(
    ({ file }) => `published/${file}`,
  ),
  ...manifest.inputs.map(({ file }) => file),
]

test.each(DAMAGES)('verify finds %s of every kind', async (_, damage, finding) => {
  const files = filesOfSession()
  expect(files.length).toBeGreaterThan(PUBLISHED_DATASETS.length + 6 + 4)
  for (const file of files) {
    await whileDamaged(join(dataFolder, file), damage, async () => {
      const quick = { dataFolder, date: DATE, isQuick: true, progress: silent }
      const findings = (await verifyDay(quick)).map(line => line.replace(/[0-9]+ bytes/, 'N bytes'))
      // tape files have no size in bytes: their hash decides
      const isCut = finding === 'bytes, not ' && file.startsWith('tape/')
      expect(findings).toHaveLength(1)
      expect(findings[0]).toContain(file.replace('published/', ''))
      expect(findings[0]).toContain(isCut ? 'does not match its hash' : finding)
    })
  }
})

test.each(DAMAGES)(
  'a build refuses a tape with %s, and keeps what is served',
  async (_, damage) => {
    const prints = manifest.inputs.find(({ dataset }) => dataset === 'prints')!.file
    await whileDamaged(join(dataFolder, prints), damage, async () => {
      await expect(build(dataFolder)).rejects.toThrow(`${prints} `)
      expect(readManifest(dataFolder, DATE)!.revision).toBe(manifest.revision)
    })
  },
)

const manifestFile = `published/manifests/${DATE}.json`
type Reported = [string, string, (text: string) => string, string]
const REPORTED: Reported[] = [
  ['cut short', manifestFile, text => text.slice(0, 900), 'it is not JSON, or cut short'],
  ['of zeros', manifestFile, text => '\0'.repeat(text.length), 'it is not JSON'],
  ['empty', `tape/manifests/${DATE}.json`, () => '', 'it is not JSON, or cut short'],
  ['without batches', `tape/manifests/${DATE}.json`, () => '{"format": 1}', 'session_date'],
  ['without a revision', manifestFile, text => text.replace('revision', 'rivision'), 'revision'],
  [
    'of another day',
    manifestFile,
    text => text.replace(DATE, '2026-10-16'),
    'it is about 2026-10-16',
  ],
]

test.each(REPORTED)(
  'verify reports a manifest %s in a sentence',
  async (_, file, damage, sentence) => {
    await whileDamaged(
      join(dataFolder, file),
      bytes => Buffer.from(damage(String(bytes))),
      async () => {
        const verifying = verifyDay({ dataFolder, date: DATE, isQuick: true, progress: silent })
        await expect(verifying).rejects.toThrow(Refusal)
        await expect(verifying).rejects.toThrow(`${file} is damaged: `)
        await expect(verifying).rejects.toThrow(sentence)
      },
    )
  },
)

test('verify finds a manifest whose words were changed, file hashes being right', async () => {
  const words = (text: string) =>
    text
      .replace(`"asof": "${manifest.asof}"`, '"asof": "09:31:00"')
      .replace('"simulated": true', '"simulated": false')
      .replace('"etag": "\\"', '"etag": "\\"0')
  await whileDamaged(
    join(dataFolder, manifestFile),
    bytes => Buffer.from(words(String(bytes))),
    async () => {
      expect(await verifyDay({ dataFolder, date: DATE, progress: silent })).toEqual([
        'simulated of the manifest differs when it is rebuilt',
        'asof of the manifest differs when it is rebuilt',
        'the ledger as json differs when it is rebuilt',
      ])
    },
  )
})

test('a damaged manifest of another day hides neither views nor status of this one', async () => {
  const other = join(publishedFolder(dataFolder), 'manifests/2026-10-13.json')
  writeFileSync(other, '{')
  try {
    writeViews(dataFolder)
    const views = readFileSync(join(publishedFolder(dataFolder), 'views.sql'), 'utf8')
    expect(views).toContain(manifest.datasets.orders!.file)
    expect(statusText(dataFolder)).toMatch(/2026-10-13 .*is damaged.*\n2026-10-15 +published/)
    await expect(runQuery(dataFolder, 'from orders')).rejects.toThrow(
      '2026-10-13.json is damaged: ',
    )
  } finally {
    rmSync(other)
  }
})

test('what a newer version of the product wrote is not replaced', async () => {
  const newer = (bytes: Buffer) => Buffer.from(String(bytes).replace(/"format": \d/, '"format": 3'))
  await whileDamaged(join(dataFolder, manifestFile), newer, async () => {
    const sentence = 'was written by a newer version of Tapefold: update this one.'
    expect(() => refuseNewer(dataFolder)).toThrow(sentence)
  })
  await whileDamaged(
    join(dataFolder, manifestFile),
    () => Buffer.from('{'),
    async () => {
      expect(() => refuseNewer(dataFolder)).not.toThrow()
    },
  )
})

test('a column that the dictionary calls not null has no null', async () => {
  for (const { name, columns } of PUBLISHED_DATASETS) {
    const counts = columns
      .filter(column => !column.isNullable)
      .map(column => `count(*) - count(${column.name}) as ${column.name}`)
    const { rows } = await runQuery(dataFolder, `select ${counts.join(', ')} from ${name}`)
    const broken = Object.entries(rows[0]!).filter(([, nulls]) => nulls !== 0)
    expect(broken, name).toEqual([])
  }
})

test('the API returns the ledger of the Parquet, byte for byte as published', async () => {
  const clock = fixedClock(Date.parse('2026-10-15T21:00:00Z'))
  const accounts = await openAccountStore(accountFilePath(dataFolder))
  const { id } = await accounts.addAccount({ name: 'test', plan: 'orders', createdAtMs: 0 })
  const key = { accountId: id, scope: 'orders', name: 'test', createdAtMs: 0 } as const
  const { apiKey } = (await accounts.addKey(key))!
  await accounts.close()
  const log = { error: () => {}, info: () => {}, warn: () => {} }
  const host = '127.0.0.1'
  const server = await startServer({ dataFolder, host, port: 0, clock, log } as never)
  try {
    const headers = { authorization: `Bearer ${apiKey}`, 'accept-encoding': 'identity' }
    const response = await fetch(`${server.url}/orders/api/latest`, { headers })
    const text = await response.text()
    const published = join(publishedFolder(dataFolder), manifest.ledger.json!.file)
    expect(response.status).toBe(200)
    expect(text).toBe(readFileSync(published, 'utf8'))
    const ledger = JSON.parse(text)
    const { rows } = await runQuery(
      dataFolder,
      'select order_id, structure, size from orders where is_in_ledger order by ledger_rank',
    )
    expect(ledger.orders.length).toBeGreaterThan(20)
    expect(
      ledger.orders.map(({ oid, kind, size }: Record<string, unknown>) => [oid, kind, size]),
    ).toEqual(rows.map(({ order_id, structure, size }) => [order_id, structure, size]))
    expect(ledger).toMatchObject({ day: DATE, sym: 'SPX', simulated: true })
  } finally {
    await server.close()
  }
})

test('importing the same files again and building changes no byte', async () => {
  await importSimulated(dataFolder, simulated)
  expect(listHashes(await build(dataFolder))).toEqual(listHashes(manifest))
})
