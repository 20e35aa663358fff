// A client of Server-Sent Events: an independent reader of the HTML standard's format.

export type ClientEvent = { readonly id: string; readonly event: string; readonly data: string }

export type EventClient = {
  readonly status: number
  readonly contentType: string | null
  readonly events: ClientEvent[]
  /** Resolves when so many events have come; fails where the stream ends before. */
  readonly until: (count: number) => Promise<void>
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  readonly close: () => void
}

type ClientOptions = { readonly key?: string; readonly lastId?: string }

export async function openEventClient(
  url: string,
  { key, lastId }: ClientOptions = {},
): Promise<EventClient> {
  const hangUp = new AbortController()
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  }
  const response = await fetch(url, { headers, signal: hangUp.signal })
  const events: ClientEvent[] = []
  let come = Promise.withResolvers<void>()
  let isOpen = true
  const ended = (async () => {
    let rest = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body!) {
        rest += decoder.decode(chunk, { stream: true })
        const blocks = rest.split('\n\n')
        rest = blocks.pop()!
        events.push(...blocks.flatMap(parseBlock))
        come.resolve()
        come = Promise.withResolvers()
      }
    } catch {
      // hung up
    }
    isOpen = false
    come.resolve()
  })()
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    events,
    until: async count => {
      while (events.length < count) {
        if (!isOpen) throw new Error(`the stream ended after ${events.length} of ${count} events`)
        await come.promise
      }
    },
    ended,
    close: () => hangUp.abort(),
  }
}

/** The event of a block; none of a comment or a delay. */
function parseBlock(block: string): ClientEvent[] {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const at = line.indexOf(':')
    if (at <= 0) continue
    const value = line.slice(at + 1).replace(/^ /, '')
    const name = line.slice(0, at)
    fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  const data = fields.get('data')
  if (data === undefined) return []
  return [{ id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data }]
}
