// Clients of an MCP server: the SDK's own over HTTP, and requests as bytes.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startTestApi, type TestApi } from './api.ts'
import { type BuiltSession, buildSmallSession } from './builtSession.ts'

export const DAY = '2026-10-15'
/** In New York noon of the day after. */
export const AFTER_MS = Date.parse('2026-10-16T16:00:00Z')
export const PATH = '/orders/mcp'

export type McpApi = { readonly api: TestApi; readonly close: () => Promise<void> }

/** A server on a small session of the day before. */
export async function startMcpApi(): Promise<McpApi> {
  const built: BuiltSession = await buildSmallSession(DAY)
  const api = await startTestApi({ dataFolder: built.dataFolder })
  api.clock.atMs = AFTER_MS
  const close = async () => {
    await api.close()
    built.remove()
  }
  return { api, close }
}

export type Revision = '2026-07-28' | '2025-11-25'

/** The SDK's client, connected. */
export async function findClient(
  api: Pick<TestApi, 'url' | 'key'>,
  revision: Revision = '2026-07-28',
  path = PATH,
): Promise<Client> {
  const mode = revision === '2026-07-28' ? { mode: { pin: revision } } : { mode: 'legacy' as const }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: mode })
  const requestInit = { headers: { authorization: `Bearer ${api.key}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${api.url}${path}`), { requestInit }),
  )
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: the result of a tool
export type Json = any

/** Result of a tool; its text equals its object. */
export async function reported(client: Client, name: string, given: object = {}): Promise<Json> {
  const result = (await client.callTool({ name, arguments: { ...given } })) as Json
  if (result.isError) throw new Error(result.content[0].text)
  const { structuredContent, content } = result
  if (content[0].text !== JSON.stringify(structuredContent)) throw new Error('two answers')
  return structuredContent
}

/** The sentence by which a tool refuses. */
export async function refusal(client: Client, name: string, given: object = {}): Promise<string> {
  const result = (await client.callTool({ name, arguments: { ...given } })) as Json
  if (!result.isError) throw new Error(`${name} answered`)
  return result.content[0].text
}

/** A message of the newer revision, with what its envelope needs. */
export const modern = (method: string, params: object = {}, version = '2026-07-28') => ({
  body: {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      },
    },
  },
  headers: {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
  },
})
