// Responses that are not what was requested: refused by name, stored separately, and nothing imported.

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openInspection, WrongContent } from '../../../pipelines/fetch/inspect.ts'
import type { Part } from '../../../pipelines/fetch/source.ts'
import { readFolder } from '../../support/fetch.ts'
import { DAY, fetchOnePart, SMALL, type SmallSource } from '../../support/fetchPart.ts'
import { newFolder } from '../../support/import.ts'
import { runs } from '../../support/runs.ts'
import {
  cutAfter,
  emptyBody,
  endAfter,
  type Fault,
  htmlPage,
  otherColumns,
  rowsOf,
} from '../../support/sources/faults.ts'
import { massiveTradesKey } from '../../support/sources/massive.ts'

const NAMES = Object.keys(SMALL)
const CHECKED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }
const TABLES = ['thetadata', 'databento', 'massive', 'treasury']

let dataFolder: string
let small: SmallSource | undefined
beforeEach(() => {
  dataFolder = newFolder()
})
afterEach(async () => {
  await small?.server.close()
  small = undefined
  rmSync(dataFolder, { recursive: true, force: true })
})

const always = (fault: Fault): Fault => ({ ...fault, times: Number.POSITIVE_INFINITY })

async function fetchWith(name: string, ...faults: Fault[]) {
  small = await SMALL[name]!(faults)
  return fetchOnePart({ ...small, dataFolder, url: small.server.url })
}

type Refused = { readonly says: RegExp; readonly kind?: 'wrong_content' | 'unavailable' }

/** Fails unless the file was refused with a reason, stored separately, and nothing of it is elsewhere. */
function expectRefused(
  { record, problem }: Awaited<ReturnType<typeof fetchOnePart>>,
  { says, kind = 'wrong_content' }: Refused,
) {
  const { source, part } = small!
  const name = `${source.name}-${part.day}-${part.file}`
  expect(record).toBeNull()
  expect([problem?.kind, problem?.message]).toEqual([kind, expect.stringMatching(says)])
  expect(problem!.message).toMatch(new RegExp(`^${source.name} sent a file for .*inbox/refused`))
  expect(Object.keys(readFolder(dataFolder)).sort()).toEqual([
    `inbox/refused/${name}`,
    `inbox/refused/${name}.json`,
  ])
  const reason = JSON.parse(readFileSync(join(dataFolder, `inbox/refused/${name}.json`), 'utf8'))
  expect(reason).toMatchObject({ request: expect.any(String), reason: expect.stringMatching(says) })
}

describe.each(NAMES)('%s', name => {
  test('an error page with status 200 is refused as what it is', async () => {
    const says = TABLES.includes(name) ? /is a web page/ : /is no JSON; it begins with .*DOCTYPE/
    expectRefused(await fetchWith(name, htmlPage()), { says })
  })

  test('an empty body is refused', async () => {
    expectRefused(await fetchWith(name, emptyBody()), { says: /is empty/ })
  })

  test('a connection that is cut is no file: the next request brings the whole', async () => {
    const whole = await fetchWith(name)
    await small!.server.close()
    rmSync(dataFolder, { recursive: true })
    const { record } = await fetchWith(name, cutAfter(30), cutAfter(60))
    expect(record).toEqual({ ...whole.record, request: record!.request })
    expect(Object.keys(readFolder(dataFolder)).filter(path => path.includes('.part'))).toEqual([])
  })

  test('a connection that is cut each time leaves no half file under a name of a file', async () => {
    const { problem } = await fetchWith(name, always({ cutAfter: 40, framing: 'chunked' }))
    expect(problem?.kind).toBe('unavailable')
    const paths = Object.keys(readFolder(dataFolder))
    // only what can be continued stays
    expect(paths.every(path => name === 'massive' && /\.part(\.json)?$/.test(path))).toBe(true)
  })
})

test.each([
  ['thetadata', 'no column open_interest', { open_interest: 'oi' }],
  ['databento', 'no column quantity', { quantity: null }],
  ['treasury', 'no column 10 yr', { '10 Yr': 'long' }],
  ['cboe-delayed', 'no contract of SPX', { option: 'name' }],
])('%s: other columns are refused: %s', async (name, says, columns) => {
  const result = await fetchWith(name, otherColumns(columns as Record<string, string | null>))
  expectRefused(result, { says: new RegExp(says) })
})

test.each([
  [
    'databento',
    'a row of another day',
    { start: '2026-10-14T04:00:00Z', end: '2026-10-14T13:30:00Z' },
    /row of 2026-10-14/,
  ],
  ['treasury', 'a row of another year', { year: '2025' }, /not of 2026/],
  [
    'massive',
    'a row of another day',
    { key: massiveTradesKey('2026-10-14') },
    /row of 2026-10-14, not of 2026-10-15/,
  ],
  [
    'cboe-delayed',
    'a chain of another symbol',
    { symbol: '_NDX' },
    /no contract of SPX.*its first one is "NDX/,
  ],
] as const)('%s: %s is refused', async (name, _, instead, says) => {
  expectRefused(await fetchWith(name, rowsOf(instead)), { says })
})

test('ThetaData: trades of another day are refused', async () => {
  const { THETADATA } = await import('../../../pipelines/fetch/thetadata/source.ts')
  const part = THETADATA.plan([DAY], 0).find(({ file }) =>
    file.startsWith('thetadata-quote-SPXW-0930'),
  )!
  small = { ...(await SMALL.thetadata!()), part }
  small.server.addFault({
    body:
      'symbol,expiration,strike,right,timestamp,bid,ask\n' +
      'SPXW,2026-10-16,5800.000,CALL,2026-10-14T09:31:00.000,1,2\n',
  })
  const result = await fetchOnePart({ ...small, dataFolder, url: small.server.url })
  expectRefused(result, { says: /a row of 2026-10-14, not of 2026-10-15/ })
})

test.each(['thetadata', 'treasury'])(
  '%s: a table with its header alone has no data, and nothing is stored',
  async name => {
    small = await SMALL[name]!()
    const { columns } = (small.part.content as Extract<Part['content'], { kind: 'table' }>).rules
    small.server.addFault({ body: `${columns.join(',')}\n` })
    const { problem } = await fetchOnePart({ ...small, dataFolder, url: small.server.url })
    expect(problem?.kind).toBe('no_data')
    expect(problem!.message).toMatch(/has no rows for/)
    expect(readFolder(dataFolder)).toEqual({})
  },
)

test.each([
  ['thetadata', 'a table that ends within a line', /its last line is "SPX/],
  ['treasury', 'a table that ends within a line', /is cut short/],
  ['databento', 'zstd that ends in its middle', /is cut short/],
  ['massive', 'gzip that ends in its middle', /is cut short/],
  ['cboe-delayed', 'JSON that ends in its middle', /is cut short/],
  ['fred', 'JSON that ends in its middle', /JSON does not end/],
] as const)('%s: %s, as if it were whole, is refused each time', async (name, _, says) => {
  const result = await fetchWith(name, always(endAfter(90)))
  expectRefused(result, { says, kind: 'unavailable' })
  expect(small!.server.requests.length).toBe(5)
})

test('packed text with something behind its end is refused', async () => {
  small = await SMALL.databento!()
  const { body } = await receiveWhole('databento')
  small.server.addFault({ body: Buffer.concat([body, Buffer.from('<html>busy</html>')]) })
  const result = await fetchOnePart({ ...small, dataFolder, url: small.server.url })
  expectRefused(result, { says: /cannot be unpacked/ })
})

test('two frames of zstd in one body are both read', async () => {
  const { part } = await receiveWhole('databento')
  const table = zstdDecompressSync(wholes.databento!.body)
  const at = table.indexOf(10, table.length >> 1) + 1
  const frames = [table.subarray(0, at), table.subarray(at)].map(piece => zstdCompressSync(piece))
  const inspection = openInspection(part)
  await inspection.take(Buffer.concat(frames))
  expect((await inspection.finish()).rows).toBe(300)
})

const wholes: Record<string, { part: Part; body: Buffer; rows: number }> = {}
const receiveWhole = async (name: string) => wholes[name]!

beforeAll(async () => {
  const folder = newFolder()
  for (const name of NAMES) {
    const each = await SMALL[name]!()
    const { record } = await fetchOnePart({ ...each, dataFolder: folder, url: each.server.url })
    const body = readFileSync(join(folder, 'inbox', name, record!.day, record!.file))
    wholes[name] = { part: each.part, body, rows: record!.rows }
    await each.server.close()
  }
  rmSync(folder, { recursive: true })
})
afterAll(() => {
  for (const name of NAMES) delete wholes[name]
})

/** Returns what an inspection takes of a body in pieces; the reason where it refuses. */
async function inspect(part: Part, body: Buffer, pieces: number): Promise<number | string> {
  const inspection = openInspection(part)
  const size = Math.max(1, Math.ceil(body.length / pieces))
  try {
    for (let from = 0; from < body.length; from += size)
      await inspection.take(body.subarray(from, from + size))
    return (await inspection.finish()).rows
  } catch (error) {
    if (error instanceof WrongContent) return error.message
    throw error
  }
}

test('a body in pieces of any size has the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...NAMES),
      fc.integer({ min: 1, max: 400 }),
      async (name, pieces) => {
        const { part, body, rows } = wholes[name]!
        expect(await inspect(part, body, pieces)).toBe(rows)
      },
    ),
    { numRuns: runs(300) },
  )
})

test('a body that is cut anywhere is refused, unless it ends with as many cells as its header', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...NAMES),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.integer({ min: 1, max: 20 }),
      async (name, share, pieces) => {
        const { part, body } = wholes[name]!
        const cut = body.subarray(0, Math.floor(body.length * share))
        const outcome = await inspect(part, cut, pieces)
        // no reader can tell such a table from a shorter one: length and chunks are the connection's
        const [header = '', ...lines] = cut.toString('utf8').trimEnd().split('\n')
        const last = lines.at(-1) ?? header
        if (typeof outcome === 'number')
          expect(last.split(',').length).toBe(header.split(',').length)
      },
    ),
    { numRuns: runs(1500) },
  )
})

test('a packed body with any other byte is refused, or holds the same table', async () => {
  const tables: Record<string, Buffer> = {
    databento: zstdDecompressSync(wholes.databento!.body),
    massive: gunzipSync(wholes.massive!.body),
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('databento', 'massive'),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      async (name, share, change, hasChecksum) => {
        const { part } = wholes[name]!
        const table = tables[name]!
        // the checksum of zstd is optional
        if (name === 'databento' && !hasChecksum) return
        const body = Buffer.from(
          name === 'massive' ? gzipSync(table) : zstdCompressSync(table, CHECKED),
        )
        body[Math.floor(body.length * share)]! ^= change
        const outcome = await inspect(part, body, 3)
        if (typeof outcome === 'string') return
        const unpacked = name === 'massive' ? gunzipSync(body) : zstdDecompressSync(body)
        expect(unpacked.equals(table)).toBe(true)
      },
    ),
    { numRuns: runs(600) },
  )
})

test('cuts of the connection anywhere never give a stored file with other bytes than the whole', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...NAMES),
      fc.array(fc.nat({ max: 4000 }), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('chunked', 'length'),
      async (name, cuts, framing) => {
        const folder = newFolder()
        const each = await SMALL[name]!(
          cuts.map(at => ({ cutAfter: at, framing: framing as 'chunked' | 'length' })),
        )
        try {
          const { record } = await fetchOnePart({
            ...each,
            dataFolder: folder,
            url: each.server.url,
          })
          const path = join(folder, 'inbox', name, each.part.day, each.part.file)
          expect(existsSync(path)).toBe(record !== null)
          if (record) expect(readFileSync(path).equals(wholes[name]!.body)).toBe(true)
        } finally {
          await each.server.close()
          rmSync(folder, { recursive: true, force: true })
        }
      },
    ),
    { numRuns: runs(400) },
  )
})
