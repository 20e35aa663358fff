import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'

type Case = { readonly before: string; readonly after: string }

/** The last session before the clocks change and the first one after it. */
const CHANGES: readonly Case[] = [
  { before: '2026-03-06', after: '2026-03-09' },
  { before: '2026-10-30', after: '2026-11-02' },
]
const HOUR_MS = 3_600_000

let opened: { history: TestHistory; api: TestApi; id: string }[] = []

beforeAll(async () => {
  for (const { before, after } of CHANGES) {
    const history = await simulateSessions(after, 2)
    const api = await startTestApi({ dataFolder: history.dataFolder })
    api.clock.atMs = Date.parse(`${after}T00:00:00Z`) + 30 * HOUR_MS
    const position = {
      kind: 'strangle',
      legs: { sp: 5900, sc: 6100 },
      entry: '10:30',
      session: before,
      conditions: [
        { id: 'time_left', on: true, threshold: 331 },
        { id: 'move_used', on: true, threshold: 2 },
      ],
      label: { caution: 1, skip: 2 },
    }
    const body = JSON.stringify({ op: 'add', position })
    const { status, json } = await api.call('/api/positions', { method: 'POST', body })
    expect(status, JSON.stringify(json)).toBe(200)
    opened.push({ history, api, id: json.id })
  }
})

afterAll(async () => {
  for (const { api, history } of opened) {
    await api.close()
    history.remove()
  }
  opened = []
})

test.each(CHANGES.map((change, index) => ({ ...change, index })))(
  'a minute is the same ET minute on $before and $after',
  async ({ before, after, index }) => {
    const { api, id } = opened[index]!
    for (const [t, minutes] of [
      ['09:31', 389],
      ['10:30', 330],
      ['15:59', 1],
    ] as const) {
      for (const day of [before, after]) {
        const { json } = await api.call(`/api/positions/check?day=${day}&t=${t}`)
        expect(json).toMatchObject({ day, t })
        const { conditions } = json.checks[0]
        const left = conditions.find((one: { id: string }) => one.id === 'time_left')
        expect([day, t, left.value, left.state]).toEqual([
          day,
          t,
          minutes,
          minutes < 331 ? 'on' : 'off',
        ])
      }
    }
    const track = await api.call(`/api/positions/track?id=${id}&day=${after}&t=10:40`)
    expect(track.json).toMatchObject({ from: '09:41', t: '10:40' })
    expect(track.json.points).toHaveLength(60)
    const entries = await api.call(`/api/positions/entries?id=${id}&replay=2`)
    expect(entries.json.entries.map((one: { day: string }) => one.day).sort()).toEqual([
      before,
      after,
    ])
  },
)
