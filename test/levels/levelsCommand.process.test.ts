// `tapefold levels`: the values of the levels API, and its refusals in one sentence.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { perform } from '../../src/cli/perform.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { publishLevels } from '../support/levels.ts'
import { findText } from '../support/openapi.ts'

const DAY = '2026-10-14'
const HALF_DAY = '2025-11-28'

let api: TestApi
let key: string
beforeAll(async () => {
  api = await startTestApi()
  await publishLevels(api.dataFolder, { day: DAY })
  await publishLevels(api.dataFolder, { day: HALF_DAY, has: [] })
  api.clock.atMs = Date.parse('2026-10-16T12:00:00Z')
  key = (await api.newKey('live', 'live')).key
})
afterAll(() => api.close())

async function printed(...args: string[]): Promise<string> {
  let text = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(piece => {
    text += piece
    return true
  })
  await perform(['levels', '--data', api.dataFolder, ...args]).finally(() => write.mockRestore())
  return text
}

test.each(['measured', 'vol', 'oi'])(
  'the minutes of the %s book are those of the API',
  async book => {
    const chosen = book === 'measured' ? '' : `&book=${book}`
    const path = `/api/v1/history?sym=SPX&day=${DAY}${chosen}`
    const args = book === 'measured' ? [DAY] : [DAY, '--book', book]
    const csv = findText(await api.call(path, { key, headers: { accept: 'text/csv' } }))
    expect(await printed(...args, '--format', 'csv')).toBe(csv.replaceAll('\r\n', '\n'))
    const { json } = await api.call(path, { key })
    const rows: Record<string, unknown>[] = JSON.parse(await printed(...args, '--format', 'json'))
    expect(rows).toHaveLength(389)
    expect(rows.map(row => row.flip)).toEqual(json.flip)
    expect(rows.map(row => row.reason)).toEqual(json.reason)
  },
)

test('one minute is one row, and a table says how many rows it has', async () => {
  const [row, ...others] = JSON.parse(await printed(DAY, '--time', '11:14', '--format', 'json'))
  expect(others).toEqual([])
  const at = `/api/v1/levels?sym=SPX&day=${DAY}&time=11:14`
  const [reported] = (await api.call(at, { key })).json.symbols
  const { minute, ...levels } = row
  expect([minute, reported]).toMatchObject(['11:14', levels])
  expect(await printed(DAY, '--time', '11:14')).toMatch(/^minute +spot +flip [\s\S]*\n\(1 row\)\n$/)
  expect(await printed(HALF_DAY)).toMatch(/\n12:59 [\s\S]*\(209 rows\)\n$/)
})

test.each([
  [['2026-10-17'], '2026-10-17 is not a trading day; give one such as 2026-10-15.'],
  [[DAY, '--time', '9:31'], 'time is "9:31"; give an ET minute from 09:31 to 15:59'],
  [[HALF_DAY, '--time', '13:00'], 'time is "13:00"; give an ET minute from 09:31 to 12:59'],
  [[DAY, '--book', 'measured'], 'book is "measured"; give vol or oi, or leave it out'],
  [['2026-10-13'], '2026-10-13 is not published.'],
])('%j is refused in one sentence', async (args, sentence) => {
  await expect(printed(...args)).rejects.toThrow(sentence)
})
