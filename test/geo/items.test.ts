// The response is what a second implementation adds up, at any instant.

import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type GeoReader, openGeo, readItemsCsv, readItemsPage } from '../../src/geo/ask.ts'
import { oldestFreeDay } from '../../src/geo/params.ts'
import { utcText, type WireItem } from '../../src/geo/wire.ts'
import {
  addUp,
  EVENT,
  eventsText,
  findGeoFolder,
  findUtc,
  ISO,
  importText,
  type MadeEvent,
} from '../support/geo.ts'
import { runs } from '../support/runs.ts'

const folders: string[] = []
const desks: GeoReader[] = []
afterAll(async () => {
  for (const { reader } of desks) await reader.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = findGeoFolder()
  folders.push(folder)
  return folder
}

function openReader(folder: string): GeoReader {
  const scheduler = openGeo(folder)
  desks.push(scheduler)
  return scheduler
}

const RANGE = { from: '2026-09-01', to: '2026-10-31', countries: null, kind: null } as const

async function allPages(scheduler: GeoReader, atMs: number, limit = 1000): Promise<WireItem[]> {
  const page = await readItemsPage(scheduler, { ...RANGE, atMs, limit, after: null, question: '' })
  const items = [...page.items]
  for (let { next_cursor: next } = page; next !== null; ) {
    const { after } = JSON.parse(Buffer.from(next, 'base64url').toString())
    const more = await readItemsPage(scheduler, { ...RANGE, atMs, limit, after, question: '' })
    items.push(...more.items)
    next = more.next_cursor
  }
  return items
}

/** Items in the form of the second implementation. */
const summed = (items: readonly WireItem[]) =>
  new Map(
    items.map(item => {
      const { date, country, code, events, mentions, goldstein, known_at, updated_at, url } = item
      const times = { known: known_at, updated: updated_at }
      return [`${date} ${country} ${code}`, { events, mentions, goldstein, ...times, url }]
    }),
  )

const expected = (events: readonly MadeEvent[], until: string) =>
  new Map(
    [...addUp(events, until)].map(([key, sum]) => {
      const goldstein = Math.round(sum.goldstein * 100) / 100 + 0
      return [key, { ...sum, goldstein, known: findUtc(sum.known), updated: findUtc(sum.updated) }]
    }),
  )

/** Days over a change of the ISO week; stamps within and after them. */
const madeEvent = fc.record({
  day: fc.constantFrom('20261010', '20261011', '20261012', '20261013', '20261014'),
  root: fc.constantFrom('10', '14', '19', '20'),
  quad: fc.constantFrom(1, 2, 3, 4, 4, 4),
  // quarters are exact in both, whatever the order of the sum
  goldstein: fc.constantFrom('-10.0', '-9.5', '0.0', '3.25', '-0.75'),
  mentions: fc.constantFrom(9, 10, 11, 500),
  fips: fc.constantFrom(...Object.keys(ISO), ''),
  added: fc.constantFrom(
    '20261014000000',
    '20261014134500',
    '20261014140000',
    '20261015000000',
    '20261018234500',
  ),
})
const madeEvents = fc.array(madeEvent, { minLength: 1, maxLength: 60 }).map(list =>
  list.map((made, index): MadeEvent => {
    return { ...EVENT, ...made, id: String(1000 + index), url: `https://news.example/${index}` }
  }),
)

/** More than a page holds. */
const manyEvents = (seed: number): MadeEvent[] =>
  fc.sample(madeEvent, { numRuns: 200, seed }).map((made, index) => {
    return { ...EVENT, ...made, id: String(index), url: `https://news.example/${index}` }
  })

const INSTANTS = [
  '20261013235959',
  '20261014134459',
  '20261014134500',
  '20261014150000',
  '20261101000000',
]

test('any events add up as the second implementation says, at each instant', async () => {
  await fc.assert(
    fc.asyncProperty(madeEvents, fc.integer({ min: 1, max: 60 }), async (events, cut) => {
      const folder = newFolder()
      // the second file repeats a part of the first: nothing is counted twice
      await importText(folder, 'gdelt-events', eventsText(events.slice(0, cut)))
      const rest = events.slice(Math.max(0, cut - 5))
      if (rest.length > 0) await importText(folder, 'gdelt-events', eventsText(rest))
      const scheduler = openReader(folder)
      for (const stamp of INSTANTS) {
        const items = await allPages(scheduler, Date.parse(findUtc(stamp)))
        expect(summed(items)).toEqual(expected(events, stamp))
      }
      await scheduler.reader.close()
    }),
    { numRuns: runs(8, 3) },
  )
})

test('a response is the same whatever was imported that became known later', async () => {
  await fc.assert(
    fc.asyncProperty(madeEvents, fc.constantFrom(...INSTANTS), async (events, stamp) => {
      const [early, whole] = [newFolder(), newFolder()]
      const known = events.filter(({ added }) => added <= stamp)
      if (known.length > 0) await importText(early, 'gdelt-events', eventsText(known))
      await importText(whole, 'gdelt-events', eventsText(events))
      const [one, other] = [openReader(early), openReader(whole)]
      const atMs = Date.parse(findUtc(stamp))
      expect(await allPages(other, atMs)).toEqual(await allPages(one, atMs))
      await Promise.all([one.reader.close(), other.reader.close()])
    }),
    { numRuns: runs(6, 3) },
  )
})

test('pages of any size have each item once, and the export is all of them', async () => {
  const folder = newFolder()
  const named = manyEvents(7)
  await importText(folder, 'gdelt-events', eventsText(named))
  const scheduler = openReader(folder)
  const atMs = Date.parse('2026-10-20T00:00:00Z')
  const whole = await allPages(scheduler, atMs)
  expect(whole.length).toBeGreaterThan(20)
  expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length)
  for (const limit of [1, 2, 7, whole.length - 1, whole.length]) {
    expect(await allPages(scheduler, atMs, limit), `${limit}`).toEqual(whole)
  }
  const days = whole.map(({ date }) => date)
  expect(days).toEqual(days.toSorted().reverse())
  const [head, ...lines] = (await readItemsCsv(scheduler, RANGE, atMs)).trimEnd().split('\n')
  const names = head!.split(',') as (keyof WireItem)[]
  expect(names).toEqual(Object.keys(whole[0]!))
  // none of these cells has a comma
  expect(lines.map(line => line.split(','))).toEqual(
    whole.map(item => names.map(name => String(item[name] ?? ''))),
  )
})

test('an import again, or in another order of files, returns the same bytes', async () => {
  const named = manyEvents(3)
  const parts = [named.slice(0, 60), named.slice(60, 121), named.slice(121)]
  const texts: string[] = []
  for (const order of [parts, parts.toReversed(), [...parts, ...parts]]) {
    const folder = newFolder()
    for (const part of order) await importText(folder, 'gdelt-events', eventsText(part))
    const scheduler = openReader(folder)
    texts.push(await readItemsCsv(scheduler, RANGE, Date.parse('2026-10-20T00:00:00Z')))
  }
  expect(new Set(texts).size).toBe(1)
})

test('the free days begin 30 days before the UTC day of now', () => {
  expect(oldestFreeDay(Date.parse('2026-10-31T23:59:59Z'))).toBe('2026-10-01')
  expect(oldestFreeDay(Date.parse('2026-11-01T00:00:00Z'))).toBe('2026-10-02')
  expect(utcText(Date.parse('2026-10-14T12:30:00.999Z'))).toBe('2026-10-14T12:30:00Z')
})
