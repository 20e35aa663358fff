// `tapefold orders`: the same bytes as the Orders API, and its refusals in one sentence.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOrders } from '../../../pipelines/command/orders.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { simulateSessions, type TestHistory } from '../../support/history.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../../support/published.ts'

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
  await runOrders(['--data', dataFolder, '--out', out, ...args])
  return readFileSync(out)
}

const answered = async (server: TestApi, path: string, accept: string): Promise<Buffer> =>
  (await server.call(path, { headers: { accept, 'accept-encoding': 'identity' } })).body

test.each([
  ['json', 'application/json'],
  ['csv', 'text/csv'],
  ['parquet', 'application/vnd.apache.parquet'],
  ['arrow', 'application/vnd.apache.arrow.stream'],
])('a ledger as %s has the bytes of the API, whole and as of a minute', async (format, type) => {
  const { dataFolder } = published
  const whole = await printed(dataFolder, WHOLE, '--format', format)
  expect(whole).toEqual(await answered(published, `/orders/api/day?day=${WHOLE}`, type))
  expect(whole).toEqual(await printed(dataFolder, '--format', format))
  const then = await printed(history.dataFolder, DAY, '--asof', '10:37', '--format', format)
  expect(then).toEqual(await answered(api, `/orders/api/day?day=${DAY}&asof=10:37`, type))
})

test('a day without a ledger says why', async () => {
  const text = (await printed(history.dataFolder, '2026-10-17')).toString()
  expect(JSON.parse(text)).toMatchObject({ orders: [], note: /not a trading day/ })
})

test.each([
  [['2026-13-15'], 'day is "2026-13-15"; give a date written YYYY-MM-DD'],
  [[DAY, '--asof', '8:00'], 'asof is "8:00"; give an ET minute from 09:30 to 16:15'],
  [[DAY, DAY], 'orders takes one day, such as 2026-10-15'],
])('%j is refused in one sentence', async (args, sentence) => {
  await expect(printed(history.dataFolder, ...args)).rejects.toThrow(sentence)
})
