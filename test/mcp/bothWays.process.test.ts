// Every tool with every argument, over HTTP and on standard input and output: the same responses.

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { LAB_SERVER } from '../../src/mcp/labServer.ts'
import { ORDERS_SERVER } from '../../src/mcp/ordersServer.ts'
import { type ClientServer, startClientServer } from '../support/clientServer.ts'
import { DAY, findClient, type Json, reported } from '../support/mcp.ts'
import { CLI } from '../support/tapefold.ts'

type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>]

let server: ClientServer
beforeAll(async () => {
  server = await startClientServer()
  // the command has the clock of the machine
  server.api.clock.atMs = systemClock.nowMs()
})
afterAll(() => server.close())

async function startCommand(name: 'orders' | 'lab', account: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const data = server.environment.TAPEFOLD_DATA_FOLDER!
  const args = [CLI, 'mcp', name, '--account', account, '--data', data]
  const env = { PATH: process.env.PATH!, TZ: 'UTC' }
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  return client
}

/** Arguments of a list of tools, and each value of those that have a list of them. */
const listArguments = (tools: readonly { name: string; inputSchema: object }[]): string[] =>
  tools.flatMap(({ name, inputSchema }) =>
    Object.entries((inputSchema as Json).properties).flatMap(([argument, schema]: [string, Json]) =>
      (schema.enum ?? ['']).map((value: string) => `${name} ${argument} ${value}`),
    ),
  )

/** The arguments that some calls give. */
const listGiven = (tools: Parameters<typeof listArguments>[0], calls: readonly Call[]): string[] =>
  listArguments(tools).filter(wanted =>
    calls.some(([name, given]) =>
      Object.entries(given).some(([argument, value]) =>
        [`${name} ${argument} ${value}`, `${name} ${argument} `].includes(wanted),
      ),
    ),
  )

test('8 tools of orders respond alike on both ways to each of their 42 arguments and values', async () => {
  const { api } = server
  const position = { kind: 'strangle', legs: { sp: 5900, sc: 6100 }, entry: '10:30' }
  const body = JSON.stringify({ op: 'add', position })
  const { id } = (await api.call('/api/positions', { method: 'POST', body })).json
  const client = await findClient(api)
  const command = await startCommand('orders', api.accountId)
  const { orders, next_cursor: cursor } = await reported(client, 'orders_find', { limit: 1 })
  const values: Readonly<Record<string, readonly unknown[]>> = {
    from: [DAY],
    to: [DAY],
    day: [DAY],
    asof: ['12:00'],
    time: ['12:00'],
    t: ['12:00'],
    kind: [orders[0].kind],
    exp: [orders[0].exp],
    min_premium: [0.5],
    min_gamma: [1],
    limit: [2],
    cursor: [cursor],
    oid: [orders[0].oid],
    step: [5, 15, 30],
    id: [id],
  }
  const calls: Call[] = ORDERS_SERVER.tools.flatMap(({ name, inputSchema }) => {
    const { properties, required = [] } = inputSchema as Json
    const needed = Object.fromEntries(required.map((one: string) => [one, values[one]![0]]))
    const each = Object.entries(properties).flatMap(([argument, schema]: [string, Json]) =>
      (schema.enum ?? values[argument]).map((value: unknown): Call => {
        // a position is checked on a day that is over
        const day = argument === 'id' || argument === 't' ? { day: DAY } : {}
        return [name, { ...needed, ...day, [argument]: value }]
      }),
    )
    return [[name, needed], ...each]
  })
  // a session list of one page has no cursor
  const responding = calls.filter(([name, given]) => !(name === 'orders_sessions' && given.cursor))
  for (const [name, given] of responding) {
    const wanted = await reported(client, name, given)
    expect([name, given, await reported(command, name, given)]).toEqual([name, given, wanted])
  }
  expect(listGiven(ORDERS_SERVER.tools, calls)).toEqual(listArguments(ORDERS_SERVER.tools))
  expect(listArguments(ORDERS_SERVER.tools)).toHaveLength(42)
  const levels = await reported(command, 'orders_levels', { day: DAY, exposure: 'gamma' })
  expect(levels.cells.length).toBeGreaterThan(0)
  await client.close()
  await command.close()
})

const IDEA =
  'At 10:00 sell the 10-wide put spread 10 points below spot, if net gamma is above $400M.'

/** A walk through the tools of LAB that gives each argument and each value. */
async function walkLab(client: Client): Promise<{ calls: Call[]; responses: Json[] }> {
  const calls: Call[] = []
  const responses: Json[] = []
  const ids: string[] = []
  const call = async (name: string, given: Call[1] = {}) => {
    calls.push([name, given])
    const result = (await client.callTool({ name, arguments: { ...given } })) as Json
    const response = result.structuredContent ?? result.content[0].text
    for (const [id] of JSON.stringify(response).matchAll(/\b[ij]_[0-9A-Za-z]+/g)) {
      if (!ids.includes(id)) ids.push(id)
    }
    const named = ids.reduce(
      (text, id, at) => text.replaceAll(id, `id ${at}`),
      JSON.stringify(response),
    )
    responses.push(named.replaceAll(/"(at|next_cursor)":"[^"]+"/g, '"$1":""'))
    return response
  }
  await call('lab_vocabulary')
  const { id } = await call('lab_chat', { message: IDEA })
  await call('lab_chat', { message: 'At 11:00 instead', id, accept: false })
  await call('lab_chat', { id, accept: true })
  const { id: other } = await call('lab_chat', { message: 'At 10:00 sell the straddle.' })
  await call('lab_run', { id: other, kind: 'backtest' })
  await call('lab_run', { id, kind: 'backtest', drop: other })
  await call('lab_run', { id, kind: 'quant' })
  await call('lab_thread', { id })
  await call('lab_thread', { id, cursor: 'x' })
  await call('lab_result', { id })
  await call('lab_result', { id, cursor: 'x' })
  await call('lab_idea', { id, action: 'desk' })
  for (const draw of ['off', 'levels', 'trades']) {
    await call('lab_idea', { id, action: 'set', on: true, draw })
  }
  for (const alert of ['off', 'telegram', 'email', 'webhook']) {
    await call('lab_idea', { id, action: 'set', on: false, alert })
  }
  for (const action of ['open', 'drop', 'delete']) await call('lab_idea', { id, action })
  await call('lab_state')
  return { calls, responses }
}

test('7 tools of LAB respond alike on both ways to a walk through each of their arguments', async () => {
  const { api } = server
  const one = await api.newKey('lab', 'lab')
  const other = await api.newKey('lab', 'lab')
  const client = await findClient({ url: api.url, key: one.key }, '2026-07-28', '/mcp')
  const command = await startCommand('lab', other.accountId)
  const [served, own] = [await walkLab(client), await walkLab(command)]
  expect(own.responses).toEqual(served.responses)
  expect(listGiven(LAB_SERVER.tools, served.calls)).toEqual(listArguments(LAB_SERVER.tools))
  await client.close()
  await command.close()
})
