import type { JSONRPCMessage } from '@modelcontextprotocol/server'

/** Revisions of the protocol: which are spoken, and what older ones do not have. */

/** The newest first. */
export const REVISIONS = [
  ...(['2026-07-28', '2025-11-25'] as const),
  ...(['2025-06-18', '2025-03-26', '2024-11-05'] as const),
] as const

export type Revision = (typeof REVISIONS)[number]

/** The revision of a call over HTTP that names none: the header came with the next one. */
export const UNNAMED_REVISION: Revision = '2025-03-26'

/** The one revision in which several messages may come as a list. */
const BATCH_REVISION: Revision = '2025-03-26'
/** Messages of one list. */
const BATCH_MAX = 32

/** The reason why a list of messages is not taken; null where it is. */
export function batchRefusal(list: readonly unknown[], revision: Revision): string | null {
  if (revision !== BATCH_REVISION) return 'a list came; send one JSON-RPC message at a time.'
  if (list.length === 0) return 'the list of messages is empty; send one, such as tools/list.'
  if (list.length <= BATCH_MAX) return null
  return `the list has ${list.length} messages; send at most ${BATCH_MAX} at a time.`
}

export const isRevision = (text: string): text is Revision =>
  REVISIONS.some(known => known === text)

/** The revision that a message to the client agrees on; null: it is no answer to a handshake. */
export function agreedRevision(message: JSONRPCMessage): Revision | null {
  if (!('result' in message)) return null
  const { protocolVersion } = message.result
  return typeof protocolVersion === 'string' && isRevision(protocolVersion) ? protocolVersion : null
}

type Named = { readonly title?: string }
type Listed = Named & {
  readonly annotations?: object
  readonly outputSchema?: object
}
type Told = {
  readonly serverInfo?: Named
  readonly tools?: readonly Listed[]
  readonly structuredContent?: object
}

/**
 * A message to the client without what its revision does not have: titles, schemas of results and
 * typed results came with 2025-06-18, annotations with 2025-03-26. A result is also there as text.
 */
export function inRevision(message: JSONRPCMessage, revision: Revision): JSONRPCMessage {
  if (!('result' in message) || revision >= '2025-06-18') return message
  const { structuredContent: _, serverInfo, tools, ...result } = message.result as Told
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
