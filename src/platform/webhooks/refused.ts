/** Names and ports that no public web server uses. */

/** Suffixes of names that are never on the public internet (RFC 6761, 6762, 7686, 8375, 9476). */
export const NEVER_PUBLIC_ENDINGS: readonly string[] = [
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
export const PORTS_OF_OTHERS: ReadonlyMap<number, string> = new Map([
  ...BAD_PORTS,
  ...DATABASE_PORTS,
])
