// A test server of Massive's (formerly Polygon's) flat files over the S3 API.
//
// Documents, read on 2026-11-27 in stored copies:
// - https://massive.com/docs/flat-files/quickstart: endpoint https://files.massive.com, bucket
//   flatfiles, keys of their own, ready by about 11:00 ET of the day after.
// - https://massive.com/knowledge-base/article/how-to-get-started-with-s3: only paid plans; "a 403
//   does not say why": outside the plan or its history, not yet published, unsigned agreements.
// - https://massive.com/knowledge-base/article/what-time-are-massives-flat-files-ready-each-day: look
//   for the file in the listing, not at the clock; a published file can be replaced later.
// - https://massive.com/docs/flat-files/options/day-aggregates.md and indices/minute-aggregates.md:
//   tickers (O:SPXW241104C05700000, I:SPX), stamps in nanoseconds.
// - Header lines of files in public repositories: `ticker,conditions,correction,exchange,price,
//   sip_timestamp,size` of option trades (rows are sorted by ticker; `conditions` is one number), and
//   `ticker,value,timestamp` of index values. The pages of these two files are in no stored copy.
// - https://docs.aws.amazon.com/AmazonS3/latest/API/ (API version 2006-03-01): GetObject, HeadObject,
//   ListObjectsV2, error codes; sigV4.ts has the signature.
// - A recorded listing of the bucket (github.com/aws/aws-sdk-net/issues/3271, 2024-04): Key,
//   LastModified, ETag in quotes, Size, StorageClass, and an element Type that S3 does not have.
//
// Where documents are silent or disagree:
// - The code of a file that is not there is not documented: AccessDenied (403), as for one that is not
//   yet published, or NoSuchKey (404) with `missing: 'no_such_key'`.
// - S3 replaces a file while a reader has begun it; with If-Match the next range gets 412. Nothing says
//   that Massive does not: so it is here.
// - The region is documented nowhere; us-east-1 here, as S3 clients use by default.
// - No limit of requests is documented; SlowDown (503) is S3's and comes only from a fault.

import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Fault } from './faults.ts'
import { type Call, type Reply, type RowFault, type Source, startServing } from './serve.ts'
import { type S3Error, verifySignature } from './sigV4.ts'
import { type Rows, readRows } from './tables.ts'

/** Bytes of a file that are made where they are read: for files larger than memory. */
export type MadeBytes = {
  readonly size: number
  /** Bytes from `from` to before `to`. */
  readonly read: (from: number, to: number) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

export type FlatFile = {
  readonly content: Uint8Array | MadeBytes
  /** In milliseconds since 1970. */
  readonly modifiedMs: number
  /** Without quotes; the MD5 of the content by default, which made bytes do not have. */
  readonly etag?: string
}

export type MassiveOptions = {
  /** Files by key, such as us_options_opra/trades_v1/2024/11/2024-11-04.csv.gz. */
  readonly files?: Readonly<Record<string, FlatFile>>
  readonly accessKey?: string
  readonly secretKey?: string
  readonly region?: string
  /** False for files outside of the plan. */
  readonly isInPlan?: (key: string) => boolean
  readonly missing?: 'denied' | 'no_such_key'
  /** Clock of the server, milliseconds since 1970. */
  readonly nowMs: () => number
  readonly faults?: readonly Fault[]
}

export type MassiveSource = Source & {
  /** Publishes a file, or replaces one: its ETag and time are new. */
  readonly publish: (key: string, file: FlatFile) => void
  readonly withdraw: (key: string) => void
}

export const MASSIVE_KEYS = {
  accessKey: 'a1b2c3d4-0000-4000-8000-testaccesskey',
  secretKey: 'testSecretKey0123456789abcdefghi',
  region: 'us-east-1',
}
const BUCKET = 'flatfiles'

/** Key of the option trades of a day. */
export const massiveTradesKey = (day: string) => buildKey('us_options_opra/trades_v1', day)

/** Key of the index values of a day. */
export const massiveIndexKey = (day: string) => buildKey('us_indices/values_v1', day)

const buildKey = (prefix: string, day: string) =>
  `${prefix}/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.csv.gz`

export const MASSIVE_COLUMNS = {
  trades: ['ticker', 'conditions', 'correction', 'exchange', 'price', 'sip_timestamp', 'size'],
  index: ['ticker', 'value', 'timestamp'],
} as const

/** Writes rows as the gzip of a CSV file. */
export async function gzipRows(columns: readonly string[], rows: Rows): Promise<Uint8Array> {
  const lines = [columns.join(',')]
  for await (const row of readRows(rows)) lines.push(columns.map(name => row[name]).join(','))
  return gzipSync(`${lines.join('\n')}\n`)
}

type StoredFile = {
  readonly content: Uint8Array | MadeBytes
  readonly size: number
  readonly etag: string
  readonly modified: Date
}

/** Starts the S3 endpoint on a free port; the bucket is the first part of a path. */
export async function startMassive(options: MassiveOptions): Promise<MassiveSource> {
  const files = new Map<string, StoredFile>()
  const publish = (key: string, file: FlatFile) => void files.set(key, storeFile(key, file))
  for (const [key, file] of Object.entries(options.files ?? {})) publish(key, file)
  const source = await startServing({
    faults: options.faults,
    handle: (call, fault) => {
      const { accessKey, secretKey, region } = { ...MASSIVE_KEYS, ...options }
      const keys = { accessKey, secretKey, region, nowMs: options.nowMs() }
      const request = { method: call.method, target: call.target, headers: call.headers }
      const wrong = verifySignature(request, keys)
      if (wrong) return refuse(call, wrong)
      return serve(call, { files, options, fault })
    },
  })
  return { ...source, publish, withdraw: key => void files.delete(key) }
}

function storeFile(key: string, { content, modifiedMs, etag }: FlatFile): StoredFile {
  // S3 states times in whole seconds
  const modified = new Date(Math.floor(modifiedMs / 1000) * 1000)
  if (!(content instanceof Uint8Array)) {
    if (etag === undefined) throw new Error(`${key} is made where it is read, and has no etag`)
    return { content, size: content.size, etag: `"${etag}"`, modified }
  }
  const md5 = createHash('md5').update(content).digest('hex')
  return { content, size: content.byteLength, etag: `"${etag ?? md5}"`, modified }
}

type Bucket = {
  readonly files: ReadonlyMap<string, StoredFile>
  readonly options: MassiveOptions
  readonly fault: RowFault
}

function serve(call: Call, bucket: Bucket): Reply {
  const [, name = '', ...rest] = call.path.split('/').map(decodeURIComponent)
  const key = rest.join('/')
  if (name !== BUCKET) {
    return refuse(call, {
      status: 404,
      code: 'NoSuchBucket',
      message: 'The specified bucket does not exist',
    })
  }
  if (call.method !== 'GET' && call.method !== 'HEAD') {
    const message = 'The specified method is not allowed against this resource.'
    return refuse(call, { status: 405, code: 'MethodNotAllowed', message })
  }
  return key === '' ? listFiles(call, bucket) : serveFile(call, key, bucket)
}

const DENIED: S3Error = { status: 403, code: 'AccessDenied', message: 'Access Denied.' }

function serveFile(call: Call, key: string, { files, options, fault }: Bucket): Reply {
  for (const parameter of call.query.keys()) {
    if (parameter === 'x-id') continue // the name of the operation, which SDKs add
    const message = `This test server serves no '${parameter}' of an object.`
    return refuse(call, { status: 501, code: 'NotImplemented', message })
  }
  if (options.isInPlan?.(key) === false) return refuse(call, DENIED)
  if (!files.has(key)) {
    if (options.missing !== 'no_such_key') return refuse(call, DENIED)
    const message = 'The specified key does not exist.'
    return refuse(call, { status: 404, code: 'NoSuchKey', message })
  }
  const file = files.get(key)!
  // a fault serves the content of another key by the name of this one
  const content = files.get(fault.instead?.key ?? key) ?? file
  const headers = {
    'accept-ranges': 'bytes',
    'content-type': 'application/gzip',
    etag: file.etag,
    'last-modified': file.modified.toUTCString(),
  }
  const unmet = findUnmetCondition(call, file)
  if (unmet === 304) return { status: 304, headers }
  if (unmet === 412) {
    const message = 'At least one of the pre-conditions you specified did not hold'
    return refuse(call, { status: 412, code: 'PreconditionFailed', message })
  }
  const range = readRange(call, file, content.size)
  if (range === 'unsatisfiable') {
    const message = 'The requested range is not satisfiable'
    const error = { status: 416, code: 'InvalidRange', message }
    const refused = refuse(call, error)
    return {
      ...refused,
      headers: { ...refused.headers, 'content-range': `bytes */${content.size}` },
    }
  }
  const [from, to] = range ?? [0, content.size]
  const body =
    content.content instanceof Uint8Array
      ? content.content.subarray(from, to)
      : content.content.read(from, to)
  if (range === null) return { status: 200, headers, body, length: content.size }
  const contentRange = `bytes ${from}-${to - 1}/${content.size}`
  return {
    status: 206,
    headers: { ...headers, 'content-range': contentRange },
    body,
    length: to - from,
  }
}

/** 412 or 304 where a condition of the request is not met; null where all are. */
function findUnmetCondition({ headers }: Call, file: StoredFile): 304 | 412 | null {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  const isListed = (list: string) =>
    list
      .split(',')
      .some(tag => [file.etag, '*'].includes(tag.trim().replace(/^([^"*].*)$/, '"$1"')))
  if (match !== undefined && !isListed(match)) return 412
  const unmodified = Date.parse(headers['if-unmodified-since'] ?? '')
  if (match === undefined && file.modified.getTime() > unmodified) return 412
  if (noneMatch !== undefined) return isListed(noneMatch) ? 304 : null
  return file.modified.getTime() <= Date.parse(headers['if-modified-since'] ?? '') ? 304 : null
}

/** The bytes of a Range as [from, to); null for the whole file, and for a range of several parts. */
function readRange(
  { headers }: Call,
  file: StoredFile,
  size: number,
): readonly [number, number] | 'unsatisfiable' | null {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '')
  if (!parts || (parts[1] === '' && parts[2] === '')) return null
  const condition = headers['if-range']
  if (condition !== undefined && condition !== file.etag) {
    if (!(file.modified.getTime() <= Date.parse(String(condition)))) return null
  }
  const [, first = '', last = ''] = parts
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  return from < to ? [from, to] : 'unsatisfiable'
}

const escapeXml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'

function refuse(call: Call, { status, code, message }: S3Error): Reply {
  const body =
    `${XML}<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message>` +
    `<BucketName>${BUCKET}</BucketName><Resource>${escapeXml(call.path)}</Resource>` +
    '<RequestId>17F0000000000000</RequestId><HostId>test</HostId></Error>'
  return { status, headers: { 'content-type': 'application/xml' }, body }
}

const LIST_PARAMETERS = [
  'list-type',
  'prefix',
  'delimiter',
  'max-keys',
  'continuation-token',
  'start-after',
  'encoding-type',
  'fetch-owner',
  'x-id',
]
const KEYS_MAX = 1000

/** A part of the listing: keys, and prefixes that stand for all keys below them. */
function listFiles(call: Call, { files }: Bucket): Reply {
  const { query } = call
  const invalid = (message: string) =>
    refuse(call, { status: 400, code: 'InvalidArgument', message })
  for (const name of query.keys()) {
    if (!LIST_PARAMETERS.includes(name)) return invalid(`Unknown parameter: ${name}`)
  }
  if (query.get('list-type') !== '2') return invalid('Only ListObjectsV2 (list-type=2) is served')
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const maxText = query.get('max-keys') ?? String(KEYS_MAX)
  if (!/^\d+$/.test(maxText)) return invalid('Argument max-keys must be an integer')
  const max = Math.min(Number(maxText), KEYS_MAX)
  const token = query.get('continuation-token')
  const after = token ? Buffer.from(token, 'base64').toString('utf8') : query.get('start-after')
  const names = [...files.keys()].filter(key => key.startsWith(prefix)).sort()
  const entries = new Map<string, string | null>()
  for (const key of names) {
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
    if (end < 0) entries.set(key, key)
    else entries.set(key.slice(0, end + delimiter.length), null)
  }
  const rest = [...entries].filter(([name]) => name > (after ?? ''))
  const page = rest.slice(0, max)
  const isTruncated = rest.length > page.length
  const encode = query.get('encoding-type') === 'url' ? encodeURIComponent : escapeXml
  const contents = page.map(([name, key]) => {
    if (key === null) return `<CommonPrefixes><Prefix>${encode(name)}</Prefix></CommonPrefixes>`
    const { etag, size, modified } = files.get(key)!
    return (
      `<Contents><Key>${encode(key)}</Key><LastModified>${modified.toISOString()}</LastModified>` +
      `<ETag>${escapeXml(etag)}</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`
    )
  })
  const next = isTruncated ? Buffer.from(page.at(-1)?.[0] ?? '').toString('base64') : null
  const body =
    `${XML}<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${BUCKET}</Name>` +
    `<Prefix>${encode(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${max}</MaxKeys>` +
    (delimiter === '' ? '' : `<Delimiter>${encode(delimiter)}</Delimiter>`) +
    `<IsTruncated>${isTruncated}</IsTruncated>` +
    (next === null ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`) +
    `${contents.join('')}</ListBucketResult>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body }
}
