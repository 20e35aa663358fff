// `tapefold orders`: the same bytes as the Orders API, and its refusals in one sentence.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { perform } from '../../src/cli/perform.ts'
import { ledgerTable } from '../../src/orders/ledgerTable.ts'
import type { WireLedger, WireOrder } from '../../src/orders/schema.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../support/published.ts'

const DAY = '2026-10-15'
const WHOLE = '2026-10-14'
let history: TestHistory
let api: TestApi
let published: TestApi
beforeAll(async () => {
  history = await simulateSessions(DAY, 1)
  api = await startTestApi({ dataFolder: history.dataFolder })
  api.clock.atMs = Date.parse('2026-10-16T12:00:00Z')
  published = await startTestApi()
  await publishLedger(published.dataFolder, ledgerInput(VARIED_ORDERS))
})
afterAll(() => Promise.all([api.close(), published.close()]))

async function printed(dataFolder: string, ...args: string[]): Promise<Buffer> {
  const out = join(dataFolder, 'ledger.out')
  await perform(['orders', '--data', dataFolder, '--out', out, ...args])
  return readFileSync(out)
}

const responded = async (server: TestApi, path: string, accept: string): Promise<Buffer> =>
  (await server.call(path, { headers: { accept, 'accept-encoding': 'identity' } })).body

test.each([
  ['json', 'application/json'],
  ['csv', 'text/csv'],
  ['parquet', 'application/vnd.apache.parquet'],
  ['arrow', 'application/vnd.apache.arrow.stream'],
])('a ledger as %s has the bytes of the API, whole and as of a minute', async (format, type) => {
  const { dataFolder } = published
  const whole = await printed(dataFolder, WHOLE, '--format', format)
  expect(whole).toEqual(await responded(published, `/orders/api/day?day=${WHOLE}`, type))
  expect(whole).toEqual(await printed(dataFolder, '--format', format))
  const then = await printed(history.dataFolder, DAY, '--asof', '10:37', '--format', format)
  expect(then).toEqual(await responded(api, `/orders/api/day?day=${DAY}&asof=10:37`, type))
})

test('a table has the largest orders, by the names of the API', async () => {
  const { dataFolder } = published
  const ledger = JSON.parse((await printed(dataFolder, WHOLE)).toString())
  const { orders } = ledger
  const [head, ...rows] = (await printed(dataFolder, '--format', 'table')).toString().split('\n')
  expect(head!.split(/ {2,}/)).toEqual([
    'time',
    'kind',
    'legs',
    'exp',
    'size',
    'customer',
    'net $M',
    'gamma $M/pt',
    'flip',
    'side',
    'confidence',
  ])
  const byConvention =
    '* from the convention flip (calls +, puts −): no flip was known at that minute.'
  expect(rows.slice(orders.length)).toEqual([
    `(${orders.length} of ${orders.length} orders)`,
    byConvention,
    '',
  ])
  for (const [index, { t, kind, legs, exp, lg }] of orders.entries()) {
    const did = ['sold', '?', 'bought'][lg[0][2] + 1]!
    const reported = [t, kind, legs, exp, did]
    const cells = rows[index]!.split(/ {2,}/)
    expect(cells).toEqual(expect.arrayContaining(reported.filter(text => text)))
  }
  const top = (await printed(dataFolder, '--format', 'table', '--top', '1')).toString()
  expect(top.split('\n').slice(1)).toEqual([
    expect.stringMatching(`^${orders[0].t} +${orders[0].kind} `),
    `(1 of ${orders.length} orders)`,
    '',
  ])
  const simulated = ledgerTable({ ...ledger, simulated: true }, 1)
  expect(simulated).toBe(
    `${top}SIMULATED: customers, prices and dealers of this session are invented.\n`,
  )
  const none = await printed(history.dataFolder, '2026-10-17', '--format', 'table')
  expect(none.toString()).toBe('2026-10-17 is not a trading day: it has no ledger.\n')
})

test('where no flip is known the table has the distance to that of the convention', async () => {
  const text = (await printed(published.dataFolder, WHOLE)).toString()
  const [order] = (JSON.parse(text) as WireLedger).orders
  const known: WireOrder = { ...order!, flip: 12.25, side: 'over' }
  const convention = { flip_convention: 59.55, side_convention: 'under' } as const
  const unknown: WireOrder = { ...order!, flip: null, side: null, ...convention }
  const table = (...orders: WireOrder[]) => ledgerTable({ orders } as WireLedger, 15).split('\n')
  expect(table(known, unknown).slice(1, -1)).toEqual([
    expect.stringMatching(/ 12\.3 +over /),
    expect.stringMatching(/ 59\.5\* +under /),
    '(2 of 2 orders)',
    '* from the convention flip (calls +, puts −): no flip was known at that minute.',
  ])
  expect(table(known).join('')).not.toContain('*')
})

test('a day without a ledger says why', async () => {
  const text = (await printed(history.dataFolder, '2026-10-17')).toString()
  expect(JSON.parse(text)).toMatchObject({ orders: [], note: /not a trading day/ })
})

test.each([
  [['2026-13-15'], '2026-13-15 is not a date; give one such as 2026-10-15'],
  [[DAY, '--asof', '8:00'], 'asof is "8:00"; give an ET minute from 09:30 to 16:15'],
  [['--top', '5'], '--top is for the table: add --format table.'],
])('%j is refused in one sentence', async (args, sentence) => {
  await expect(printed(history.dataFolder, ...args)).rejects.toThrow(sentence)
})
