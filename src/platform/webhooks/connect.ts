import type { TcpNetConnectOpts } from 'node:net'
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { type AddressRules, dialFault, normalizeHost } from './address.ts'
import { type HostResolver, lookUpAddresses } from './resolver.ts'

/** Reason for a failed connection, in the words of the delivery log. */
export type ConnectWord = 'refused_address' | 'dns' | 'tls' | 'connection' | 'timeout'

export class ConnectFault extends Error {
  override name = 'ConnectFault'
  readonly word: ConnectWord

  constructor(word: ConnectWord, cause?: unknown) {
    super(`no connection: ${word}`, { cause })
    this.word = word
  }
}

export type DialTarget = {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** The only addresses that may be dialled: all have been checked. */
  readonly addresses: readonly string[]
}

/** Opens a socket; its TLS handshake may still be in progress. */
export type Dial = (target: DialTarget) => TLSSocket

export type ConnectDeps = {
  readonly rules: AddressRules
  readonly resolve: HostResolver
  readonly dial: Dial
}

/** Receivers whose TLS sessions are cached: a resumed handshake costs a third. */
const SESSIONS_MAX = 256

/** Dials by TLS and verifies the certificate against the host's name; `ca` is for tests. */
export function tlsDial(ca?: string): Dial {
  // made once: it holds all trusted authorities
  const secureContext = createSecureContext(ca === undefined ? {} : { ca })
  const sessions = new LRUCache<string, Buffer>({ max: SESSIONS_MAX })
  return ({ host, port, addresses }) => {
    const key = `${host} ${port}`
    const session = sessions.get(key)
    const options: ConnectionOptions & TcpNetConnectOpts = {
      host,
      port,
      autoSelectFamily: true,
      ALPNProtocols: ['http/1.1'],
      // an address is not allowed as a server name
      servername: ipaddr.isValid(host) ? '' : host,
      // dials the checked addresses: the name is not looked up again
      lookup: (_host, _options, done) =>
        done(
          null,
          addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
      secureContext,
      ...(session === undefined ? {} : { session }),
    }
    const socket = connect(options)
    // only after the certificate was verified: a resumed session does not verify it again
    socket.once('secureConnect', () => {
      socket.on('session', bytes => sessions.set(key, bytes))
    })
    return socket
  }
}

/**
 * Connects to the host of an address, if every address that the DNS lists for it is allowed, and
 * checks the remote end once more. `onDial` receives each address dialled, before and after. Fails
 * with a ConnectFault, at the latest when `signal` aborts.
 */
export async function connectJudged(
  url: URL,
  { rules, resolve, dial }: ConnectDeps,
  { signal, onDial }: { readonly signal: AbortSignal; readonly onDial: (ip: string) => void },
): Promise<TLSSocket> {
  const lookup = await lookUpAddresses(url, resolve)
  if (signal.aborted) throw new ConnectFault('timeout')
  if (lookup.kind !== 'addresses') throw new ConnectFault('dns')
  const { addresses } = lookup
  if (addresses.some(ip => dialFault(url, ip, rules) !== null)) {
    throw new ConnectFault('refused_address')
  }
  onDial(addresses[0]!)
  const port = url.port === '' ? 443 : Number(url.port)
  const socket = dial({ host: normalizeHost(url.hostname), port, addresses })
  try {
    await settled(socket, signal, () => {
      const { remoteAddress } = socket
      if (remoteAddress === undefined) throw new ConnectFault('connection')
      onDial(remoteAddress)
      if (dialFault(url, remoteAddress, rules) !== null) throw new ConnectFault('refused_address')
    })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Waits for the handshake; `judge` is called as soon as the socket is connected. */
function settled(socket: TLSSocket, signal: AbortSignal, judge: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let isDialled = false
    const end = (error?: unknown) => {
      signal.removeEventListener('abort', onAbort)
      socket.off('connect', onConnect).off('secureConnect', onSecure)
      socket.off('error', onError).off('close', onClose)
      // later errors have no listener yet
      socket.on('error', () => {})
      if (error === undefined) resolve()
      else reject(error)
    }
    const judged = (next: () => void) => {
      try {
        judge()
        next()
      } catch (error) {
        end(error)
      }
    }
    const onConnect = () =>
      judged(() => {
        isDialled = true
      })
    const onSecure = () => judged(() => end())
    const onError = (error: unknown) =>
      end(new ConnectFault(isDialled ? 'tls' : 'connection', error))
    const onClose = () => end(new ConnectFault(isDialled ? 'tls' : 'connection'))
    const onAbort = () => end(new ConnectFault('timeout'))
    signal.addEventListener('abort', onAbort)
    socket.on('connect', onConnect).on('secureConnect', onSecure)
    socket.on('error', onError).on('close', onClose)
  })
}
