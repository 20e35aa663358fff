import type { JSONRPCMessage } from '@modelcontextprotocol/server'

/** Supported revisions of the protocol, and the parts that older ones lack. */

/** The newest first. */
export const REVISIONS = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
] as const

export type Revision = (typeof REVISIONS)[number]

/** Revision of a call over HTTP that names none: the header was introduced by the next one. */
export const UNNAMED_REVISION: Revision = '2025-03-26'

/** The only revision with lists of messages. */
const BATCH_REVISION: Revision = '2025-03-26'
/** Maximum number of messages in a list. */
const BATCH_MAX = 32

/** Reason to refuse a list of messages; null when it is allowed. */
export function batchRefusal(list: readonly unknown[], revision: Revision): string | null {
  if (revision !== BATCH_REVISION) return 'a list came; send one JSON-RPC message at a time.'
  if (list.length === 0) return 'the list of messages is empty; send one, such as tools/list.'
  if (list.length <= BATCH_MAX) return null
  return `the list has ${list.length} messages; send at most ${BATCH_MAX} at a time.`
}

export const isRevision = (text: string): text is Revision =>
  REVISIONS.some(known => known === text)

/** Revision agreed by a message to the client; null: it is not a handshake response. */
export function agreedRevision(message: JSONRPCMessage): Revision | null {
  if (!('result' in message)) return null
  const { protocolVersion } = message.result
  return typeof protocolVersion === 'string' && isRevision(protocolVersion) ? protocolVersion : null
}

/** Known revision that an `initialize` request names; null for other messages and revisions. */
export function requestedRevision(message: JSONRPCMessage): Revision | null {
  if (!('method' in message) || message.method !== 'initialize') return null
  const named = message.params?.protocolVersion
  return typeof named === 'string' && isRevision(named) ? named : null
}

type Named = { readonly title?: string }
type Listed = Named & {
  readonly annotations?: object
  readonly outputSchema?: object
}
type StatedRevision = {
  readonly serverInfo?: Named
  readonly tools?: readonly Listed[]
  readonly structuredContent?: object
}

/**
 * Removes from a message to the client the parts its revision lacks: titles, schemas of results and
 * typed results came with 2025-06-18, annotations with 2025-03-26. A result is also sent as text.
 */
export function inRevision(message: JSONRPCMessage, revision: Revision): JSONRPCMessage {
  if (!('result' in message) || revision >= '2025-06-18') return message
  const { structuredContent: _, serverInfo, tools, ...result } = message.result as StatedRevision
  return {
    ...message,
    result: {
      ...result,
      ...(serverInfo && { serverInfo: untitled(serverInfo) }),
      ...(tools && { tools: tools.map(tool => listedIn(tool, revision)) }),
    },
  }
}

const untitled = ({ title: _, ...named }: Named): object => named

function listedIn({ title, outputSchema: _, annotations, ...tool }: Listed, revision: Revision) {
  return revision >= '2025-03-26' ? { ...tool, annotations: { title, ...annotations } } : tool
}
