import ipaddr from 'ipaddr.js'

/** Names and ports that no public web server uses. */

/** Suffixes of names that are never on the public internet (RFC 6761, 6762, 7686, 8375, 9476). */
const NEVER_PUBLIC_ENDINGS: readonly string[] = [
  'localhost',
  'local',
  'internal',
  'localdomain',
  'lan',
  'home.arpa',
  'home',
  'corp',
  'private',
  'intranet',
  'test',
  'invalid',
  'onion',
  'alt',
]

/** Ports that browsers refuse, from 1024 on (https://fetch.spec.whatwg.org/#bad-port). */
const BAD_PORTS: readonly (readonly [number, string])[] = [
  [1719, 'H.323'],
  [1720, 'H.323'],
  [1723, 'PPTP'],
  [2049, 'NFS'],
  [3659, 'Apple SASL'],
  [4045, 'the NFS lock daemon'],
  [4190, 'ManageSieve'],
  [5060, 'SIP'],
  [5061, 'SIP'],
  [6000, 'X11'],
  [6566, 'SANE'],
  [6665, 'IRC'],
  [6666, 'IRC'],
  [6667, 'IRC'],
  [6668, 'IRC'],
  [6669, 'IRC'],
  [6679, 'OSAUT'],
  [6697, 'IRC'],
  [10080, 'Amanda'],
]

/** Ports of databases, caches and machine management. */
const DATABASE_PORTS: readonly (readonly [number, string])[] = [
  [1433, 'SQL Server'],
  [1434, 'SQL Server'],
  [1521, 'Oracle'],
  [2375, 'Docker'],
  [2376, 'Docker'],
  [2379, 'etcd'],
  [2380, 'etcd'],
  [2483, 'Oracle'],
  [2484, 'Oracle'],
  [3050, 'Firebird'],
  [3306, 'MySQL'],
  [5432, 'PostgreSQL'],
  [5984, 'CouchDB'],
  [6379, 'Redis'],
  [6380, 'Redis'],
  [6443, 'Kubernetes'],
  [7474, 'Neo4j'],
  [7687, 'Neo4j'],
  [8086, 'InfluxDB'],
  [8123, 'ClickHouse'],
  [9042, 'Cassandra'],
  [9200, 'Elasticsearch'],
  [9300, 'Elasticsearch'],
  [10250, 'Kubernetes'],
  [11211, 'memcached'],
  [26257, 'CockroachDB'],
  [27017, 'MongoDB'],
  [27018, 'MongoDB'],
  [27019, 'MongoDB'],
  [28015, 'RethinkDB'],
  [33060, 'MySQL'],
  [50000, 'Db2'],
]

/** Services by port that no webhook uses. */
const PORTS_OF_OTHERS: ReadonlyMap<number, string> = new Map([...BAD_PORTS, ...DATABASE_PORTS])

/** An operator's rules for addresses, in addition to those that apply to everybody. */
export type AddressRules = {
  /** Exceptions, each `host:port` as `parseAllowed` writes it. */
  readonly allowed: readonly string[]
  /** Names and addresses of this server itself; names below them count, too. */
  readonly ownHosts: readonly string[]
}

const NO_RULES: AddressRules = { allowed: [], ownHosts: [] }

/** Lower ports belong to services that are not web servers. */
const FREE_PORT_MIN = 1024
const HTTPS_PORT = 443

/** Maximum length of an address; servers accept no longer ones. */
const ADDRESS_LENGTH_MAX = 2048

/**
 * Returns why an address may not be a webhook's, or null when it may. Does not query the DNS, whose
 * result may change: every delivery checks the addresses it connects to as well.
 */
export function webhookFault(text: string, rules: AddressRules = NO_RULES): string | null {
  if (!URL.canParse(text)) return 'is not an address'
  if (text.length > ADDRESS_LENGTH_MAX) return `has more than ${ADDRESS_LENGTH_MAX} characters`
  const { protocol, username, password, hostname, port } = new URL(text)
  if (protocol !== 'https:') return 'does not begin with https://'
  if (username !== '' || password !== '') return 'has a name or password in it'
  if (port === '0') return 'has the port 0'
  const host = normalizeHost(hostname)
  if (isException(hostname, port, rules)) return isNeverDialled(host) ? NOT_PUBLIC : null
  if (!isKnowable(hostname) || isPrivateHost(host)) return NOT_PUBLIC
  if (isOwnHost(host, rules)) return 'is that of this server itself'
  return portFault(port === '' ? HTTPS_PORT : Number(port))
}

/** Same text for a private host and for one that does not exist: names cannot be probed. */
export const NOT_PUBLIC = 'is not known on the public internet'

/** Returns why an IP address must not be connected to, or null when it may. */
export function dialFault(url: URL, ip: string, rules: AddressRules): string | null {
  if (!ipaddr.isValid(ip)) return NOT_PUBLIC
  if (isException(url.hostname, url.port, rules)) return isNeverDialled(ip) ? NOT_PUBLIC : null
  return isPrivateAddress(ip) || isOwnHost(ip, rules) ? NOT_PUBLIC : null
}

/** Name or address of a host, without the brackets of IPv6 and the trailing dot. */
export const normalizeHost = (hostname: string): string =>
  hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

/**
 * Parses exceptions such as `hooks.lan:8443,127.0.0.1:9443` into the form that rules compare; null
 * when one is invalid.
 */
export function parseAllowed(text: string): string[] | null {
  const allowed = text.split(',').map(item => parseException(item.trim()))
  return allowed.every(item => item !== null) ? allowed : null
}

function parseException(item: string): string | null {
  const url = `https://${item}`
  if (!/^[^/?#@\s]+:\d{1,5}$/.test(item) || !URL.canParse(url)) return null
  const { hostname, port } = new URL(url)
  const isHost = port !== '0' && !isNeverDialled(normalizeHost(hostname))
  return isHost ? hostKey(hostname, port) : null
}

const isException = (hostname: string, port: string, { allowed }: AddressRules): boolean =>
  allowed.includes(hostKey(hostname, port))

const hostKey = (hostname: string, port: string) =>
  `${normalizeHost(hostname)}:${port || HTTPS_PORT}`

function portFault(port: number): string | null {
  if (port === HTTPS_PORT) return null
  if (port < FREE_PORT_MIN) {
    return `has the port ${port}; those below ${FREE_PORT_MIN} are refused, but for ${HTTPS_PORT}`
  }
  const owner = PORTS_OF_OTHERS.get(port)
  return owner === undefined ? null : `has the port ${port}, which is that of ${owner}`
}

/** Maximum length of a DNS name and of one label (RFC 1035, 2.3.4). */
const NAME_LENGTH_MAX = 253
const LABEL_LENGTH_MAX = 63

/** True for an address, and for a syntactically valid DNS name. */
function isKnowable(hostname: string): boolean {
  if (ipaddr.isValid(normalizeHost(hostname))) return true
  // one trailing dot is the root
  const name = hostname.replace(/\.$/, '')
  const isLabel = (label: string) => label.length > 0 && label.length <= LABEL_LENGTH_MAX
  return name.length <= NAME_LENGTH_MAX && name.split('.').every(isLabel)
}

/** True for a host of this server, and for every name below one, such as that of its Geo API. */
function isOwnHost(host: string, { ownHosts }: AddressRules): boolean {
  return ownHosts.some(given => {
    const own = normalizeHost(given)
    if (ipaddr.isValid(own)) return ipaddr.isValid(host) && isSameAddress(own, host)
    return host === own || host.endsWith(`.${own}`)
  })
}

/** True for equal addresses; an IPv4 address written as IPv6 is the IPv4 one. */
const isSameAddress = (one: string, other: string): boolean =>
  ipaddr.process(one).toNormalizedString() === ipaddr.process(other).toNormalizedString()

/** The URL parser has normalised every spelling of an IPv4 address, such as 127.1. */
function isPrivateHost(host: string): boolean {
  if (ipaddr.isValid(host)) return isPrivateAddress(host)
  if (!host.includes('.')) return true
  return NEVER_PUBLIC_ENDINGS.some(ending => host === ending || host.endsWith(`.${ending}`))
}

/** The only allocated IPv6 range (RFC 4291, IANA); wrapped IPv4 lies outside. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Public addresses of cloud metadata services inside a machine: 168.63.129.16 is Azure's. */
const METADATA = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254'].map(ip => ipaddr.parse(ip))

function isPrivateAddress(text: string): boolean {
  const address = ipaddr.parse(text)
  if (isMetadata(address)) return true
  if (address.kind() === 'ipv6' && !address.match(GLOBAL_IPV6)) return true
  return ipaddr.process(text).range() !== 'unicast'
}

/** Private networks of an operator, which an exception opens. */
const OWN_RANGES = ['unicast', 'loopback', 'private', 'carrierGradeNat', 'uniqueLocal']

/** True when no exception applies: link-local addresses serve a machine's own secrets. */
function isNeverDialled(host: string): boolean {
  if (!ipaddr.isValid(host)) return false
  const address = ipaddr.parse(host)
  return isMetadata(address) || !OWN_RANGES.includes(address.range())
}

const isMetadata = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  METADATA.some(one => one.toNormalizedString() === address.toNormalizedString())
