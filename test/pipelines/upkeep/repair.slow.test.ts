import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { repairDay } from '../../../pipelines/upkeep/repair.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import {
  type PublishedManifest,
  publishedFiles,
  readManifest,
} from '../../../src/data/published/manifest.ts'
import { startTestApi } from '../../support/api.ts'
import { whileDamaged } from '../../support/damage.ts'
import { findTree } from '../../support/import.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-repair-'))
const dataFolder = join(root, 'data')
const manifestFile = `published/manifests/${DATE}.json`
let manifest: PublishedManifest

beforeAll(async () => {
  const out = join(root, 'simulated')
  const size = { prints: 700, contracts: 300, seed: 4, hasQuotes: false }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out })
  await importSimulated(dataFolder, out, ['prints', 'spots', 'open_interest', 'rates'])
  // a floor of its own: a repair has to find it again
  manifest = await buildDay({ dataFolder, date: DATE, minPremiumUsd: 70_000, progress: silent })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const repair = (date = DATE) => repairDay({ dataFolder, date, progress: silent })
const findPath = (file: string) => join(dataFolder, file)
const published = () => findTree(join(dataFolder, 'published'))
const inQuarantine = () => globSync('published/**/*.*', { cwd: join(dataFolder, 'quarantine') })
const flip = (path: string) => {
  // among the columns that every reader takes, before those of the publisher and the metadata
  const bytes = readFileSync(path)
  const at = bytes.length >> 2
  writeFileSync(path, bytes.fill(bytes[at]! ^ 1, at, at + 1))
}

test('what is whole needs no repair, and what was never published cannot have any', async () => {
  const before = published()
  expect(await repair()).toEqual([])
  expect(published()).toEqual(before)
  await expect(repair('2026-10-14')).rejects.toThrow('is not published; build it first')
})

test('flipped, cut and missing files are quarantined and come back as they were', async () => {
  const before = published()
  const { orders, legs, stats } = manifest.datasets
  const bad = [orders!, manifest.ledger.json!].map(({ file }) => `published/${file}`)
  for (const file of bad) flip(findPath(file))
  writeFileSync(findPath(`published/${legs!.file}`), 'PAR1')
  rmSync(findPath(`published/${stats!.file}`))
  const wrong = readFileSync(findPath(bad[0]!))

  expect(await repair()).toEqual([
    `published/${stats!.file} was missing`,
    `quarantine/${bad[0]} holds what was damaged`,
    `quarantine/published/${legs!.file} holds what was damaged`,
    `quarantine/${bad[1]} holds what was damaged`,
    `rebuilt to the same hashes, revision ${manifest.revision}`,
  ])
  expect(published()).toEqual(before)
  expect(readFileSync(findPath(`quarantine/${bad[0]}`))).toEqual(wrong)
  const { rows } = await runQuery(dataFolder, 'select count(*)::int as n from orders')
  expect(rows).toEqual([{ n: orders!.rows }])
  expect(await repair()).toEqual([])
})

test('damage that any call meets turns a server red, and a repair turns it back', async () => {
  // a folder of its own: it goes with the server
  const served = join(root, 'served')
  cpSync(dataFolder, served, { recursive: true })
  const api = await startTestApi({ dataFolder: served })
  const problems = async () => (await api.call('/health', { key: null })).json.problems
  const position = { kind: 'put_spread', legs: { lp: 5930, sp: 5950 }, entry: '10:30' }
  const body = JSON.stringify({ op: 'add', position })
  expect((await api.call('/api/positions', { method: 'POST', body })).status).toBe(200)
  const [{ id }] = (await api.call('/api/positions')).json.positions
  const whole = await problems()
  try {
    const calls = [
      ['legs', `/orders/api/day?day=${DATE}&asof=11:00`, 503],
      ['market_minutes', `/api/positions/check?day=${DATE}&t=10:30`, 503],
      ['large_orders', `/api/positions/entries?id=${id}&replay=1`, 200],
    ] as const
    api.clock.atMs = instantMs('2026-10-16', '08:00')
    for (const [name, path, status] of calls) {
      const { file } = manifest.datasets[name]!
      flip(join(served, 'published', file))
      expect([name, (await api.call(path)).status]).toEqual([name, status])
      const damaged = `${file} does not match its hash`
      expect(await problems()).toEqual([
        `a file of ${DATE} is damaged and has to be repaired; the server's log names it`,
        ...whole,
      ])
      const { reason, date } = api.logged.findLast(
        ({ message }) => message === 'damaged file',
      )!.fields
      expect([date, reason]).toEqual([DATE, damaged])
      await repairDay({ dataFolder: served, date: DATE, progress: silent })
      expect(await problems()).toEqual(whole)
      expect((await api.call(path)).status).toBe(200)
    }
  } finally {
    await api.close()
  }
})

test('a manifest that is cut or gone is rebuilt, at the floor its ledger proves', async () => {
  // what was published, but for the second in which its manifest was made
  const published = () => {
    const { [`manifests/${DATE}.json`]: _, ...files } = findTree(join(dataFolder, 'published'))!
    const { published_at: __, ...rest } = readManifest(dataFolder, DATE)!
    return { files, rest }
  }
  const before = published()
  const count = publishedFiles(manifest).length
  const reported = `its manifest was made again; ${count} files were sound`
  writeFileSync(findPath(manifestFile), readFileSync(findPath(manifestFile), 'utf8').slice(0, 700))
  expect(await repair()).toEqual([`quarantine/${manifestFile} holds what was damaged`, reported])
  expect(published()).toEqual(before)
  expect(inQuarantine()).toContain(manifestFile)
  rmSync(findPath(manifestFile))
  expect(await repair()).toEqual([`${manifestFile} was missing`, reported])
  expect(published()).toEqual(before)
})

test('a damaged tape is named with what to do, and nothing is moved or built', async () => {
  const tape = manifest.inputs.find(({ dataset }) => dataset === 'prints')!
  const orders = findPath(`published/${manifest.datasets.orders!.file}`)
  const moved = inQuarantine()
  await whileDamaged(
    findPath(tape.file),
    bytes => bytes.subarray(1),
    () =>
      whileDamaged(
        orders,
        bytes => bytes.subarray(1),
        async () => {
          const before = published()
          await expect(repair()).rejects.toThrow(
            `${tape.file} does not match its hash; put back a copy whose SHA-256 is ` +
              `${tape.sha256}, or take tape/manifests/${DATE}.json away and import again: `,
          )
          await expect(repair()).rejects.toThrow('again: --simulated prints prints.parquet')
          expect(published()).toEqual(before)
        },
      ),
  )
  expect(inQuarantine()).toEqual(moved)
})

test('without a tape nothing is moved: a damaged file is more than none', async () => {
  const orders = `published/${manifest.datasets.orders!.file}`
  const gone = () => null
  await whileDamaged(findPath(`tape/manifests/${DATE}.json`), gone, () =>
    whileDamaged(
      findPath(orders),
      bytes => bytes.subarray(1),
      async () => {
        const before = published()
        const sentence = `there is no tape of ${DATE} to rebuild ${orders} from: import it, or`
        await expect(repair()).rejects.toThrow(sentence)
        expect(published()).toEqual(before)
      },
    ),
  )
})

test.each([manifestFile, `tape/manifests/${DATE}.json`])(
  '%s of a newer version is refused by repair and build',
  async file => {
    await whileDamaged(
      findPath(file),
      () => Buffer.from('{"format": 3}'),
      async () => {
        const before = published()
        const sentence = `${file} was written by a newer version of Tapefold: update this one.`
        await expect(repair()).rejects.toThrow(sentence)
        const options = { dataFolder, date: DATE, progress: silent }
        await expect(buildDay(options)).rejects.toThrow(sentence)
        expect(published()).toEqual(before)
      },
    )
  },
)

test('a session carries no positions over from a damaged file', async () => {
  // the day after reads what this session closed with
  const closing = manifest.datasets.closing_positions!
  await whileDamaged(
    findPath(`published/${closing.file}`),
    bytes => bytes.fill(bytes[200]! ^ 1, 200, 201),
    async () => {
      const next = buildDay({ dataFolder, date: '2026-10-16', progress: silent })
      await expect(next).rejects.toThrow(
        `published/${closing.file} does not match its hash; repair ${DATE} first.`,
      )
    },
  )
})
