import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Row } from '../../src/core/engine/database.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { CONDITIONS } from '../../src/positions/catalogue.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { simulateSessions } from '../support/history.ts'
import {
  listNumbers,
  revealingNumbers,
  shiftedScenario,
  unexplainedNumbers,
} from '../support/shifted.ts'

// Distances only: no response may reveal the position of the index, a level or a strike. A
// number that is a distance is the same in a scenario in which all of that is higher; every
// other number is a leak.

const POINTS = 1000
/** With a half day, and with the clocks changed within the week before the first. */
const UNTIL = '2026-11-30'
const HALF_DAY = '2026-11-27'
/** Never on, so that no label depends on a ratio, which is another one in the shifted scenario. */
const QUIET = { short_delta: 0.6, gap: 5, skew: 50 } as const

/** Every kind, at the index and far from it: a strike near zero is nearly the index away. */
const positionsAt = (index: number, session: string) => {
  const near = 5 * Math.round(index / 5)
  return [
    { kind: 'condor', legs: { lp: near - 50, sp: near - 30, sc: near + 30, lc: near + 50 } },
    { kind: 'strangle', legs: { sp: near - 5, sc: near + 5 }, session },
    { kind: 'put_spread', legs: { lp: 25, sp: 30 } },
    { kind: 'put_spread', legs: { lp: near, sp: near + 40 }, entry: '12:59' },
    { kind: 'call_spread', legs: { sc: near + 5000, lc: near + 5005 }, session },
  ]
}

describe.each([
  ['informative', 5],
  ['none', 77],
] as const)('in a scenario whose labels are %s, of seed %i,', (labels, seed) => {
  const ids: string[][] = []
  const scenarios: TestApi[] = []
  const minutes = new Map<string, Row[]>()

  beforeAll(async () => {
    const { dataFolder } = await simulateSessions(UNTIL, 5, labels, seed)
    const db = await openDatabase()
    for (const day of ['2026-11-25', HALF_DAY, UNTIL]) {
      const { file } = readManifest(dataFolder, day)!.datasets.market_minutes!
      const query = 'from read_parquet($file) order by minute_et'
      minutes.set(day, await db.rows(query, { file: join(dataFolder, 'published', file) }))
    }
    db.close()
    const index = Number(minutes.get(UNTIL)!.find(row => row.minute_et === '10:30')!.spot)
    const folders = [dataFolder, await shiftedScenario(dataFolder, POINTS)]
    for (const [at, folder] of folders.entries()) {
      const api = await startTestApi({ dataFolder: folder })
      api.clock.atMs = Date.parse('2026-12-01T05:00:00Z')
      scenarios.push(api)
      ids.push(await addAll(api, index, at * POINTS))
    }
  })
  afterAll(async () => {
    for (const api of scenarios) await api.close()
  })

  async function addAll(api: TestApi, index: number, shift: number): Promise<string[]> {
    const added: string[] = []
    for (const { legs, ...position } of positionsAt(index, UNTIL)) {
      const shifted = Object.entries(legs).map(([leg, strike]) => [leg, strike + shift])
      const conditions = Object.entries(QUIET).map(([id, threshold]) => ({ id, threshold }))
      const applicable = conditions.filter(
        ({ id }) => id !== 'skew' || position.kind !== 'call_spread',
      )
      const sent = { entry: '10:30', ...position, legs: Object.fromEntries(shifted) }
      const body = JSON.stringify({ op: 'add', position: { ...sent, conditions: applicable } })
      added.push((await api.call('/api/positions', { method: 'POST', body })).json.id)
    }
    return added
  }

  /** The response of both scenarios, ids of positions by their index. */
  async function readBoth(path: string) {
    const responses = scenarios.map(async (api, scenario) => {
      const named = path.replace(/ID(\d)/, (_, at) => ids[scenario]![Number(at)]!)
      const { status, body } = await api.call(`/api/positions${named}`)
      expect(status, named).toBe(200)
      const normalized = ids[scenario]!.reduce(
        (text, id, at) => text.replaceAll(id, `ID${at}`),
        body.toString(),
      )
      return JSON.parse(normalized)
    })
    return (await Promise.all(responses)) as [ResponseJson, ResponseJson]
  }

  test.each([
    ['2026-11-25', 3],
    [HALF_DAY, 4],
    [UNTIL, 7],
  ])('no check of %s, every %i minutes, reveals where the index is', async (day, step) => {
    const minuteTexts = minutes.get(day)!.map(row => String(row.minute_et))
    const last = day === HALF_DAY ? '12:59' : '15:59'
    const judged = minuteTexts
      .filter(t => t >= '09:31' && t <= last)
      .filter((_, at) => at % step === 0)
    expect(judged.length).toBeGreaterThan(50)
    for (const t of judged) {
      const [here, there] = await readBoth(`/check?day=${day}&t=${t}`)
      expect(here.checks).toHaveLength(5)
      expect(revealingNumbers(here, there), t).toEqual([])
      expect(here.checks.flatMap(unexplainedNumbers), t).toEqual([])
      // and literally: none near the index is one of the levels of the minute
      const levels = listLevels(minutes.get(day)!.find(row => row.minute_et === t)!)
      for (const check of [here.checks[0], here.checks[1], here.checks[3]]) {
        const found = [...listNumbers(check)].filter(([, value]) => levels.has(Math.abs(value)))
        expect(found, t).toEqual([])
      }
    }
  })

  test('no track, no entry log and no list reveals it either', async () => {
    for (let at = 0; at < 5; at++) {
      for (const t of ['10:00', '12:59']) {
        const [here, there] = await readBoth(`/track?id=ID${at}&day=${HALF_DAY}&t=${t}`)
        expect(here.points.length).toBeGreaterThan(20)
        expect(revealingNumbers(here, there)).toEqual([])
      }
      const [here, there] = await readBoth(`/entries?id=ID${at}&replay=5`)
      expect(here.entries.some(({ outcome }: { outcome: unknown }) => outcome !== null)).toBe(true)
      expect(listNumbers(here).size).toBeGreaterThan(150)
      expect(revealingNumbers(here, there)).toEqual([])
    }
    const [here, there] = await readBoth('')
    // what the account sent itself stands in its list: its own strikes, as it sent them
    const legs = /^\/positions\/ID\d\/legs\//
    const revealing = revealingNumbers(here, there)
    expect(revealing.filter(line => !legs.test(line))).toEqual([])
    expect(revealing).toHaveLength(4 + 2 * 4)
    expect(here.catalogue.conditions).toHaveLength(CONDITIONS.length)
  })

  test('a level that leaked would be found, rounded, scaled or under any name', async () => {
    const [here, there] = await readBoth(`/check?day=${UNTIL}&t=11:00`)
    const row = minutes.get(UNTIL)!.find(one => one.minute_et === '11:00')!
    const leaks: [string, (level: number) => number][] = [
      ['as it is', level => level],
      ['rounded to hundreds', level => 100 * Math.round(level / 100)],
      ['in thousands', level => level / 1000],
      ['below zero', level => -level],
      ['as the mean of two', level => level + 10],
    ]
    for (const [name, leak] of leaks) {
      for (const level of ['spot', 'flip', 'call_wall', 'put_wall', 'forward'] as const) {
        if (row[level] === null) continue
        const [one, other] = [here, there].map((response, scenario) => {
          const leaked = leak(Number(row[level]) + scenario * POINTS)
          const changed = structuredClone(response)
          changed.checks[2].shorts[0].points = leaked
          return changed
        })
        expect(revealingNumbers(one, other), `${level} ${name}`).toHaveLength(1)
      }
    }
  })
})

// biome-ignore lint/suspicious/noExplicitAny: a body is what a client sees, JSON of any shape
type ResponseJson = any

function listLevels(row: Row): ReadonlySet<number> {
  const names = [
    'spot',
    'open',
    'previous_close',
    'forward',
    'flip',
    'flip_lo',
    'flip_hi',
    'call_wall',
    'put_wall',
  ]
  const levels = names.map(name => row[name]).filter(level => level !== null)
  return new Set([...levels, ...(row.smile_strikes as number[])].map(Number))
}
