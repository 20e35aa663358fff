import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Catalog, openCatalog } from '../../../src/data/published/catalog.ts'
import { DamagedFile, readStamp } from '../../../src/data/published/damagedFile.ts'
import {
  ledgerInput,
  ledgerOrder,
  publishLedger,
  VARIED_ORDERS,
  writeManifest,
} from '../../support/published.ts'

let folder: string
let catalog: Catalog
let nowMs = 0
const DAY = '2026-10-14'

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-catalog-'))
  nowMs = 0
  catalog = open()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = () => openCatalog({ dataFolder: folder, nowMs: () => nowMs, log: { error: () => {} } })
const publish = (orders = VARIED_ORDERS, revision = 'r1', day = DAY) =>
  publishLedger(folder, ledgerInput(orders, { day }), revision)
const readJson = async () =>
  Buffer.from((await catalog.readLedger(catalog.find(DAY)!.manifest, 'json')).bytes).toString()
const findFile = (revision: string) =>
  join(folder, `published/ledger/session=${DAY}/${revision}.json`)

test('a folder that is not there yet has no sessions', () => {
  expect(catalog.sessions()).toEqual([])
  expect(catalog.newest()).toBeNull()
  expect(catalog.find(DAY)).toBeNull()
  expect(catalog.problems()).toEqual([])
})

test('sessions appear as they are published, oldest first', async () => {
  await publish()
  expect(catalog.sessions()).toEqual([DAY])
  await publish(VARIED_ORDERS, 'r1', '2026-10-12')
  await publish(VARIED_ORDERS, 'r1', '2026-10-15')
  expect(catalog.sessions()).toEqual(['2026-10-12', DAY, '2026-10-15'])
  expect(catalog.newest()?.manifest.session_date).toBe('2026-10-15')
  rmSync(join(folder, 'published/manifests/2026-10-15.json'))
  expect(catalog.newest()?.manifest.session_date).toBe(DAY)
})

test('a new revision is served from the call after its manifest is published', async () => {
  await publish()
  const before = await readJson()
  await publish([ledgerOrder({ order_id: 'new' })], 'r2')
  expect(await readJson()).not.toBe(before)
  expect(catalog.find(DAY)?.manifest.revision).toBe('r2')
  expect((await readJson()).includes('"oid":"new"')).toBe(true)
})

test('50 publishes in a row: each read is of the newest revision, whole', async () => {
  for (let revision = 0; revision < 50; revision++) {
    await publish([ledgerOrder({ order_id: `order-${revision}` })], `r${revision}`)
    // the kernel's time stamps are coarser than these writes
    nowMs += 500
    expect(await readJson()).toContain(`"oid":"order-${revision}"`)
  }
})

test.each([
  ['flipped bit', (bytes: Buffer) => bytes.fill(bytes[40]! ^ 1, 40, 41)],
  ['cut short', (bytes: Buffer) => bytes.subarray(0, 50)],
  ['empty', () => Buffer.alloc(0)],
])('a file with a %s is never served: the last good bytes are, or none', async (_, damage) => {
  await publish()
  const good = await readJson()
  await publish([ledgerOrder()], 'r2')
  writeFileSync(findFile('r2'), damage(readFileSync(findFile('r2'))))
  expect(await readJson()).toBe(good)
  expect(catalog.problems()).toEqual([expect.stringContaining('r2.json: its sha256 is ')])
  catalog = open()
  await expect(readJson()).rejects.toThrow('its sha256 is ')
})

test('a file that is repaired is served again, and the problem is gone', async () => {
  await publish()
  const bytes = readFileSync(findFile('r1'))
  rmSync(findFile('r1'))
  await expect(readJson()).rejects.toThrow('ENOENT')
  expect(catalog.problems()).toHaveLength(1)
  writeFileSync(findFile('r1'), bytes)
  expect(await readJson()).toBe(bytes.toString())
  expect(catalog.problems()).toEqual([])
})

test('damage that another reader met is reported while file and session are the same', async () => {
  await publish()
  const path = findFile('r1')
  const reported = (message: string) => {
    catalog.reportDamage(new DamagedFile(DAY, { path, stamp: readStamp(path), message }))
  }
  reported('x is damaged')
  expect(catalog.problems()).toEqual(['x is damaged'])
  // restored, with the same bytes
  writeFileSync(`${path}.new`, readFileSync(path))
  renameSync(`${path}.new`, path)
  expect(catalog.problems()).toEqual([])
  reported('it is damaged again')
  expect(catalog.problems()).toEqual(['it is damaged again'])
  // a later version of the session that has the same file, as each minute of a running one has
  const { manifest } = catalog.find(DAY)!
  writeManifest(folder, DAY, { ...manifest, revision: 'r1b' })
  nowMs += 500
  expect(catalog.problems()).toEqual(['it is damaged again'])
  await publish([ledgerOrder()], 'r2')
  nowMs += 500
  expect(catalog.problems()).toEqual([])
})

test('a failure to read this once is not reported as damage', async () => {
  await publish()
  const damage = { path: findFile('r1'), stamp: null, message: 'it cannot be read (EMFILE)' }
  catalog.reportDamage(new DamagedFile(DAY, damage))
  expect(catalog.problems()).toEqual([])
})

test('a stamp also reports what keeps the system from a file', async () => {
  await publish()
  const path = findFile('r1')
  const [whole, inside] = [readStamp(path), readStamp(join(path, 'x'))]
  rmSync(path)
  expect([inside, readStamp(path)]).toEqual(['ENOTDIR', 'ENOENT'])
  expect(whole).toMatch(/^\d+ \d+ \d+$/)
})

test.each([
  ['not JSON', '{"format":1,', 'JSON'],
  ['another day', { session_date: '2026-10-01' }, 'it is about 2026-10-01'],
  ['a newer format', { format: 3 }, 'format was written by a newer version of Tapefold'],
  ['no format', { format: undefined }, 'format is not 1 to 2'],
  ['a missing field', { asof: undefined }, 'asof'],
  ['a path outside', { ledger: { json: ledgerEntry('../accounts.sqlite') } }, 'ledger.json.file'],
  ['an absolute path', { ledger: { json: ledgerEntry('/etc/passwd') } }, 'ledger.json.file'],
])('a manifest that is %s is a problem, and hides nothing', async (_, change, reason) => {
  await publish()
  const good = await readJson()
  const path = join(folder, 'published/manifests', `${DAY}.json`)
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  writeManifest(folder, DAY, typeof change === 'string' ? change : { ...manifest, ...change })
  nowMs += 500
  expect(catalog.sessions()).toEqual([DAY])
  expect(await readJson()).toBe(good)
  expect(catalog.problems()).toEqual([expect.stringContaining(reason)])
  nowMs += 500
  expect(catalog.problems()).toHaveLength(1)
  catalog = open()
  expect(catalog.sessions()).toEqual([])
})

test('temporary files, such as a manifest being written, are not sessions', async () => {
  await publish()
  const folderOfManifests = join(folder, 'published/manifests')
  for (const name of ['2026-10-15.json.tmp', '.2026-10-16.json', 'notes.json', '2026-10-17']) {
    writeFileSync(join(folderOfManifests, name), '{}')
  }
  expect(catalog.sessions()).toEqual([DAY])
})

function ledgerEntry(file: string) {
  return { file, bytes: 1, sha256: '0'.repeat(64), etag: '"x"' }
}
