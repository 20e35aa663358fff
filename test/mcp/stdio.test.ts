// The command as an assistant starts it: a process, spoken to on its standard input and output.

import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccountStore } from '../../src/accounts/store.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'
import { DAY, type Json, refusal, told } from '../support/mcp.ts'
import { CLI, tapefold } from '../support/tapefold.ts'

let built: BuiltSession
let account: string
beforeAll(async () => {
  built = await buildSmallSession(DAY)
  const accounts = await openAccountStore(join(built.dataFolder, 'accounts.sqlite'))
  const added = await accounts.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 0 })
  account = added.id
  await accounts.close()
})
afterAll(() => built.remove())

const start = async (args: readonly string[], mode: 'auto' | 'legacy', name = 'orders') => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const line = [CLI, 'mcp', name, '--data', built.dataFolder, ...args]
  const env = { PATH: process.env.PATH!, TZ: 'UTC' }
  const transport = new StdioClientTransport({ command: process.execPath, args: line, env })
  await client.connect(transport)
  return client
}

test.each(['auto', 'legacy'] as const)(
  'on stdio (%s) the walk has the same answers',
  async mode => {
    const client = await start(['--account', account], mode)
    expect((await client.listTools()).tools).toHaveLength(8)
    const condors = await told(client, 'orders_find', {
      ...{ day: DAY, kind: 'iron_condor', sort: 'premium', limit: 3 },
    })
    const { out } = await tapefold(['orders', DAY, '--data', built.dataFolder])
    const wanted = JSON.parse(out)
      .orders.filter((order: Json) => order.kind === 'iron_condor')
      .toSorted((one: Json, other: Json) => (other.net ?? -1) - (one.net ?? -1))
    expect(condors.orders.map(({ oid }: Json) => oid)).toEqual(
      wanted.slice(0, 3).map(({ oid }: Json) => oid),
    )
    const check = await told(client, 'positions_check', { day: DAY, t: '10:37' })
    expect(check).toMatchObject({ day: DAY, t: '10:37', total: 0 })
    await client.close()
  },
)

test('without an account positions are refused in words, and so is another server', async () => {
  const client = await start([], 'auto')
  expect(await refusal(client, 'positions_list')).toContain('start the command with one')
  await client.close()
  const data = ['--data', built.dataFolder]
  const other = await tapefold(['mcp', 'geo', ...data])
  expect([other.code, other.error]).toEqual([2, expect.stringContaining('mcp orders')])
  const unknown = await tapefold(['mcp', 'orders', '--account', 'acct_0', ...data])
  expect([unknown.code, unknown.error]).toEqual([1, expect.stringContaining('no account acct_0')])
})

test('on stdio the tools of LAB say why an account without credits keeps no idea', async () => {
  const client = await start(['--account', account], 'auto', 'lab')
  expect((await client.listTools()).tools).toHaveLength(7)
  expect((await told(client, 'lab_state')).summary).toBe('The account has 0 ideas and 0 credits.')
  expect(await refusal(client, 'lab_chat', { message: 'sell the straddle' })).toContain(
    'no credits',
  )
  await client.close()
})
