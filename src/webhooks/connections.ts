import { Agent, type ClientRequestArgs, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { type ConnectDeps, connectJudged } from './connect.ts'

/** One call to a receiver. */
export type ReceiverCall = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Ends the call, and the making of its connection. */
  readonly signal: AbortSignal
  /** Is given each IP address that is dialled, or that a connection used again leads to. */
  readonly onDial: (ip: string) => void
}

/** Connections to receivers, each for one call at a time. */
export type ReceiverConnections = {
  /**
   * Sends over a connection that waits, or a new one. Settles with the head of the final answer:
   * those before it (1xx) are passed over. A body that is read to its end frees the connection.
   */
  readonly send: (
    call: ReceiverCall,
  ) => Promise<{ readonly status: number; readonly body: Readable }>
  readonly close: () => void
}

/** Retries come after 1 and 4 seconds, events every minute: who waits longer waits for nothing. */
const IDLE_MS = 2000
/** Connections that wait, over all receivers. */
const IDLE_MAX = 256
/** The head of an answer: what is beyond it is no webhook's. */
const HEAD_BYTES_MAX = 16 * 1024

/** Opens connections for calls; those that are free wait two seconds for another call. */
export function openConnections(deps: ConnectDeps): ReceiverConnections {
  const agent = new JudgedAgent(deps)
  return {
    send: async call => {
      const answer = await answerTo(agent, call)
      return { status: answer.statusCode!, body: answer }
    },
    close: () => agent.destroy(),
  }
}

type CallOptions = ClientRequestArgs & { readonly call: ReceiverCall }

/** Dials receivers by TLS, and judges whom it dials. */
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
    // false where the receiver says that it closes sooner than is worth waiting for
    return waiting < IDLE_MAX && (super.keepSocketAlive(socket) as unknown as boolean)
  }
}

function answerTo(agent: Agent, call: ReceiverCall): Promise<IncomingMessage> {
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
    // nobody asked for another protocol
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new Error('switched protocols'))
    })
    // stays: what goes wrong after the answer is seen by who reads its body
    sent.on('error', reject)
    sent.end(body)
  })
}
