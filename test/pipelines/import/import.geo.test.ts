// Imports of public records: which are read, skipped, quarantined, rejected and refused.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { RECORD_COLUMNS } from '../../../src/data/geo/records.ts'
import { type GeoReader, openGeo, readItemsPage } from '../../../src/geo/ask.ts'
import { EVENT, eventLine, eventsText, type MadeEvent } from '../../support/geo.ts'
import { findTree, importFiles, newFile, newFolder } from '../../support/import.ts'
import { tableUnder } from '../../support/pages.ts'

const many = (count: number, from = 0): MadeEvent[] =>
  Array.from({ length: count }, (_, at) => ({ ...EVENT, id: `m${from + at}` }))

/** The cells of the last row of a report. */
const listCounts = (out: string) => out.split('\n').filter(line => line.includes('geo_records'))

async function listItems(data: string, scheduler: GeoReader = openGeo(data)) {
  const wanted = { from: '2026-01-01', to: '2026-12-31', countries: null, kind: null }
  const atMs = Date.parse('2027-01-01')
  const page = { ...wanted, atMs, limit: 1000, after: null, question: '' }
  try {
    return (await readItemsPage(scheduler, page)).items
  } finally {
    await scheduler.reader.close()
  }
}

test('events are read from text, gzip and the zip of GDELT: the same records', async () => {
  const text = eventsText(many(20))
  const member = { '20261014134500.export.CSV': Buffer.from(text) }
  const files = [
    newFile('a.csv', text),
    newFile('b.csv.gz', gzipSync(Buffer.from(text))),
    newFile('20261014134500.export.CSV.zip', zipSync(member)),
  ]
  const data = newFolder()
  const [first, ...again] = files
  expect((await importFiles(data, 'gdelt-events', first!)).out).toMatch(
    /2026-W42 +geo_records +20 +20 +0 +0 +0 +0$/m,
  )
  const tree = findTree(data)
  for (const file of again) {
    const { code, out } = await importFiles(data, 'gdelt-events', file)
    expect([code, listCounts(out)[0]]).toEqual([
      0,
      expect.stringMatching(/^2026-W42 +geo_records +20 +0 +20 /),
    ])
  }
  expect(findTree(data)).toEqual(tree)
})

test('cooperation and few mentions are skipped, unknown codes are quarantined', async () => {
  const rows = [
    ...many(100),
    { ...EVENT, id: 'a', quad: 1 },
    { ...EVENT, id: 'b', mentions: 9 },
    { ...EVENT, id: 'c', fips: '' },
    { ...EVENT, id: 'd', fips: 'QQ' },
    { ...EVENT, id: 'e', root: '99' },
  ]
  const data = newFolder()
  const { code, out } = await importFiles(data, 'gdelt-events', newFile('a.csv', eventsText(rows)))
  expect(code).toBe(0)
  expect(listCounts(out)[0]).toMatch(/105 +100 +0 +0 +3 {2}2 \(country QQ: 1, event root 99: 1\)$/)
  const [, name] = /rows of unknown codes: (\S+)/.exec(out)!
  const [head, ...lines] = readFileSync(join(data, name!), 'utf8').trimEnd().split('\n')
  expect(head).toBe('line_number,dataset,reason,line')
  expect(lines.map(line => line.split(',').slice(0, 3).join())).toEqual([
    '104,geo_records,"unknown country QQ"',
    '105,geo_records,"unknown event root 99"',
  ])
  expect((await listItems(data)).map(({ events }) => events)).toEqual([100])
})

const cell = (number: number, text: string) => {
  const cells = eventLine({ ...EVENT, id: 'x' }).split('\t')
  cells[number - 1] = text
  return cells.join('\t')
}

test.each([
  ['57 columns, as of GDELT 1.0', 'a\t'.repeat(57), 'has 58 columns, an event of GDELT 2.0 has 61'],
  ['a day that there is not', cell(2, '20260230'), 'the date is missing, or not a day such as'],
  ['a quad class of 5', cell(30, '5'), 'quad class is 5, not 1 to 4'],
  ['mentions in words', cell(32, 'ten'), 'mentions is ten, not a whole number'],
  ['a scale in words', cell(31, 'bad'), 'goldstein is bad, not a number'],
  ['a scale beyond 10', cell(31, '-10.5'), 'goldstein is not between -10 and 10'],
  ['no time', cell(60, ''), 'known_at is missing or is not a time'],
  ['a day after it was known', cell(2, '20261017'), 'the date is after known_at'],
  ['no id', cell(1, ''), 'record is missing or over 200 characters'],
])('an event with %s is rejected with its line and reason', async (_what, line, reason) => {
  const data = newFolder()
  const file = newFile('a.csv', `${eventsText(many(150))}${line}\n`)
  const { code, out, error } = await importFiles(data, 'gdelt-events', file)
  expect([code, error]).toEqual([0, ''])
  const [, name] = /rejected rows, with reasons: (\S+)/.exec(out)!
  const lines = readFileSync(join(data, name!), 'utf8').trimEnd().split('\n')
  expect(lines[1]).toContain(`151,geo_records,"${reason}`)
  // the same rows are refused whole where they are too many
  const few = newFile('b.csv', `${eventsText(many(20, 500))}${line}\n`)
  const other = newFolder()
  const refused = await importFiles(other, 'gdelt-events', few)
  expect([refused.code, refused.error]).toEqual([1, expect.stringContaining(reason)])
  expect(refused.error).toContain('the limit is 1 %, so nothing was imported')
  expect(existsSync(join(other, 'geo'))).toBe(false)
})

test('a record that says something else is rejected: the first one stands', async () => {
  const data = newFolder()
  await importFiles(data, 'gdelt-events', newFile('a.csv', eventsText(many(200))))
  const changed = [...many(199), { ...EVENT, id: 'm199', mentions: 77 }]
  const { out } = await importFiles(data, 'gdelt-events', newFile('b.csv', eventsText(changed)))
  expect(listCounts(out)[0]).toMatch(/200 +0 +199 +1 +0 +0$/)
  expect((await listItems(data))[0]).toMatchObject({ events: 200, mentions: 200 * 12 })
})

test('a name of a newspaper is no address, and markup in one is none either', async () => {
  const data = newFolder()
  const urls = ['BBC Monitoring', 'javascript:alert(1)', 'https://a.example/ b', 'ftp://a.example']
  const rows = urls.map((url, at) => ({ ...EVENT, id: `${at}`, url }))
  await importFiles(data, 'gdelt-events', newFile('a.csv', eventsText(rows)))
  expect(await listItems(data)).toMatchObject([{ events: 4, url: null }])
})

const fred = (dates: readonly object[]) => JSON.stringify({ release_dates: dates })

test('dates of FRED become releases at their hour, in summer and in winter', async () => {
  const data = newFolder()
  const dates = [
    { release_id: 10, release_name: 'Consumer Price Index', date: '2026-10-14' },
    { release_id: 50, date: '2026-11-06' },
    { release_id: 192, date: '2026-10-13' },
    // daily series, which are not late data
    { release_id: 18, date: '2026-10-13' },
  ]
  const { out } = await importFiles(data, 'fred-release-dates', newFile('f.json', fred(dates)))
  expect(listCounts(out).map(line => line.split(/ +/).slice(0, 7).join(' '))).toEqual([
    '2026-W42 geo_records 3 2 0 0 1',
    '2026-W45 geo_records 1 1 0 0 0',
  ])
  expect(await listItems(data)).toMatchObject([
    { date: '2026-11-06', known_at: '2026-11-06T13:30:00Z', minute: null, code: '50' },
    { date: '2026-10-14', known_at: '2026-10-14T12:30:00Z', minute: null, country: 'US' },
    { date: '2026-10-13', known_at: '2026-10-13T14:00:00Z', minute: '10:01', events: null },
  ])
})

test.each([
  ['fred-release-dates', 'x', / is not JSON; it begins with "x"\.$/],
  ['fred-release-dates', '{"releases": []}', / has no list release_dates; /],
  ['fred-release-dates', '{"release_dates": []}', / holds no rows\.$/],
  ['gdelt-events', '', / is empty\.$/],
  ['gdelt-events', '<html><body>404</body></html>', / is a web page, no table; /],
  ['gdelt-events', '{"a": 1}', / is JSON, no table; /],
  ['geo-items', 'kind,date\nevent,2026-10-14\n', / lacks the column country, code, source, /],
])('%s: a file that is none of it is refused in one sentence', async (format, text, sentence) => {
  const data = newFolder()
  const { code, error } = await importFiles(data, format, newFile('f', text))
  expect([code, error]).toEqual([1, expect.stringMatching(sentence)])
  expect(error.split('\n')).toHaveLength(1)
  expect(findTree(join(data, 'geo'))).toBeNull()
})

const HEAD = 'kind,date,country,code,source,known_at,label,events,mentions,goldstein,url\n'

test('own records are read with their units; an unknown source is quarantined', async () => {
  const data = newFolder()
  const rows = [
    'release,2026-10-14,US,FOMC,desk,2026-10-14T18:00:00Z,rate decision,,,,https://www.bls.gov',
    'event,2026-10-14,UA,19,desk,2026-10-14T10:00:00-04:00,,3,40,-9.5,',
    'event,2026-10-14,UA,19,desk,2026-10-14T15:00:00Z,,1,,,',
    'event,2026-10-14,UA,14,rumour,2026-10-14T15:00:00Z,,,,,',
  ]
  const { out } = await importFiles(data, 'geo-items', newFile('i.csv', HEAD + rows.join('\n')))
  expect(listCounts(out)[0]).toMatch(/4 +3 +0 +0 +0 {2}1 \(source rumour: 1\)$/)
  expect(await listItems(data)).toMatchObject([
    { code: '19', label: 'fight', events: 4, mentions: 40, goldstein: -9.5, url: null },
    { code: 'FOMC', label: 'rate decision', events: null, minute: '14:01' },
  ])
})

test.each([
  ['kind', 'war,2026-10-14,UA,19,desk,2026-10-14T15:00:00Z,,,,,', 'kind is war, not event or'],
  [
    'events',
    'event,2026-10-14,UA,19,desk,2026-10-14T15:00:00Z,,2.5,,,',
    'events is 2.5, not a whole',
  ],
  [
    'url',
    'event,2026-10-14,UA,19,desk,2026-10-14T15:00:00Z,,,,,x',
    'url is x, not an address such',
  ],
  ['label', 'release,2026-10-14,US,X,desk,2026-10-14T15:00:00Z,,,,,', 'label is missing'],
  ['known_at', 'event,2026-10-14,UA,19,desk,2026-10-14,,,,,', 'known_at is missing or is not a'],
])('an own record with a wrong %s is refused, and says why', async (_name, row, reason) => {
  const { code, error } = await importFiles(newFolder(), 'geo-items', newFile('i.csv', HEAD + row))
  expect([code, error]).toEqual([1, expect.stringContaining(reason)])
})

test('simulated and real records never share a week', async () => {
  const data = newFolder()
  await importFiles(data, '--simulated', 'gdelt-events', newFile('a.csv', eventsText(many(3))))
  const { error } = await importFiles(
    data,
    'gdelt-events',
    newFile('b.csv', eventsText(many(3, 9))),
  )
  expect(error).toMatch(/has real records of 2026-W42, but those of that week are simulated; keep/)
})

test('--day and --roots are of sessions', async () => {
  const file = newFile('a.csv', eventsText(many(1)))
  for (const [option, value] of [
    ['--day', '2026-10-14'],
    ['--roots', 'SPX'],
  ] as const) {
    const { code, error } = await importFiles(newFolder(), option, value, 'gdelt-events', file)
    expect([code, error]).toEqual([2, `${option} is of sessions; gdelt-events is imported whole.`])
  }
})

test('of two files one that is refused leaves the folder as it was', async () => {
  const data = newFolder()
  const files = [newFile('a.csv', eventsText(many(3))), newFile('b.csv', 'x\n')]
  const { code } = await importFiles(data, 'gdelt-events', ...files)
  expect(code).toBe(1)
  expect(findTree(join(data, 'geo'))).toBeNull()
})

test('data/README.md has the columns of the records, in their order', () => {
  expect(tableUnder('data/README.md', '| record column | type | null | meaning |')).toEqual(
    RECORD_COLUMNS.map(({ name, type, isNullable, meaning }) => {
      return `| ${name} | ${type} | ${isNullable ? 'yes' : 'no'} | ${meaning} |`
    }),
  )
})

test('each FIPS code leads to one country, and each table has its rows once', () => {
  const listKeys = (file: string) =>
    readFileSync(`data/reference/${file}`, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map(line => line.split(',')[0]!)
  for (const file of ['countries.csv', 'cameo_roots.csv', 'geo_releases.csv', 'geo_sources.csv']) {
    const keys = listKeys(file)
    expect(new Set(keys).size, file).toBe(keys.length)
    expect(keys, file).toEqual(
      keys.toSorted((a, b) => (file === 'geo_releases.csv' ? +a - +b : a < b ? -1 : 1)),
    )
  }
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const rows = readFileSync('data/reference/countries.csv', 'utf8').trimEnd().split('\n').slice(1)
  for (const row of rows) expect(names.of(row.split(',')[1]!), row).toBeDefined()
})

test('a truncated zip and a zip of two files are refused', async () => {
  const zip = zipSync({ a: Buffer.from(eventsText(many(2))), b: Buffer.from('x') })
  const two = await importFiles(newFolder(), 'gdelt-events', newFile('a.zip', zip))
  expect(two.error).toMatch(/a\.zip packs 2 files; a zip of GDELT has one\.$/)
  const file = newFile('b.zip', '')
  writeFileSync(file, zip.subarray(0, 60))
  expect((await importFiles(newFolder(), 'gdelt-events', file)).error).toMatch(/damaged zip file/)
})

test('an import that was killed before its manifests is made whole by the next one', async () => {
  const data = newFolder()
  const file = newFile('a.csv', eventsText(many(30)))
  await importFiles(data, 'gdelt-events', file)
  const whole = findTree(join(data, 'geo'))
  rmSync(join(data, 'geo/manifests'), { recursive: true })
  expect(await listItems(data)).toEqual([])
  await importFiles(data, 'gdelt-events', file)
  expect(findTree(join(data, 'geo'))).toEqual(whole)
})
