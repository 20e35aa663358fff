import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Catalog, openCatalog, withReplayed } from '../../src/data/published/catalog.ts'
import { completePosition } from '../../src/positions/completePosition.ts'
import { readEntries } from '../../src/positions/lookback.ts'
import { openJudge } from '../../src/positions/marketValues.ts'
import { DAMAGES, whileDamaged } from '../support/damage.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'

const DAY = '2026-10-15'
const SESSIONS = 20

let history: TestHistory
let catalog: Catalog

beforeAll(async () => {
  history = await simulateSessions(DAY, SESSIONS)
  const { dataFolder } = history
  catalog = withReplayed(openCatalog({ dataFolder, nowMs: () => 0, log: { error: () => {} } }))
})
afterAll(() => history.remove())

const POSITION = completePosition('p_1', {
  kind: 'strangle',
  legs: { sp: 5900, sc: 6100 },
  entry: '11:00',
  session: DAY,
})

/** Responses of a process that was just started, the first time and the second. */
async function replayTwice() {
  const judge = openJudge(history.dataFolder)
  const nowMs = () => Date.parse('2026-10-16T04:00:00Z')
  try {
    const deps = { catalog, judge, nowMs }
    const { entries } = await readEntries(POSITION, SESSIONS, deps)
    return { entries, again: (await readEntries(POSITION, SESSIONS, deps)).entries }
  } finally {
    await judge.close()
  }
}

const datasetPath = (day: string, dataset: string) =>
  join(history.dataFolder, 'published', catalog.find(day)!.manifest.datasets[dataset]!.file)

test('sessions that are read together say the same bytes in every process', async () => {
  const first = await replayTwice()
  expect(first.entries.map(({ label }) => label)).not.toContain(null)
  expect(JSON.stringify(await replayTwice())).toBe(JSON.stringify(first))
  expect(JSON.stringify(first.again)).toBe(JSON.stringify(first.entries))
})

test.each(DAMAGES)(
  'each session with %s is named, and the others are judged',
  async (_, damage) => {
    const whole = (await replayTwice()).entries
    const days = whole.map(({ day }) => day)
    // next to each other, at the ends of what is read at once, and of either dataset
    const damaged = [0, 1, 2, 7, 8, 15].map(index => days[index]!)
    const harm = (left: readonly string[]): Promise<void> => {
      const [day, ...others] = left
      if (day === undefined) return judged()
      const dataset = left.length % 2 === 0 ? 'market_minutes' : 'large_orders'
      return whileDamaged(datasetPath(day, dataset), damage, () => harm(others))
    }
    const judged = async () => {
      const { entries, again } = await replayTwice()
      expect(again).toEqual(entries)
      for (const [index, entry] of entries.entries()) {
        if (!damaged.includes(entry.day)) expect(entry).toEqual(whole[index])
        else expect(entry.error).toBe(`a file of ${entry.day} is damaged.`)
      }
    }
    await harm(damaged)
    expect((await replayTwice()).entries).toEqual(whole)
  },
)

test('a client that hung up gets nothing, and the next one is served as ever', async () => {
  const judge = openJudge(history.dataFolder)
  const nowMs = () => Date.parse('2026-10-16T04:00:00Z')
  const hangUp = new AbortController()
  const requester = { account: 'a', signal: hangUp.signal }
  const left = readEntries(POSITION, SESSIONS, { catalog, judge, nowMs, requester })
  hangUp.abort(new Error('hung up'))
  await expect(left).rejects.toThrow('hung up')
  const { entries } = await readEntries(POSITION, SESSIONS, { catalog, judge, nowMs })
  expect(entries).toEqual((await replayTwice()).entries)
  await judge.close()
})
