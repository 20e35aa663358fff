// The command as an assistant starts it: a process, spoken to on its standard input and output.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'
import { DAY, type Json, refusal, reported } from '../support/mcp.ts'
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
  'on stdio (%s) the walk has the same responses',
  async mode => {
    const client = await start(['--account', account], mode)
    expect((await client.listTools()).tools).toHaveLength(8)
    const condors = await reported(client, 'orders_find', {
      day: DAY,
      kind: 'iron_condor',
      sort: 'premium',
      limit: 3,
    })
    const { out } = await tapefold(['orders', DAY, '--data', built.dataFolder])
    const wanted = JSON.parse(out)
      .orders.filter((order: Json) => order.kind === 'iron_condor')
      .toSorted((one: Json, other: Json) => (other.net ?? -1) - (one.net ?? -1))
    expect(condors.orders.map(({ oid }: Json) => oid)).toEqual(
      wanted.slice(0, 3).map(({ oid }: Json) => oid),
    )
    const check = await reported(client, 'positions_check', { day: DAY, t: '10:37' })
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
  expect((await reported(client, 'lab_state')).summary).toBe(
    'The account has 0 ideas and 0 credits.',
  )
  expect(await refusal(client, 'lab_chat', { message: 'sell the straddle' })).toContain(
    'no credits',
  )
  await client.close()
})

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
const hello = (protocolVersion: string) =>
  line({
    id: 0,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  })

/** How a server ends whose whole input is a text. */
const findHeard = async (input: string, args: readonly string[] = []) => {
  const command = [CLI, 'mcp', 'orders', '--data', built.dataFolder, ...args]
  const child = spawn(process.execPath, command, { env: { PATH: process.env.PATH!, TZ: 'UTC' } })
  child.stdin.end(input)
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  const code = child.exitCode ?? (await once(child, 'exit'))[0]
  const responses = out.split('\n').filter(one => one !== '')
  return { code, error, responses: responses.map(one => JSON.parse(one) as Json) }
}

test.each([
  ['orders_sessions', {}],
  ['orders_summary', { day: DAY }],
  ['orders_find', { day: DAY }],
  ['orders_levels', { day: DAY }],
  ['positions_check', { day: DAY, t: '10:37' }],
])(
  'an input that ends in a call of %s gets its response, and the process ends',
  async (name, given) => {
    const call = { id: 3, method: 'tools/call', params: { name, arguments: given } }
    // the last line has no end
    const input = hello('2025-11-25') + line(call).trimEnd()
    const { code, error, responses } = await findHeard(input, ['--account', account])
    expect([code, error, responses.map(({ id }) => id)]).toEqual([0, '', [0, 3]])
    expect(responses[1].result.structuredContent.summary).toEqual(expect.any(String))
  },
)

test('lines that are no message are refused by name, and the next one is served', async () => {
  const nested = '['.repeat(5_000) + ']'.repeat(5_000)
  const params = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
  const long = `"${'x'.repeat(1_100_000)}"`
  const bad = ['{', nested, `{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`, long]
  const others = ['7', '{"id":1}', '[]', '']
  const ping = line({ id: 9, method: 'ping' })
  const input = [...bad, ...others].map(one => `${one}\n`).join('') + hello('2025-11-25') + ping
  const { code, responses } = await findHeard(input)
  expect([code, ...responses.map(({ id, error }) => error?.code ?? id)]).toEqual([
    0, -32700, -32700, -32700, -32600, -32600, -32600, -32600, 0, 9,
  ])
  expect(responses[1].error.message).toBe(
    'the line is nested over 64 levels deep; send one JSON-RPC message a line, such as tools/list.',
  )
})

test.each(['2025-06-18', '2025-03-26', '2024-11-05'])(
  'on stdio %s is agreed on and spoken',
  async version => {
    const params = { name: 'orders_sessions', arguments: {} }
    const list = [
      { jsonrpc: '2.0', id: 4, method: 'ping' },
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 1, progress: 1 },
      },
      { jsonrpc: '2.0', id: 5, method: 'tools/call', params },
    ]
    const input =
      hello(version) +
      line({ id: 1, method: 'tools/list' }) +
      line({ id: 2, method: 'tools/call', params })
    const { responses } = await findHeard(`${input}${JSON.stringify(list)}\n`)
    const [agreed, listed, called, ...rest] = responses.toSorted(
      (one, other) => (one.id ?? 3) - (other.id ?? 3),
    )
    expect(agreed.result.protocolVersion).toBe(version)
    const [tool] = listed.result.tools
    const isTyped = version === '2025-06-18'
    expect(['title', 'outputSchema'].map(name => name in tool)).toEqual([isTyped, isTyped])
    expect('structuredContent' in called.result).toBe(isTyped)
    const reported = rest.flat().map(({ id, error }: Json) => error?.code ?? id)
    expect(reported).toEqual(version === '2025-03-26' ? [4, 5] : [-32600])
  },
)
