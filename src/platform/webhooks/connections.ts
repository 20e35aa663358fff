import { Agent, type ClientRequestArgs, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { type ConnectDeps, connectJudged } from './connect.ts'

/** One request to a receiver. */
export type ReceiverCall = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Aborts the request, and the connection attempt. */
  readonly signal: AbortSignal
  /** Called with each IP address that is dialled, or that a reused connection leads to. */
  readonly onDial: (ip: string) => void
}

/** Connections to receivers, each for one request at a time. */
export type ReceiverConnections = {
  /**
   * Sends over an idle connection or a new one. Settles with the head of the final response;
   * interim ones (1xx) are skipped. Draining the body frees the connection.
   */
  readonly send: (
    call: ReceiverCall,
  ) => Promise<{ readonly status: number; readonly body: Readable }>
  readonly close: () => void
}

/** Retries come after 1 and 4 seconds, events every minute: a longer idle time gains nothing. */
const IDLE_MS = 2000
/** Maximum idle connections, over all receivers. */
const IDLE_MAX = 256
/** Maximum size of a response head; no webhook needs more. */
const HEAD_BYTES_MAX = 16 * 1024

/** Opens connections for requests; free ones stay idle for two seconds. */
export function openConnections(deps: ConnectDeps): ReceiverConnections {
  const agent = new JudgedAgent(deps)
  return {
    send: async call => {
      const response = await fetchResponse(agent, call)
      return { status: response.statusCode!, body: response }
    },
    close: () => agent.destroy(),
  }
}

type CallOptions = ClientRequestArgs & { readonly call: ReceiverCall }

/** Dials receivers by TLS and checks each address. */
class JudgedAgent extends Agent {
  readonly #deps: ConnectDeps

  constructor(deps: ConnectDeps) {
    super({ keepAlive: true, timeout: IDLE_MS, maxFreeSockets: IDLE_MAX })
    this.#deps = deps
  }

  override createConnection(
    options: ClientRequestArgs,
    done: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { url, signal, onDial } = (options as CallOptions).call
    connectJudged(url, this.#deps, { signal, onDial }).then(
      socket => done(null, socket),
      error => done(error, undefined as never),
    )
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const waiting = Object.values(this.freeSockets).reduce((sum, one) => sum + one!.length, 0)
    // false when the receiver closes sooner than is worth waiting for
    return waiting < IDLE_MAX && (super.keepSocketAlive(socket) as unknown as boolean)
  }
}

function fetchResponse(agent: Agent, call: ReceiverCall): Promise<IncomingMessage> {
  const { url, headers, body, signal, onDial } = call
  const options = {
    agent,
    call,
    signal,
    method: 'POST',
    path: url.pathname + url.search,
    // two ports of a host share no connection
    host: url.hostname,
    port: url.port || '443',
    maxHeaderSize: HEAD_BYTES_MAX,
    headers: { Host: url.host, ...headers, 'User-Agent': 'Tapefold-Webhook/1' },
  }
  return new Promise((resolve, reject) => {
    const sent = request(options, resolve)
    sent.on('socket', ({ remoteAddress }: Socket) => {
      if (remoteAddress !== undefined) onDial(remoteAddress)
    })
    // an upgrade was not requested
    sent.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('switched protocols'))
    })
    // stays attached: errors after the response are handled by the reader of its body
    sent.on('error', reject)
    sent.end(body)
  })
}
