import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  HANDOFFS,
  handOver,
  type StepPoint,
  type Workspaces,
} from '../../../pipelines/live/handoffs.ts'

const ROWS = Object.entries(HANDOFFS).flatMap(([point, rows]) =>
  rows.map(([from, how, to]) => ({
    point,
    from: from as string,
    how: how as string,
    to: to as string,
  })),
)
const findTable = (index: string) => index.split(':')[1]!

test('every point is one of a step, and all of them are', () => {
  const code = globSync('pipelines/live/*.ts')
    .filter(file => !file.endsWith('handoffs.ts'))
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
  expect(Object.keys(HANDOFFS).filter(point => !code.includes(`'${point}'`))).toEqual([])
})

test('what is handed over is made by a model, of the tape, or handed over before', () => {
  // made by the engine itself, and by the reader of the tape
  const given = ['main:live.none', 'main:live.state_quotes', 'main:live.state_spots']
  const known = new Set(given)
  const unknown: string[] = []
  for (const { from, to } of ROWS) {
    const table = findTable(from)
    const isMade = existsSync(`sql/${table.replace('.', '/')}.sql`)
    const isBrief = table === 'ledger.brief_legs'
    if (!isMade && !isBrief && !known.has(from)) unknown.push(from)
    known.add(to)
  }
  expect(unknown).toEqual([])
})

test('a view is the only thing of its name: nothing is added to it or recreated', () => {
  const views = ROWS.filter(({ how }) => how === 'view').map(({ to }) => to)
  expect(new Set(views).size).toBe(views.length)
  expect(ROWS.filter(({ how, to }) => how !== 'view' && views.includes(to))).toEqual([])
})

/** Workspaces that record what is requested of them. */
function spacesThatNote(): { readonly spaces: Workspaces; readonly notes: string[] } {
  const notes: string[] = []
  const names = ['main', 'cancelling', 'judging', 'folding', 'estimating', 'pricing', 'matching']
  const calls = ['viewFrom', 'viewTo', 'refill', 'append', 'make']
  const space = (name: string) =>
    Object.fromEntries(
      calls.map(call => [
        call,
        async (...args: string[]) => void notes.push([name, call, ...args].join(' ')),
      ]),
    )
  const spaces = Object.fromEntries(names.map(name => [name, space(name)]))
  return { spaces: spaces as unknown as Workspaces, notes }
}

test.each([
  ['booked', 'pricing viewFrom live.current_flows book.flows'],
  ['judged', 'judging viewTo fold.quote_trust live.step_trust'],
  ['silenced', 'main append tape.silent_codes from live.new_silent_prints'],
  ['keyed', 'main append live.keys select sequence, key from live.new_keys'],
  ['carriesKnown', 'pricing append surface.parity_forwards from memory.live.past_parity'],
  ['priced', 'pricing append memory.surface.forwards from surface.forwards'],
  ['lookedBack', 'pricing append surface.spots from memory.live.past_spots'],
  ['lookedBack', 'pricing refill surface.expected_moves from memory.live.new_expected_moves'],
  ['lookedBack', 'pricing make memory.live.bar_quotes from surface.quotes limit 0'],
  ['firstEstimated', 'main refill live.flows select * exclude (minute_at) from live.step_flows'],
] as const)('at the point %s: %s', async (point, note) => {
  const { spaces, notes } = spacesThatNote()
  await handOver(spaces, point as StepPoint)
  expect(notes).toContain(note)
  expect(notes).toHaveLength(HANDOFFS[point].length)
})
