import { isIPv6 } from 'node:net'
import { z } from 'zod'
import { Refusal } from '../core/disk/refusal.ts'
import { hasLogin, isPort, withoutLogin } from '../core/text/values.ts'
import { type Proxies, parseProxies } from './http/addresses.ts'
import type { ConnectionLimits } from './http/connections.ts'
import type { NoticeSettings } from './notices/notices.ts'
import { isMailAddress, parseSmtpUrl, parseTelegramUrl, SHAPES } from './notices/settings.ts'
import { parseStoreAddress } from './store/names.ts'
import type { StoreSettings } from './store/open.ts'
import { parseAllowed } from './webhooks/address.ts'
import { parseSecretKey } from './webhooks/secretKey.ts'

/** True for an address to listen on: an IP address, or a name without a port. */
const isHost = (text: string): boolean =>
  /^[\w.-]+$/.test(text) || isIPv6(text.replace(/^\[(.*)\]$/, '$1'))

/** Parses an address with at most a trailing slash as its origin; null for other texts. */
function parseOrigin(text: string): string | null {
  if (!/^https?:\/\/[^\s/?#@\\]+\/?$/i.test(text) || !URL.canParse(text)) return null
  const { origin, port } = new URL(text)
  return port === '0' ? null : origin
}

/** Parses an OAuth issuer (RFC 8414, 2): it may have a path, and is compared unchanged. */
const parseIssuer = (text: string): string | null =>
  /^https:\/\/[^\s?#@\\]+$/i.test(text) && URL.canParse(text) ? text : null

/** Parses the address of a model; null for one with a login, a query or another scheme. */
function parseModelUrl(text: string): string | null {
  if (!/^https?:\/\/[^\s?#@\\]+$/i.test(text) || !URL.canParse(text)) return null
  return text.replace(/\/+$/, '')
}

/** True when an address parser would drop a part of the text, or cut a password at a delimiter. */
const isCut = (text: string): boolean => /[\s\p{Cc}#]/u.test(text)

const count = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'give a number from 1 to 999999, such as 256')
    .transform(Number)
const seconds = () =>
  z
    .string()
    .regex(/^\d{1,4}(\.\d{1,3})?$/, 'give seconds, such as 20')
    .transform(text => Number(text) * 1000)
    .refine(ms => ms >= 100, 'give at least 0.1 seconds, such as 20')

const PROXIES_SHAPE =
  'give off, how many proxies stand in front, such as 1, or their networks, such as ' +
  '10.0.0.0/8,2001:db8::/32'

function readProxies(text: string, context: z.RefinementCtx): Proxies {
  const proxies = parseProxies(text)
  if (proxies !== null) return proxies
  const forged = 'any client could name itself by any address'
  context.addIssue(text === 'true' ? `${forged}: ${PROXIES_SHAPE}` : PROXIES_SHAPE)
  return z.NEVER
}

/** Wraps a parser as a setting, with the expected form for its error message. */
const parsedBy =
  <Value>(parse: (text: string) => Value | null, give: string) =>
  (text: string, context: z.RefinementCtx): Value => {
    const value = parse(text)
    if (value !== null) return value
    context.addIssue(give)
    return z.NEVER
  }

const EXCEPTION_SHAPE =
  'give hosts with their ports, never link-local ones, such as hooks.lan:8443,10.0.0.7:443'
const ORIGIN_SHAPE = 'give an address without a path, such as https://tapefold.example'
const ISSUER_SHAPE = 'give an https:// address without a query, such as https://login.example'
const HOST_SHAPE = 'give an address without a port, such as 127.0.0.1'
const DATABASE_SHAPE =
  'give one such as postgresql://user:password@host/database, with % escapes in the password'
const MODEL_SHAPE = 'give an address without a login or a query, such as http://127.0.0.1:11434/v1'
const STORE_SHAPE = 'give a bucket of lower case and an optional prefix, such as s3://tapefold/main'
const KEY_SHAPE = 'give 32 bytes as base64, such as "openssl rand -base64 32" makes'
/** Error texts shown instead of the value of a setting that contains a secret. */
const UNSHOWN: Readonly<Record<string, string>> = {
  // a database address contains a password
  DATABASE_URL: 'no PostgreSQL address',
  // keys are set in their own variables, but may be written here by mistake
  TAPEFOLD_STORE: 'no address of a store',
  TAPEFOLD_SMTP_URL: 'no address of a mail server',
  TAPEFOLD_TELEGRAM_URL: 'no address of a bot',
  TAPEFOLD_MODEL_URL: 'no address of a model',
  TAPEFOLD_MODEL_KEY: 'no key',
  TAPEFOLD_SECRET_KEY: 'no key',
  TAPEFOLD_WEBHOOK_SECRET: 'no secret',
}
const Environment = z.object({
  /** Folder of the tape, the published files and the account database. */
  TAPEFOLD_DATA: z
    .string()
    .regex(/^\S(.*\S)?$/, 'give a folder, without spaces around it, such as data')
    .default('data'),
  /** Port the API listens on; 0 takes any free one. */
  TAPEFOLD_PORT: z
    .string()
    .refine(isPort, 'give a port from 0 to 65535, such as 8080')
    .default('8080')
    .transform(Number),
  /** Address the API listens on: 127.0.0.1 for this machine only, 0.0.0.0 for every network. */
  TAPEFOLD_HOST: z.string().refine(isHost, HOST_SHAPE).default('127.0.0.1'),
  /** Log lines of this weight and above: debug, info, warn, error or silent. */
  TAPEFOLD_LOG: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'give debug, info, warn, error or silent')
    .default('info'),
  /** Minutes after its close by which a session's ledger must be published; then the status is red. */
  TAPEFOLD_PUBLISH_GRACE_MINUTES: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, 'give minutes, such as 180')
    .transform(Number)
    .refine(minutes => minutes >= 1, 'give at least 1 minute, such as 180')
    .default(180),
  /** on: minutes of an open session are expected, and the status is red without them; else off. */
  TAPEFOLD_LIVE: z.enum(['on', 'off'], 'give on or off').default('off'),
  /** on: dataset files of a vendor's prints and positions are given to others too; else off. */
  TAPEFOLD_SHARE_PRINTS: z.enum(['on', 'off'], 'give on or off').default('off'),
  /** Where people reach the server, such as https://tapefold.example; for links and pictures. */
  TAPEFOLD_PUBLIC_URL: z.string().transform(parsedBy(parseOrigin, ORIGIN_SHAPE)).optional(),
  /** on: browsers come to the names below the server's own over TLS alone, too; else off. */
  TAPEFOLD_HSTS_SUBDOMAINS: z.enum(['on', 'off'], 'give on or off').default('off'),
  /** Issuer of OAuth tokens for MCP, such as https://login.example; without it there are keys. */
  TAPEFOLD_OAUTH_ISSUER: z.string().transform(parsedBy(parseIssuer, ISSUER_SHAPE)).optional(),
  /** Proxies whose X-Forwarded-For is believed: off, their number in front, or their networks. */
  TAPEFOLD_TRUST_PROXY: z.string().default('off').transform(readProxies),
  /** Connections at once; the default leaves 256 of the files that the process may open. */
  TAPEFOLD_CONNECTIONS: count().optional(),
  /** Connections of one address, and its calls in progress. */
  TAPEFOLD_CONNECTIONS_OF_ADDRESS: count().optional(),
  /** How long a client may take to send the head of a request. */
  TAPEFOLD_HEAD_SECONDS: seconds().optional(),
  /** How long a client may take to send a whole request. */
  TAPEFOLD_REQUEST_SECONDS: seconds().optional(),
  /** How long a client may read nothing of an answer; it has ten times that for all of it. */
  TAPEFOLD_ANSWER_SECONDS: seconds().optional(),
  /** How long a connection stays open without a request. */
  TAPEFOLD_IDLE_SECONDS: seconds().optional(),
  /** Port on 127.0.0.1 at which Prometheus reads the metrics; without it there is none. */
  TAPEFOLD_METRICS_PORT: z
    .string()
    .refine(isPort, 'give a port from 0 to 65535, such as 9464')
    .transform(Number)
    .optional(),
  /** Receivers of your own network that webhooks may have, such as hooks.lan:8443,10.0.0.7:443. */
  TAPEFOLD_WEBHOOK_ALLOW: z
    .string()
    .default('')
    .transform(parsedBy(text => (text === '' ? [] : parseAllowed(text)), EXCEPTION_SHAPE)),
  /** 32 bytes as base64 that seal the secrets of webhooks; needed with DATABASE_URL. */
  TAPEFOLD_SECRET_KEY: z.string().transform(parsedBy(parseSecretKey, KEY_SHAPE)).optional(),
  /** Secret that `webhook listen` verifies with: that of the account page. */
  TAPEFOLD_WEBHOOK_SECRET: z.string().regex(/^\S+$/, 'give one such as whsec_…').optional(),
  /** Server that mail is sent by, such as smtps://user:password@mail.example.com. */
  TAPEFOLD_SMTP_URL: z.string().transform(parsedBy(parseSmtpUrl, SHAPES.smtp)).optional(),
  /** Address that mail comes from, such as alerts@example.com; needed with TAPEFOLD_SMTP_URL. */
  TAPEFOLD_MAIL_FROM: z.string().refine(isMailAddress, SHAPES.address).optional(),
  /** Bot that Telegram messages come from: https://api.telegram.org/bot and its token. */
  TAPEFOLD_TELEGRAM_URL: z
    .string()
    .transform(parsedBy(parseTelegramUrl, SHAPES.telegram))
    .optional(),
  /** Store that machines share without a folder, such as s3://bucket/prefix; needs DATABASE_URL. */
  TAPEFOLD_STORE: z.string().transform(parsedBy(parseStoreAddress, STORE_SHAPE)).optional(),
  /** Gigabytes that sessions of the store may take in the data folder; without it there is no limit. */
  TAPEFOLD_CACHE_GB: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,3})?$/, 'give gigabytes, such as 200')
    .transform(Number)
    .refine(gigabytes => gigabytes > 0, 'give more than 0 gigabytes, such as 200')
    .optional(),
  /** API of a language model for LAB, compatible with OpenAI's, such as http://127.0.0.1:11434/v1. */
  TAPEFOLD_MODEL_URL: z.string().transform(parsedBy(parseModelUrl, MODEL_SHAPE)).optional(),
  /** Name of the model there, such as qwen3:8b; needed with TAPEFOLD_MODEL_URL. */
  TAPEFOLD_MODEL_NAME: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'give one such as qwen3:8b')
    .optional(),
  /** Key of that API, where it takes one. */
  TAPEFOLD_MODEL_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, 'give the key without spaces')
    .optional(),
  /** PostgreSQL that has accounts and jobs; without it they lie in the data folder. */
  DATABASE_URL: z
    .string()
    .refine(text => /^postgres(ql)?:\/\/./.test(text) && !isCut(text), DATABASE_SHAPE)
    .optional(),
})

/** Names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(Environment.shape)

/** A language model that turns free text into rules; LAB has none unless it is set up. */
export type ModelSettings = {
  /** Address of an API that is compatible with OpenAI's, such as http://127.0.0.1:11434/v1. */
  readonly url: string
  /** Name of the model there. */
  readonly name: string
  /** Secret; null: the API takes none. */
  readonly key: string | null
}

export type Config = {
  readonly dataFolder: string
  readonly port: number
  readonly host: string
  readonly logSeverity: string
  readonly publishGraceMs: number
  /** True when the minutes of an open session are expected. */
  readonly isLive: boolean
  /** True when data of a vendor's tape may be redistributed. */
  readonly sharesPrints: boolean
  /** Public address of the server, without a trailing slash; null when not configured. */
  readonly publicUrl: string | null
  /** True when browsers must use TLS for the server's subdomains too. */
  readonly coversSubdomains: boolean
  readonly oauthIssuer: string | null
  /** Null: accounts and jobs are in files of the data folder. */
  readonly databaseUrl: string | null
  /** Null: the data folder is all there is. */
  readonly store: StoreSettings | null
  /** Exceptions to the rules for webhook addresses, each `host:port`. */
  readonly webhookAllowed: readonly string[]
  /** Key that encrypts secrets; null: it is in a file of the data folder. */
  readonly secretKey: Buffer | null
  /** Secret with which `webhook listen` verifies. */
  readonly webhookSecret: string | null
  /** Only the limits that are set. */
  readonly connections: Partial<ConnectionLimits>
  /** Null: no metrics are served. */
  readonly metricsPort: number | null
  /** Settings for sending mail and Telegram messages. */
  readonly notices: NoticeSettings
  /** Language model of LAB; null: none. */
  readonly model: ModelSettings | null
}

/** Parses the environment; fails with one sentence that names the variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  // silently ignored, the old name would make one client of all behind a proxy
  const { TAPEFOLD_TRUSTED_PROXIES: renamed } = environment
  if (renamed !== undefined) {
    throw new Refusal('TAPEFOLD_TRUSTED_PROXIES is called TAPEFOLD_TRUST_PROXY now; rename it.')
  }
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    const name = String(issue.path[0])
    const value = UNSHOWN[name] ?? JSON.stringify(withoutLogin(environment[name] ?? ''))
    throw new Refusal(`${name} is ${value}; ${issue.message}`)
  }
  const { data } = parsed
  refuseHalf(environment, ['TAPEFOLD_SMTP_URL', 'TAPEFOLD_MAIL_FROM'])
  refuseHalf(environment, ['TAPEFOLD_MODEL_URL', 'TAPEFOLD_MODEL_NAME'])
  if (data.TAPEFOLD_STORE !== undefined && data.DATABASE_URL === undefined) {
    throw new Refusal('TAPEFOLD_STORE is set, and DATABASE_URL is not; set both, or neither.')
  }
  const oauthIssuer = data.TAPEFOLD_OAUTH_ISSUER ?? null
  const own = { publicUrl: data.TAPEFOLD_PUBLIC_URL ?? null, oauthIssuer }
  const address = { host: data.TAPEFOLD_HOST, port: data.TAPEFOLD_PORT }
  return {
    ...own,
    notices: { ...readNotices(data), siteUrl: siteUrl({ ...own, ...address }) },
    dataFolder: data.TAPEFOLD_DATA,
    port: data.TAPEFOLD_PORT,
    host: data.TAPEFOLD_HOST,
    logSeverity: data.TAPEFOLD_LOG,
    publishGraceMs: data.TAPEFOLD_PUBLISH_GRACE_MINUTES * 60_000,
    isLive: data.TAPEFOLD_LIVE === 'on',
    sharesPrints: data.TAPEFOLD_SHARE_PRINTS === 'on',
    coversSubdomains: data.TAPEFOLD_HSTS_SUBDOMAINS === 'on',
    databaseUrl: data.DATABASE_URL ?? null,
    store: readStoreSettings(data, environment),
    webhookAllowed: data.TAPEFOLD_WEBHOOK_ALLOW,
    secretKey: data.TAPEFOLD_SECRET_KEY ?? null,
    webhookSecret: data.TAPEFOLD_WEBHOOK_SECRET ?? null,
    connections: readConnectionLimits(data),
    metricsPort: data.TAPEFOLD_METRICS_PORT ?? null,
    model: readModel(data),
  }
}

/** The AWS client reads its endpoint itself: only the form of addresses depends on it. */
function readStoreSettings(
  { TAPEFOLD_STORE: address, TAPEFOLD_CACHE_GB: cacheGb }: z.infer<typeof Environment>,
  environment: Readonly<Record<string, string | undefined>>,
): StoreSettings | null {
  if (address === undefined) return null
  const endpoint = environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL
  if (endpoint !== undefined && hasLogin(endpoint)) {
    const wanted =
      'give the address alone, and the keys as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
    throw new Refusal(`the address of AWS_ENDPOINT_URL has a login in it; ${wanted}.`)
  }
  const cacheBytes = cacheGb === undefined ? null : cacheGb * 1e9
  return { address, isPathStyle: endpoint !== undefined, cacheBytes }
}

/** Settings that need each other: one of them alone is a mistake. */
function refuseHalf(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly [string, string],
): void {
  const [missing, ...others] = names.filter(name => environment[name] === undefined)
  if (missing === undefined || others.length > 0) return
  const [set] = names.filter(name => name !== missing)
  throw new Refusal(`${missing} is not set, and ${set} is; set both, or neither.`)
}

function readModel(data: z.infer<typeof Environment>): ModelSettings | null {
  const { TAPEFOLD_MODEL_URL: url, TAPEFOLD_MODEL_NAME: name } = data
  if (url === undefined || name === undefined) return null
  return { url, name, key: data.TAPEFOLD_MODEL_KEY ?? null }
}

const readNotices = (data: z.infer<typeof Environment>): Omit<NoticeSettings, 'siteUrl'> => {
  const { TAPEFOLD_SMTP_URL: server, TAPEFOLD_MAIL_FROM: from } = data
  return {
    mail: server === undefined || from === undefined ? null : { server, from },
    telegramUrl: data.TAPEFOLD_TELEGRAM_URL ?? null,
  }
}

/** Address of the pages for a browser of this machine, unless a public one is configured. */
export function siteUrl({
  publicUrl,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== null) return publicUrl
  // browsers store a cookie of the account page only over https, and for this machine
  const isEvery = ['0.0.0.0', '::', '[::]'].includes(host)
  const name = isEvery ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Drops the limits that are not set. */
function readConnectionLimits(data: z.infer<typeof Environment>): Partial<ConnectionLimits> {
  const given = {
    proxies: data.TAPEFOLD_TRUST_PROXY,
    connections: data.TAPEFOLD_CONNECTIONS,
    ofAddress: data.TAPEFOLD_CONNECTIONS_OF_ADDRESS,
    headMs: data.TAPEFOLD_HEAD_SECONDS,
    requestMs: data.TAPEFOLD_REQUEST_SECONDS,
    responseMs: data.TAPEFOLD_ANSWER_SECONDS,
    idleMs: data.TAPEFOLD_IDLE_SECONDS,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
