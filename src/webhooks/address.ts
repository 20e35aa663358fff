import ipaddr from 'ipaddr.js'

/** Ends of names that are never on the public internet (RFC 6761, 6762, 8375, 9476). */
const PRIVATE_ENDINGS = ['localhost', 'local', 'internal', 'localdomain', 'lan', 'home.arpa']

/**
 * Why an address may not be a webhook's, or null when it may; without asking the DNS, which may
 * answer otherwise later: every delivery judges the addresses it connects to as well.
 */
export function webhookFault(text: string): string | null {
  if (!URL.canParse(text)) return 'is not an address'
  const { protocol, username, password, hostname, port } = new URL(text)
  if (protocol !== 'https:') return 'does not begin with https://'
  if (username !== '' || password !== '') return 'has a name or password in it'
  if (port === '0') return 'has the port 0'
  return isPrivateHost(hostname) ? 'is not on the public internet' : null
}

/** The parser has written every spelling of an IPv4 address, such as 127.1, in its usual form. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
  if (ipaddr.isValid(host)) {
    // mapped IPv4 addresses are judged as what they are; tunnels and the rest are not unicast
    const address = ipaddr.process(host)
    return address.range() !== 'unicast' || (address.kind() === 'ipv6' && isCompatible(address))
  }
  if (!host.includes('.')) return true
  return PRIVATE_ENDINGS.some(ending => host === ending || host.endsWith(`.${ending}`))
}

/** IPv4 addresses written as IPv6 in the deprecated way, ::127.0.0.1 (RFC 4291, 2.5.5.1). */
const isCompatible = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.match(ipaddr.parseCIDR('::/96'))
