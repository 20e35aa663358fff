/**
 * Massive (formerly Polygon): flat files of whole days by the S3 protocol.
 * Read in massive.com/docs/flat-files and its knowledge base (2026): "How do I get started with
 * Flat Files and S3", "What time are flat files ready": the file appears about 11:00 ET of the day
 * after and may be replaced later; a 403 does not say why.
 */

import { AwsV4Signer } from 'aws4fetch'
import {
  addDays,
  instantMs,
  MINUTE_MS,
  type SessionDate,
  wallTimeEt,
} from '../../../src/core/market/calendar.ts'
import { explainStatus } from '../explain.ts'
import {
  type DataSource,
  type FailedResponse,
  FetchProblem,
  type FileVersion,
  type Part,
  partName,
  type SmallCall,
  WITHOUT_INDEX,
} from '../source.ts'

const NAME = 'massive'
const BUCKET = '/flatfiles'
const INDEX_FOLDER = 'us_indices/values_v1'

type File = {
  readonly folder: string
  readonly format: string
  readonly columns: readonly string[]
  readonly time: string
  readonly ticker: RegExp
  /** The consequence where the plan does not have it; absent where the day needs it. */
  readonly withoutIt?: string
  readonly usualBytes: number
}

const FILES: readonly File[] = [
  {
    folder: 'us_options_opra/trades_v1',
    format: 'massive-trades',
    columns: ['ticker', 'conditions', 'exchange', 'price', 'sip_timestamp', 'size'],
    time: 'sip_timestamp',
    ticker: /^O:/,
    usualBytes: 250_000_000,
  },
  {
    folder: INDEX_FOLDER,
    format: 'massive-index-values',
    columns: ['ticker', 'timestamp', 'value'],
    time: 'timestamp',
    ticker: /^I:/,
    withoutIt: WITHOUT_INDEX,
    usualBytes: 400_000_000,
  },
]

const toKey = (folder: string, day: SessionDate): string =>
  `${folder}/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.csv.gz`

/** The New York day of nanoseconds since 1970. */
const toDay = (nanoseconds: string): string =>
  /^\d{16,19}$/.test(nanoseconds) ? wallTimeEt(Number(nanoseconds.slice(0, -6))).date : nanoseconds

function toPart(
  day: SessionDate,
  { folder, format, columns, time, ticker, withoutIt, usualBytes }: File,
): Part {
  return {
    day,
    file: `${format}-${day}.csv.gz`,
    format,
    session: day,
    request: { method: 'GET', path: `${BUCKET}/${toKey(folder, day)}`, fields: {} },
    content: {
      kind: 'table',
      rules: {
        columns,
        judge: cell => {
          if (!ticker.test(cell('ticker'))) return `has a row of ${cell('ticker')}`
          const date = toDay(cell(time))
          return date === day ? null : `has a row of ${date}, not of ${day}`
        },
      },
    },
    isRanged: true,
    mayBeEmpty: false,
    ...(withoutIt !== undefined && { withoutIt }),
    usualBytes,
  }
}

const tagText = (xml: string, tag: string): string | null =>
  new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1]?.replaceAll('&quot;', '"') ?? null

const CODES: Readonly<Record<string, readonly [FetchProblem['kind'], string]>> = {
  InvalidAccessKeyId: ['wrong_key', 'does not know the access key'],
  SignatureDoesNotMatch: [
    'wrong_key',
    'finds that the secret key does not belong to the access key',
  ],
  RequestTimeTooSkewed: ['bad_request', "finds this machine's clock wrong by more than 15 minutes"],
  AccessDenied: [
    'no_permission',
    'does not permit this file: it is outside the plan or its years, or not published yet, or an ' +
      'agreement is not signed; the source does not say which',
  ],
  NoSuchKey: ['no_data', 'has no such file'],
  NoSuchBucket: ['bad_request', 'has no bucket flatfiles'],
  InvalidRange: ['bad_request', 'has a shorter file now (416)'],
  PreconditionFailed: ['bad_request', 'has replaced the file meanwhile (416)'],
  SlowDown: ['too_many', 'takes no more requests for now'],
  InternalError: ['unavailable', 'has a fault of its own'],
  ServiceUnavailable: ['unavailable', 'has a fault of its own'],
}

function explain(failed: FailedResponse): FetchProblem {
  const code = tagText(failed.text, 'Code') ?? (failed.status === 403 ? 'AccessDenied' : '')
  const [kind, why] = CODES[code] ?? []
  if (kind === undefined || why === undefined) return explainStatus(NAME, failed)
  return new FetchProblem(kind, `${NAME} ${why} (${code}).`)
}

/** Versions as the months list them: one request a folder and month. */
async function versions(parts: readonly Part[], call: SmallCall) {
  const found = new Map<string, FileVersion>()
  const months = new Set(
    parts.map(({ request }) => request.path.slice(BUCKET.length + 1).replace(/[^/]*$/, '')),
  )
  const byKey = new Map(parts.map(part => [part.request.path.slice(BUCKET.length + 1), part]))
  for (const prefix of months) {
    const xml = await listMonth(prefix, call)
    for (const [, contents = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const part = byKey.get(tagText(contents, 'Key') ?? '')
      const version = tagText(contents, 'ETag')
      if (part && version !== null) found.set(partName(part), { version })
    }
  }
  return found
}

/** The listing of a month; empty where the plan does not have it. */
async function listMonth(prefix: string, call: SmallCall): Promise<string> {
  try {
    return await call({ method: 'GET', path: BUCKET, fields: { 'list-type': '2', prefix } })
  } catch (error) {
    const isOther = error instanceof FetchProblem && error.kind === 'no_permission'
    if (isOther && prefix.startsWith(INDEX_FOLDER)) return ''
    throw error
  }
}

export const MASSIVE: DataSource = {
  name: NAME,
  meaning: 'trades of all of OPRA and index values, a file a day, the morning after',
  address: 'https://files.massive.com',
  keys: [
    { name: 'access_key', variable: 'MASSIVE_ACCESS_KEY_ID', example: '0123abcd-45ef-67ab' },
    { name: 'secret_key', variable: 'MASSIVE_SECRET_ACCESS_KEY', example: '0123456789abcdef' },
  ],
  concurrent: 2,
  headTimeoutMs: 2 * MINUTE_MS,
  isBySession: true,
  plan: days => days.flatMap(day => FILES.map(file => toPart(day, file))),
  readyMs: day => instantMs(addDays(day, 1), '11:00'),
  authorize: async ({ method, url }, { access_key, secret_key }, nowMs) => {
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      accessKeyId: access_key!,
      secretAccessKey: secret_key!,
      service: 's3',
      region: 'us-east-1',
      datetime: new Date(nowMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    })
    const { headers } = await signer.sign()
    return Object.fromEntries(headers)
  },
  explain,
  listsAll: true,
  probe: {
    method: 'GET',
    path: BUCKET,
    fields: { 'list-type': '2', prefix: 'us_options_opra/trades_v1/', 'max-keys': '1' },
  },
  versions,
}
