import type { Readable } from 'node:stream'
import { openGate } from '../../core/disk/closing.ts'
import { type AddressRules, webhookFault } from './address.ts'
import { ConnectFault, type Dial, tlsDial } from './connect.ts'
import { openConnections } from './connections.ts'
import { ATTEMPT_TIMEOUT_MS } from './delivery.ts'
import { type HostResolver, openResolver } from './resolver.ts'

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
