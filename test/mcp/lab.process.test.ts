// The SDK's client takes an idea from plain words to its variants, and hears what the API says.

import type { Client } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LabAccount, type LabApi, startLabApi } from '../support/labApi.ts'
import { findClient, type Json, refusal, reported } from '../support/mcp.ts'
import { fuzzTools, listTokens } from '../support/mcpFuzz.ts'
import { runs } from '../support/runs.ts'

const IDEA =
  'At 10:00 sell the 10-wide put spread 10 points below spot, if net gamma is above $400M.'

let lab: LabApi
let account: LabAccount
beforeAll(async () => {
  lab = await startLabApi()
  account = await lab.newAccount()
})
afterAll(() => lab.api.close())

const connect = (revision: '2026-07-28' | '2025-11-25' = '2026-07-28'): Promise<Client> =>
  findClient({ url: lab.api.url, key: account.key }, revision, '/mcp')

test.each(['2026-07-28', '2025-11-25'] as const)(
  'on %s an idea is stated, tested, optimized, read and dropped',
  async revision => {
    const client = await connect(revision)
    const { tools } = (await client.listTools()) as Json
    expect(tools.map(({ name }: Json) => name)).toEqual([
      'lab_vocabulary',
      'lab_state',
      'lab_chat',
      'lab_thread',
      'lab_run',
      'lab_result',
      'lab_idea',
    ])
    expect(listTokens(JSON.stringify(tools))).toBeLessThanOrEqual(6_000)
    expect((await reported(client, 'lab_vocabulary')).summary).toContain('plain English')
    const requested = await reported(client, 'lab_chat', { message: 'sell a put spread at ten' })
    expect([requested.kind, requested.missing.length]).toEqual(['chat', 2])
    const { id } = requested
    const text = await reported(client, 'lab_chat', { message: IDEA, id })
    expect([text.kind, text.id]).toEqual(['spec', id])
    const thread = await reported(client, 'lab_thread', { id })
    expect(thread.messages.map(({ text }: Json) => text)).toContain(IDEA)
    const tested = await reported(client, 'lab_run', { id, kind: 'backtest' })
    const { json } = await account.get(`/api/lab/result?id=${id}&kind=backtest`)
    expect([tested.state, tested.job, tested.says]).toEqual(['done', json.job, json.says])
    expect(tested.summary).toContain(json.legs[0].verdict.sentence)
    await reported(client, 'lab_run', { id, kind: 'quant' })
    const rows = []
    let cursor: string | null = null
    do {
      const page: Json = await reported(client, 'lab_result', { id, ...(cursor ? { cursor } : {}) })
      rows.push(...page.variants)
      cursor = page.next_cursor
    } while (cursor !== null)
    const quant = (await account.get(`/api/lab/result?id=${id}&kind=quant`)).json
    expect(rows).toEqual(quant.optimize.variants)
    const state = await reported(client, 'lab_state')
    expect(state.ideas).toContainEqual(expect.objectContaining({ id, stage: 'ready' }))
    expect((await reported(client, 'lab_idea', { id, action: 'desk' })).stage).toBe('desk')
    expect((await reported(client, 'lab_idea', { id, action: 'delete' })).stage).toBeNull()
    await client.close()
  },
)

test.each([
  ['lab_run', { id: 'i_0', kind: 'backtest' }, 'there is no idea "i_0" on this account'],
  ['lab_run', { id: 'i_0', kind: 'forward' }, 'kind is "forward"; give backtest or quant, such as'],
  ['lab_result', { id: 'x' }, 'id is "x"; give an id of lab_state, such as i_4fQ8sK2mZx0T.'],
  [
    'lab_idea',
    { id: 'i_0', action: 'fly' },
    'action is "fly"; give desk, drop, delete, open or set',
  ],
  ['lab_chat', {}, 'message is missing; give an idea, an answer or a change, such as'],
])('%s %j is refused in words', async (name, given, sentence) => {
  const client = await connect()
  expect(await refusal(client, name, given)).toContain(sentence)
  await client.close()
})

test('a step out of its order, and an idea that is not tested, are refused', async () => {
  const client = await connect()
  const id = await account.idea()
  expect(await refusal(client, 'lab_run', { id, kind: 'quant' })).toContain('rule')
  expect(await refusal(client, 'lab_result', { id })).toContain('was not tested yet')
  await client.close()
})

const CALLS = runs(300, 60)

test(`${CALLS} calls with arguments of any kind keep their schema and their size`, async () => {
  const client = await connect()
  const id = await account.idea()
  const message = fc.constantFrom(IDEA, 'ten', 'sell a put spread', '', 'é'.repeat(3_000), 'VIX')
  const more = {
    message,
    id: fc.constantFrom(id, id, 'i_0', 'x'),
    on: fc.boolean(),
    kind: fc.constantFrom('backtest', 'x'),
    action: fc.constantFrom('drop', 'set', 'desk', 'x'),
  }
  const { responded, refused } = await fuzzTools(client, { calls: CALLS, seed: 35, more })
  expect(Math.min(responded, refused)).toBeGreaterThan(CALLS / 6)
  await client.close()
})
