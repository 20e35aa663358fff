import { Resolver } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { type AddressRules, dialFault, NOT_PUBLIC, normalizeHost, webhookFault } from './address.ts'
import { ATTEMPT_TIMEOUT_MS } from './delivery.ts'

/** DNS result of a host: its addresses, none, or no response in time. */
export type HostLookup =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'silent' }

export type HostResolver = (host: string) => Promise<HostLookup>

/** A slower name leaves too little of an attempt's time. */
const WAIT_MS = ATTEMPT_TIMEOUT_MS / 2
/** Time after which a DNS server is queried again, or the next one. */
const RETRY_AFTER_MS = 700

/** A name with more addresses does not belong to a web server. */
const ADDRESSES_MAX = 64

/**
 * Queries the DNS for all addresses of a host, for at most `waitMs`: its own limit is too late, so
 * the queries are cancelled. Blocks no thread of the pool, unlike `dns.lookup`. Default for
 * `servers`: those of the machine.
 */
export function openResolver({
  servers,
  waitMs = WAIT_MS,
}: {
  readonly servers?: readonly string[]
  readonly waitMs?: number
} = {}): HostResolver {
  return async host => {
    const resolver = new Resolver({ timeout: Math.min(RETRY_AFTER_MS, waitMs), tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), waitMs)
    try {
      const queries = [resolver.resolve4(host), resolver.resolve6(host)]
      return toHostLookup(await Promise.allSettled(queries))
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Error codes for a name that does not exist or has no address. */
const WITHOUT = ['ENOTFOUND', 'ENODATA']

function toHostLookup(settled: readonly PromiseSettledResult<string[]>[]): HostLookup {
  const found = settled.flatMap(one => (one.status === 'fulfilled' ? one.value : []))
  if (found.length > 0) return { kind: 'addresses', addresses: found.slice(0, ADDRESSES_MAX) }
  const isKnown = settled.every(
    one => one.status === 'fulfilled' || WITHOUT.includes(one.reason?.code),
  )
  return { kind: isKnown ? 'none' : 'silent' }
}

/** Addresses of a host; an IP address is its own, without a DNS query. */
export function lookUpAddresses(url: URL, resolve: HostResolver): Promise<HostLookup> {
  const host = normalizeHost(url.hostname)
  if (!ipaddr.isValid(host)) return resolve(host)
  return Promise.resolve({ kind: 'addresses', addresses: [host] })
}

/** Result of checking an address on save; null: no objection. */
export type SaveJudgement = {
  /** Reason for refusing it. */
  readonly fault: string | null
  /** Reason why deliveries may fail, although the address is accepted. */
  readonly warning: string | null
}

/**
 * Checks a webhook's address on save, as each connection checks it later. A name unknown to the DNS
 * is refused; when the DNS does not respond, the address is accepted with a warning.
 */
export async function judgeAtSave(
  text: string,
  { rules, resolve }: { readonly rules: AddressRules; readonly resolve: HostResolver },
): Promise<SaveJudgement> {
  const fault = webhookFault(text, rules)
  if (fault !== null) return { fault, warning: null }
  const url = new URL(text)
  const lookup = await lookUpAddresses(url, resolve)
  if (lookup.kind === 'none') return { fault: NOT_PUBLIC, warning: null }
  if (lookup.kind === 'silent')
    return { fault: null, warning: 'the DNS did not answer for its host' }
  const isRefused = lookup.addresses.some(ip => dialFault(url, ip, rules) !== null)
  return { fault: isRefused ? NOT_PUBLIC : null, warning: null }
}
