/** Whose call it is, as far as bounds go that ask for no key. */

import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import ipaddr from 'ipaddr.js'
import { ApiError } from './error.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Networks = readonly (readonly [Address, number])[]
/**
 * Whose word about where a call comes from is taken: that of the proxies in these networks, or of
 * so many proxies in a row, wherever they are. An empty list: nobody's.
 */
export type Proxies = Networks | number

/** Proxies named one behind the other: a longer list is no honest one. */
const HOPS_MAX = 16
/** A network of IPv6 that one customer has at least (RFC 6177): each address in it is theirs. */
const CUSTOMER_PARTS = 4

/**
 * `off`, a number of proxies, or networks and single addresses with commas between them; null where
 * it is none of these. `true` is none: the first address of X-Forwarded-For is the client's word.
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

/** Whether an address of the system is one of a proxy that is trusted. */
export function isProxy(address: string | undefined, proxies: Proxies): boolean {
  if (typeof proxies === 'number') return true
  if (proxies.length === 0) return false
  const parsed = parseAddress(address)
  return parsed !== null && isWithin(parsed, proxies)
}

const isWithin = (address: Address, networks: Networks): boolean =>
  networks.some(network => network[0].kind() === address.kind() && address.match(network as never))

const isIn = (networks: Networks) => (address: Address) => isWithin(address, networks)

const named = new WeakMap<IncomingMessage, string>()

/**
 * Finds out whose call it is: that of the connection's other end, or, behind trusted proxies, that
 * of the last address of X-Forwarded-For that is none of theirs. Where they are counted, each takes
 * one address off the end. What stands before it, anybody may have written.
 */
export function nameClient(request: IncomingMessage, proxies: Proxies): void {
  let client = parseAddress(request.socket.remoteAddress)
  const header = [request.headers['x-forwarded-for'] ?? []].flat().join(',')
  const hops = header.split(',').reverse().slice(0, HOPS_MAX)
  for (const [index, hop] of hops.entries()) {
    const isTrusted = typeof proxies === 'number' ? () => index < proxies : isIn(proxies)
    if (client === null || !isTrusted(client)) break
    const before = parseAddress(withoutPort(hop.trim()))
    if (before === null) break
    client = before
  }
  named.set(request, clientText(client))
}

/**
 * Names whose call it is: an IPv4 address, or the /64 network of an IPv6 one. Where nothing is
 * known of proxies, the other end of the connection.
 */
export const clientAddress = (request: IncomingMessage): string =>
  named.get(request) ?? addressKey(request.socket.remoteAddress)

/** The same for an address of the system. */
export const addressKey = (address: string | undefined): string => clientText(parseAddress(address))

function clientText(address: Address | null): string {
  if (address === null) return 'unknown'
  if (address.kind() === 'ipv4') return address.toString()
  const parts = (address as ipaddr.IPv6).parts.slice(0, CUSTOMER_PARTS)
  return `${parts.map(part => part.toString(16)).join(':')}::/64`
}

/** An IPv4 address that is written as IPv6 is the IPv4 one. */
function parseAddress(text: string | undefined): Address | null {
  const plain = text?.replace(/%.*$/, '') ?? ''
  return ipaddr.isValid(plain) && isWhole(plain) ? ipaddr.process(plain) : null
}

// the parser also takes numbers and shorter forms, such as 127.1
const isWhole = (text: string) => text.includes(':') || /^\d{1,3}(\.\d{1,3}){3}$/.test(text)

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, '$1')

/** Refuses a call whose client has too many under way, on whatever connections they came. */
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
