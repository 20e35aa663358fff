import { Resolver } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { type AddressRules, dialFault, NOT_PUBLIC, normalizeHost, webhookFault } from './address.ts'

/** What the DNS says of a host: its addresses, that it has none, or nothing in time. */
export type HostLookup =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'silent' }

export type HostResolver = (host: string) => Promise<HostLookup>

/** A name that takes longer leaves too little of a try's three seconds. */
const WAIT_MS = 1500
/** After so long a server of the DNS is asked again, or the next one. */
const RETRY_AFTER_MS = 700

/** A name with more addresses is that of no web server. */
const ADDRESSES_MAX = 64

/**
 * Asks the DNS for all addresses of a host, at most for `waitMs`: its own limit does not end in
 * time, so the questions are cancelled. No thread of the pool waits for it, as one does for
 * `dns.lookup`. The `servers` are those of the machine unless they are given.
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

/** The DNS knows no such name, or no address of it. */
const WITHOUT = ['ENOTFOUND', 'ENODATA']

function toHostLookup(settled: readonly PromiseSettledResult<string[]>[]): HostLookup {
  const found = settled.flatMap(one => (one.status === 'fulfilled' ? one.value : []))
  if (found.length > 0) return { kind: 'addresses', addresses: found.slice(0, ADDRESSES_MAX) }
  const isKnown = settled.every(
    one => one.status === 'fulfilled' || WITHOUT.includes(one.reason?.code),
  )
  return { kind: isKnown ? 'none' : 'silent' }
}

/** The addresses of a host; an address is its own, and the DNS is not asked. */
export function lookUpAddresses(url: URL, resolve: HostResolver): Promise<HostLookup> {
  const host = normalizeHost(url.hostname)
  if (!ipaddr.isValid(host)) return resolve(host)
  return Promise.resolve({ kind: 'addresses', addresses: [host] })
}

/** What is to be said of an address when it is saved; null: nothing. */
export type SaveJudgement = {
  /** Why it is refused. */
  readonly fault: string | null
  /** What may keep deliveries from it, although it is taken. */
  readonly warning: string | null
}

/**
 * Judges the address of a webhook that somebody saves, as each connection judges it later. A name
 * the DNS does not know is refused; where the DNS is silent, the address is taken with a warning.
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
