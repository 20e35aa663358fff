import { Agent, type ClientRequestArgs, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { openGate } from '../../core/disk/closing.ts'
import { type AddressRules, webhookFault } from './address.ts'
import { type ConnectDeps, ConnectFault, connectJudged, type Dial, tlsDial } from './connect.ts'
import { ATTEMPT_TIMEOUT_MS } from './delivery.ts'
import { type HostResolver, openResolver } from './resolver.ts'

/** One request to a receiver. */
type ReceiverCall = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Aborts the request, and the connection attempt. */
  readonly signal: AbortSignal
  /** Called with each IP address that is dialled, or that a reused connection leads to. */
  readonly onDial: (ip: string) => void
}

/** Connections to receivers, each for one request at a time. */
type ReceiverConnections = {
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
function openConnections(deps: ConnectDeps): ReceiverConnections {
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

/** Outcome of one attempt. */
export type AttemptOutcome = {
  /** sent: a 2xx in time. retry: no response, 429, 5xx. failed: all else, a refused address too. */
  readonly result: 'sent' | 'retry' | 'failed'
  readonly status: number | null
  /** One word for the log such as timeout, refused_address, dns, tls; null when it responded. */
  readonly error: string | null
  /** From the start of the attempt to the head of the response, or to its end without one. */
  readonly ms: number
  /** IP address that was dialled; null when none was. */
  readonly address: string | null
}

export type WebhookClient = {
  /** Sends once. Never fails: errors are in the outcome. */
  readonly post: (to: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Buffer
  }) => Promise<AttemptOutcome>
  /** Aborts requests in flight and closes all connections. */
  readonly close: () => Promise<void>
}

export type WebhookClientDeps = Pick<AddressRules, 'allowed' | 'ownHosts'> & {
  readonly resolver?: HostResolver
  readonly dial?: Dial
  /** Monotonic real time. */
  readonly elapsedMs: () => number
}

/**
 * Maximum bytes of a response to read and drop; a connection with an unread rest cannot be reused.
 */
const RESPONSE_MAX_BYTES = 64 * 1024

/**
 * Client that posts to webhooks: over TLS, to public addresses only, without redirects, cookies or
 * proxies of the environment, each attempt within `ATTEMPT_TIMEOUT_MS`.
 */
export function openWebhookClient(deps: WebhookClientDeps): WebhookClient {
  const { resolver = openResolver(), dial = tlsDial(), elapsedMs, allowed, ownHosts } = deps
  const rules = { allowed, ownHosts }
  const connections = openConnections({ rules, resolve: resolver, dial })
  const underway = new Set<AbortController>()
  const gate = openGate('the webhook client')
  return {
    post: async ({ url, headers, body }) => {
      gate.pass()
      if (webhookFault(url, rules) !== null) return REFUSED
      const startMs = elapsedMs()
      const measureMs = () => Math.round(elapsedMs() - startMs)
      const abort = new AbortController()
      underway.add(abort)
      const timer = setTimeout(() => abort.abort(), ATTEMPT_TIMEOUT_MS)
      const { signal } = abort
      let address: string | null = null
      const onDial = (ip: string) => {
        address = ip
      }
      try {
        const call = { url: new URL(url), headers, body, signal, onDial }
        const response = await connections.send(call)
        const ms = measureMs()
        await readAway(response.body)
        return { ...toOutcome(response.status), ms, address }
      } catch (error) {
        return { ...toFault(error, signal), ms: measureMs(), address }
      } finally {
        clearTimeout(timer)
        underway.delete(abort)
      }
    },
    close: async () => {
      gate.close()
      for (const abort of underway) abort.abort()
      connections.close()
    },
  }
}

const REFUSED: AttemptOutcome = {
  result: 'failed',
  status: null,
  error: 'refused_address',
  ms: 0,
  address: null,
}

type Judged = Pick<AttemptOutcome, 'result' | 'status' | 'error'>

function toOutcome(status: number): Judged {
  if (status >= 200 && status <= 299) return { result: 'sent', status, error: null }
  const isAgain = status === 429 || (status >= 500 && status <= 599)
  return { result: isAgain ? 'retry' : 'failed', status, error: null }
}

function toFault(error: unknown, signal: AbortSignal): Judged {
  if (signal.aborted) return { result: 'retry', status: null, error: 'timeout' }
  if (error instanceof ConnectFault) {
    const result = error.word === 'refused_address' ? 'failed' : 'retry'
    return { result, status: null, error: error.word }
  }
  const { code = '' } = error as NodeJS.ErrnoException
  const isGarbage = code.startsWith('HPE_')
  return { result: 'retry', status: null, error: isGarbage ? 'protocol' : 'connection' }
}

/**
 * Drains a response's body without storing it; one that exceeds the limit closes its connection.
 */
async function readAway(body: Readable): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length
      // leaving the loop destroys the stream, and its connection
      if (bytes > RESPONSE_MAX_BYTES) return
    }
  } catch {
    // the status has arrived, and only that counts
  }
}
