import {
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { REVISIONS } from './revisions.ts'
import { callTool, failed, type Tool, type ToolDeps } from './tool.ts'

/** A server of tools: its name, and its only content, the list. */
export type ToolServer = {
  readonly name: string
  readonly title: string
  /** Introduction for an assistant, sent once before its first call. */
  readonly instructions: string
  readonly tools: readonly Tool[]
}

const VERSION = '1.0.0'
/** Time a client may cache the list: it changes only with the version of this server. */
const LIST_TTL_MS = 3_600_000

type Called = ToolDeps & {
  readonly onFault: (error: unknown) => void
  /** Reason to refuse every call, such as a used daily limit; null: none. */
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
