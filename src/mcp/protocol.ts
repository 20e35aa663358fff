import {
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { REVISIONS } from './revisions.ts'
import { callTool, failed, type Tool, type ToolDeps } from './tool.ts'

/** A server of tools: its name, and the list that is all it has. */
export type ToolServer = {
  readonly name: string
  readonly title: string
  /** What an assistant is told once, before it calls anything. */
  readonly instructions: string
  readonly tools: readonly Tool[]
}

const VERSION = '1.0.0'
/** How long a client may keep the list: it changes with the version of this server alone. */
const LIST_TTL_MS = 3_600_000

type Called = ToolDeps & {
  readonly onFault: (error: unknown) => void
  /** Why no call is answered, as after the last one of a day; null: each is. */
  readonly refusal: string | null
}

/** Makes a server of the SDK for one request, or for one connection. */
export function createServer(
  { name, title, instructions, tools }: ToolServer,
  readDeps: (context: Parameters<McpServerFactory>[0]) => Called,
): McpServerFactory {
  const listed = tools.map(tool => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema as { type: 'object' },
    outputSchema: tool.outputSchema as { type: 'object' },
    annotations: tool.writes
      ? { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
      : { readOnlyHint: true, openWorldHint: false },
  }))
  return context => {
    const { refusal, ...deps } = readDeps(context)
    const server = new Server(
      { name, title, version: VERSION },
      {
        capabilities: { tools: {} },
        instructions,
        supportedProtocolVersions: [...REVISIONS],
        cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'public' } },
      },
    )
    server.setRequestHandler('tools/list', () => ({ tools: listed }))
    server.setRequestHandler('tools/call', async ({ params }) => {
      const tool = tools.find(one => one.name === params.name)
      if (!tool) {
        const names = tools.map(one => one.name).join(', ')
        const message = `there is no tool of this name; the tools are ${names}.`
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
      }
      return refusal === null ? callTool(tool, params.arguments, deps) : failed(refusal)
    })
    return server
  }
}
