import { isIP } from 'node:net'
import { shown } from '../platform/http/request.ts'

/**
 * Host names of a server. A page of another site must not reach a server of this machine or network
 * through a name that it has pointed there (DNS rebinding): its calls have that name as Host, and
 * its own origin as Origin.
 */

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Reason to refuse a call for its Host or Origin; null when it is allowed. */
export function refusalOfHost(
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  publicUrl: string | null,
): string | null {
  const own = publicUrl === null ? LOOPBACK : [...LOOPBACK, new URL(publicUrl).hostname]
  const name = parseHostname(`http://${host ?? ''}`)
  // a literal address cannot be rebound
  if (name === null || !(own.includes(name) || isAddress(name))) {
    const say = 'TAPEFOLD_PUBLIC_URL says by which name this server is reached'
    return `Host is ${shown(host ?? '')}, which is no name of this server; ${say}.`
  }
  if (origin === undefined || isOwnOrigin(origin, own)) return null
  return `Origin is ${shown(origin)}; pages of other sites may not call this server.`
}

function isOwnOrigin(origin: string, own: readonly string[]): boolean {
  const name = /^https?:\/\//.test(origin) ? parseHostname(origin) : null
  return name !== null && own.includes(name)
}

const isAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0

const parseHostname = (url: string): string | null => URL.parse(url)?.hostname || null
