/** Determines the client address of a call, for limits that need no key. */

import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { ApiError } from './error.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Networks = readonly (readonly [Address, number])[]
/**
 * Proxies whose X-Forwarded-For is trusted: those in these networks, or this many proxies in a row,
 * whatever their addresses. An empty list trusts none.
 */
export type Proxies = Networks | number

/** Maximum length of a chain of proxies; a longer list is not plausible. */
const HOPS_MAX = 16
/** 16-bit groups of a customer's smallest IPv6 network (RFC 6177), treated as one client. */
const CUSTOMER_PARTS = 4

/**
 * Parses `off`, a number of proxies, or a comma-separated list of networks and addresses; null for
 * anything else. `true` is not accepted: the first address of X-Forwarded-For is client-supplied.
 */
export function parseProxies(text: string): Proxies | null {
  if (text === 'off') return []
  if (/^\d{1,2}$/.test(text))
    return Number(text) > 0 && Number(text) <= HOPS_MAX ? Number(text) : null
  const networks = text.split(',').map(part => parseNetwork(part.trim()))
  return networks.some(network => network === null) ? null : (networks as unknown as Networks)
}

function parseNetwork(text: string): readonly [Address, number] | null {
  if (!isWhole(text.split('/')[0]!)) return null
  const network = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  if (!ipaddr.isValidCIDR(network)) return null
  const [address, bits] = ipaddr.parseCIDR(network)
  // 10.1.2.3/8 would trust all of 10.0.0.0/8
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  const first = kind.networkAddressFromCIDR(network)
  return first.toNormalizedString() === address.toNormalizedString() ? [address, bits] : null
}

/** True when a socket address belongs to a trusted proxy. */
export function isProxy(address: string | undefined, proxies: Proxies): boolean {
  if (typeof proxies === 'number') return true
  if (proxies.length === 0) return false
  const parsed = parseAddress(address)
  return parsed !== null && isWithin(parsed, proxies)
}

const isWithin = (address: Address | null, networks: Networks): boolean =>
  networks.some(network => network[0].kind() === address?.kind() && address.match(network as never))

/** Where a request holds its client: a weak map of all requests made collecting them slow. */
const CLIENT = Symbol('client')
type NamedRequest = IncomingMessage & { [CLIENT]?: string }

/**
 * Determines the client of a call: the peer of the connection or, if that is a trusted proxy, the
 * last address in X-Forwarded-For that is not one. With a number of proxies, each removes one
 * address from the end. Anything before that is untrusted input.
 */
export function nameClient(request: NamedRequest, proxies: Proxies): void {
  let client = parseAddress(request.socket.remoteAddress)
  const header = request.headers['x-forwarded-for']
  const hops = header === undefined ? [] : String(header).split(',').slice(-HOPS_MAX)
  for (let index = 0; index < hops.length; index++) {
    const isTrusted = typeof proxies === 'number' ? index < proxies : isWithin(client, proxies)
    if (client === null || !isTrusted) break
    const before = parseAddress(withoutPort(hops.at(-1 - index)!.trim()))
    if (before === null) break
    client = before
  }
  request[CLIENT] = clientText(client)
}

/**
 * Returns the client of a call: an IPv4 address, or the /64 network of an IPv6 one. Without proxy
 * settings, the peer of the connection.
 */
export const clientAddress = (request: NamedRequest): string =>
  request[CLIENT] ?? addressKey(request.socket.remoteAddress)

/** The same for a socket address. */
export const addressKey = (address: string | undefined): string => clientText(parseAddress(address))

function clientText(address: Address | null): string {
  if (address === null) return 'unknown'
  if (address.kind() === 'ipv4') return address.toString()
  const parts = (address as ipaddr.IPv6).parts.slice(0, CUSTOMER_PARTS)
  return `${parts.map(part => part.toString(16)).join(':')}::/64`
}

/** Parsed addresses of recent calls, by their text: parsing one takes longer than a key check. */
const recent = new LRUCache<string, { readonly address: Address | null }>({ max: 10_000 })
/** Longest text of an address, RFC 4291 with a scope; a longer one is parsed and not cached. */
const TEXT_MAX_LENGTH = 64

/** Returns the address of a text; null when it is none. */
function parseAddress(text: string | undefined): Address | null {
  if (text === undefined) return null
  const known = recent.get(text)
  if (known) return known.address
  const address = parseText(text)
  if (text.length <= TEXT_MAX_LENGTH) recent.set(text, { address })
  return address
}

/** Maps an IPv4-mapped IPv6 address to the IPv4 one. */
function parseText(text: string): Address | null {
  const plain = text.replace(/%.*$/, '')
  return ipaddr.isValid(plain) && isWhole(plain) ? ipaddr.process(plain) : null
}

// the parser also accepts numbers and short forms such as 127.1
const isWhole = (text: string) => text.includes(':') || /^\d{1,3}(\.\d{1,3}){3}$/.test(text)

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, '$1')

/** Refuses a call whose client has too many calls in progress, over all its connections. */
export function boundCalls(callsMax: number): RequestHandler {
  const underWay = new Map<string, number>()
  return (req, res, next) => {
    const client = clientAddress(req)
    const calls = underWay.get(client) ?? 0
    if (calls >= callsMax) {
      throw new ApiError('unavailable', {
        message: `${calls} calls from this address are under way; ask again in a second.`,
        headers: { 'retry-after': '1' },
      })
    }
    underWay.set(client, calls + 1)
    res.on('close', () => {
      const left = underWay.get(client)! - 1
      if (left === 0) underWay.delete(client)
      else underWay.set(client, left)
    })
    next()
  }
}
