// Status codes of every source's documents: one sentence with the source's name, the kind, the exit
// code of the command, and a second request only where it may help.

import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DATABENTO } from '../../../pipelines/fetch/databento/source.ts'
import { type ProblemKind, problemExitCode } from '../../../pipelines/fetch/source.ts'
import { ATTEMPT_DELAYS_MS, RETRY_AFTER_MAX_MS } from '../../../pipelines/fetch/transfer.ts'
import { fetchDays, readFolder } from '../../support/fetch.ts'
import {
  DAY,
  fetchOnePart,
  NOW_MS,
  type PartResult,
  SMALL,
  type SmallSource,
} from '../../support/fetchPart.ts'
import { newFolder } from '../../support/import.ts'
import {
  droppedConnection,
  type Fault,
  redirectTo,
  serverError,
  stallAfter,
  tooManyRequests,
} from '../../support/sources/faults.ts'
import { findClosedAddress } from '../../support/sources/serve.ts'

const ATTEMPTS = ATTEMPT_DELAYS_MS.length + 1
const NAMES = Object.keys(SMALL)

let dataFolder: string
beforeEach(() => {
  dataFolder = newFolder()
})
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }))

type Result = PartResult & { readonly requests: number; readonly small: SmallSource }

async function fetchWith(
  name: string,
  faults: readonly Fault[] = [],
  change = {},
): Promise<Result> {
  const small = await SMALL[name]!(faults)
  try {
    const request = { ...small, dataFolder, url: small.server.url, ...change }
    const result = await fetchOnePart(request)
    return { ...result, requests: small.server.requests.length, small }
  } finally {
    await small.server.close()
  }
}

/** Fails unless a text is one sentence that begins with a source's name. */
function expectSentence(name: string, text: string | undefined) {
  expect(text).toMatch(new RegExp(`^${name}\\b`))
  expect(text).toMatch(/^[^\n]*[^.]\.$/)
  expect(text).not.toMatch(/\. /)
}

const always = (fault: Fault): Fault => ({ ...fault, times: Number.POSITIVE_INFINITY })
const json = (status: number, value: unknown): Fault => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const detail = (status: number, name: string, message: string): Fault =>
  json(status, { detail: { case: name, message, status_code: status, docs: '', payload: null } })
const s3 = (status: number, code: string): Fault => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>It failed.</Message></Error>`,
})
const plain = (status: number, body = 'It failed.'): Fault => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
})

type Case = readonly [source: string, what: string, fault: Fault, kind: ProblemKind, says: RegExp]

const CASES: readonly Case[] = [
  // ThetaData's page "Error Codes", and the three codes that terminals were seen to send
  ['thetadata', '404 NO_IMPL', plain(404), 'bad_request', /update the terminal \(404\)/],
  ['thetadata', '429 OS_LIMIT', plain(429), 'too_many', /takes no more requests for now \(429\)/],
  ['thetadata', '470 GENERAL', plain(470), 'unavailable', /general error \(470\)/],
  ['thetadata', '471 PERMISSION', plain(471), 'no_permission', /plan does not have it \(471\)/],
  ['thetadata', '472 NO_DATA', plain(472), 'no_data', /no data for this request \(472\)/],
  ['thetadata', '473 INVALID_PARAMS', plain(473), 'bad_request', /update the terminal \(473\)/],
  ['thetadata', '474 DISCONNECTED', plain(474), 'unavailable', /lost its connection \(474\)/],
  ['thetadata', '475 PARSE_ERROR', plain(475), 'bad_request', /could not read .* \(475\)/],
  ['thetadata', '476 WRONG_IP', plain(476), 'bad_request', /restart the terminal \(476\)/],
  ['thetadata', '477 NO_PAGE_FOUND', plain(477), 'unavailable', /page \(477\)/],
  ['thetadata', '478 INVALID_SESSION_ID', plain(478), 'unavailable', /stop one of the two \(478\)/],
  ['thetadata', '570 LARGE_REQUEST', plain(570), 'bad_request', /too large \(570\)/],
  ['thetadata', '571 SERVER_STARTING', plain(571), 'unavailable', /still starting \(571\)/],
  ['thetadata', '572 UNCAUGHT_ERROR', plain(572), 'unavailable', /did not expect \(572\)/],
  ['thetadata', '403 seen for a plan', plain(403), 'no_permission', /plan does not have it/],
  ['thetadata', '400 seen for fields', plain(400), 'bad_request', /update the terminal \(400\)/],
  ['thetadata', '410 seen of version 2', plain(410), 'bad_request', /start version 3 \(410\)/],
  // Databento's page "Errors", with the cases that clients recorded
  [
    'databento',
    '206 of a range that was not requested',
    { ...plain(206, 'a,b\n'), headers: { 'content-range': 'bytes 0-3/9' } },
    'wrong_content',
    /a part.*\(206\)/,
  ],
  [
    'databento',
    '400',
    detail(400, 'bad_request', 'Unsupported parameter.'),
    'bad_request',
    /Unsupported parameter/,
  ],
  [
    'databento',
    '401',
    detail(401, 'auth_authentication_failed', 'Authentication failed.'),
    'wrong_key',
    /check DATABENTO_API_KEY/,
  ],
  [
    'databento',
    '401 without a key',
    json(401, { detail: 'Not authenticated' }),
    'wrong_key',
    /check DATABENTO_API_KEY/,
  ],
  [
    'databento',
    '402',
    detail(402, 'account_insufficient_funds', 'Insufficient funds to complete the request.'),
    'no_permission',
    /Insufficient funds/,
  ],
  [
    'databento',
    '403',
    detail(403, 'auth_account_locked', 'Your account is locked.'),
    'no_permission',
    /account is locked/,
  ],
  [
    'databento',
    '403 of a licence',
    detail(403, 'license_not_found_unauthorized', 'A live data license is required.'),
    'no_permission',
    /license is required/,
  ],
  [
    'databento',
    '404',
    detail(404, 'dataset_not_found', "The dataset 'X' was not found."),
    'bad_request',
    /\(404\)/,
  ],
  [
    'databento',
    '409',
    detail(409, 'conflict', 'A conflict.'),
    'bad_request',
    /\(409\): A conflict/,
  ],
  [
    'databento',
    '422 of fields',
    json(422, { detail: [{ loc: ['body', 'start'], msg: 'Field required', type: 'missing' }] }),
    'bad_request',
    /\(422\)/,
  ],
  [
    'databento',
    '422 after the newest',
    detail(422, 'data_end_after_available_end', 'Available up to noon. Try an earlier `end`.'),
    'not_yet',
    /Available up to noon/,
  ],
  [
    'databento',
    '422 of the newest day',
    detail(422, 'dataset_unavailable_range', 'Requires a license.'),
    'not_yet',
    /Requires a license/,
  ],
  [
    'databento',
    '422 before the oldest',
    detail(422, 'data_start_before_available_start', 'Before the start.'),
    'no_data',
    /Before the start/,
  ],
  [
    'databento',
    '422 of symbols',
    detail(422, 'symbology_invalid_request', 'None resolved.'),
    'bad_request',
    /None resolved/,
  ],
  [
    'databento',
    '429',
    detail(429, 'rate_limit_exceeded', 'API rate limit exceeded.'),
    'too_many',
    /no more requests for now \(429\)/,
  ],
  ['databento', '500', plain(500), 'unavailable', /\(500\)/],
  ['databento', '503', plain(503), 'unavailable', /\(503\)/],
  ['databento', '504', plain(504), 'unavailable', /\(504\)/],
  // S3's error codes, as Massive's endpoint sends them
  [
    'massive',
    'InvalidAccessKeyId',
    s3(403, 'InvalidAccessKeyId'),
    'wrong_key',
    /check MASSIVE_ACCESS_KEY_ID and MASSIVE_SECRET_ACCESS_KEY/,
  ],
  [
    'massive',
    'SignatureDoesNotMatch',
    s3(403, 'SignatureDoesNotMatch'),
    'wrong_key',
    /check MASSIVE_ACCESS_KEY_ID and MASSIVE_SECRET_ACCESS_KEY/,
  ],
  [
    'massive',
    'RequestTimeTooSkewed',
    s3(403, 'RequestTimeTooSkewed'),
    'bad_request',
    /clock wrong/,
  ],
  [
    'massive',
    'AccessDenied',
    s3(403, 'AccessDenied'),
    'no_permission',
    /outside the plan .* or not published yet/,
  ],
  ['massive', '403 without a code', plain(403, ''), 'no_permission', /outside the plan/],
  ['massive', 'NoSuchKey', s3(404, 'NoSuchKey'), 'no_data', /no such file/],
  ['massive', 'NoSuchBucket', s3(404, 'NoSuchBucket'), 'bad_request', /no bucket flatfiles/],
  ['massive', 'SlowDown', s3(503, 'SlowDown'), 'too_many', /no more requests/],
  ['massive', 'InternalError', s3(500, 'InternalError'), 'unavailable', /fault of its own/],
  [
    'massive',
    'ServiceUnavailable',
    s3(503, 'ServiceUnavailable'),
    'unavailable',
    /fault of its own/,
  ],
  // FRED's page "Errors": a wrong key is a 400
  [
    'fred',
    '400',
    json(400, {
      error_code: 400,
      error_message: 'Bad Request.  Variable limit is not between 1 and 1000.',
    }),
    'bad_request',
    /limit is not between 1 and 1000/,
  ],
  [
    'fred',
    '400 of another key',
    json(400, {
      error_code: 400,
      error_message: 'Bad Request.  The value for variable api_key is not registered.',
    }),
    'wrong_key',
    /check FRED_API_KEY/,
  ],
  [
    'fred',
    '400 without a key',
    json(400, { error_code: 400, error_message: 'Bad Request.  Variable api_key is not set.' }),
    'wrong_key',
    /check FRED_API_KEY/,
  ],
  [
    'fred',
    '404',
    json(404, { error_code: 404, error_message: 'Not Found' }),
    'bad_request',
    /\(404\)/,
  ],
  [
    'fred',
    '423',
    json(423, { error_code: 423, error_message: 'Locked' }),
    'unavailable',
    /\(423\)/,
  ],
  [
    'fred',
    '429',
    json(429, { error_code: 429, error_message: 'Too Many Requests.  Exceeded Rate Limit' }),
    'too_many',
    /\(429\)/,
  ],
  [
    'fred',
    '500',
    json(500, { error_code: 500, error_message: 'Internal Server Error' }),
    'unavailable',
    /\(500\)/,
  ],
  // neither has documents: statuses of HTTP, and the XML of Cboe's content network
  ['cboe-delayed', '403', s3(403, 'AccessDenied'), 'no_permission', /\(403\)/],
  ['cboe-delayed', '404', plain(404), 'no_data', /\(404\)/],
  ['cboe-delayed', '429', plain(429), 'too_many', /\(429\)/],
  ['cboe-delayed', '502', plain(502), 'unavailable', /\(502\)/],
  ['treasury', '404', plain(404), 'no_data', /\(404\)/],
  ['treasury', '408', plain(408), 'unavailable', /\(408\)/],
  ['treasury', '503', plain(503), 'unavailable', /\(503\)/],
]

/** Kinds that are requested again, and those after which a later run may succeed. */
const RETRIED: readonly ProblemKind[] = ['too_many', 'unavailable']
const LATER: readonly ProblemKind[] = [...RETRIED, 'not_yet', 'not_started']

describe('one right sentence, kind, exit code and number of requests for', () => {
  test.each(CASES)('%s: %s', async (name, _, fault, kind, says) => {
    const { problem, requests, waits } = await fetchWith(name, [always(fault)])
    expectSentence(name, problem?.message)
    expect(problem!.message).toMatch(says)
    expect(problem!.kind).toBe(kind)
    expect(problemExitCode(problem!)).toBe(LATER.includes(kind) ? 75 : 1)
    expect(requests).toBe(RETRIED.includes(kind) ? ATTEMPTS : 1)
    expect(waits).toEqual(RETRIED.includes(kind) ? ATTEMPT_DELAYS_MS : [])
    expect(Object.keys(readFolder(dataFolder))).toEqual([])
  })
})

describe.each(NAMES)('%s', name => {
  test('a refused connection says where, and what to start', async () => {
    const { problem, waits } = await fetchWith(name, [], { url: await findClosedAddress() })
    expectSentence(name, problem?.message)
    expect(problem!.message).toMatch(/127\.0\.0\.1:\d+/)
    expect(problem!.kind).toBe(name === 'thetadata' ? 'not_started' : 'unavailable')
    if (name === 'thetadata') expect(problem!.message).toMatch(/java -jar ThetaTerminalv3\.jar/)
    expect(problemExitCode(problem!)).toBe(75)
    expect(waits.length).toBe(name === 'thetadata' ? 0 : ATTEMPT_DELAYS_MS.length)
  })

  test('a dropped connection is requested again, and the file is whole', async () => {
    const { record, requests, waits } = await fetchWith(name, [droppedConnection()])
    expect(record?.rows).toBeGreaterThan(0)
    expect([requests, waits]).toEqual([2, [1000]])
  })

  test('connections that are dropped each time end with one sentence', async () => {
    const { problem, requests } = await fetchWith(name, [always(droppedConnection())])
    expectSentence(name, problem?.message)
    expect([problem!.kind, requests]).toEqual(['unavailable', ATTEMPTS])
  })

  test('a body that stops is left and requested again', async () => {
    const { record, requests } = await fetchWith(name, [stallAfter(20)], { bodyTimeoutMs: 200 })
    expect(record?.rows).toBeGreaterThan(0)
    expect(requests).toBe(2)
  })

  test('a redirect to another host is refused', async () => {
    const other = await SMALL[name]!()
    try {
      const fault = always(redirectTo(`${other.server.url}/elsewhere?x=1`))
      const { problem, requests } = await fetchWith(name, [fault])
      expectSentence(name, problem?.message)
      expect(problem!.message).toContain(new URL(other.server.url).host)
      expect([problem!.kind, requests]).toEqual(['wrong_content', 1])
      expect(other.server.requests).toEqual([])
    } finally {
      await other.server.close()
    }
  })

  test('a redirect to the same host is followed, with the key', async () => {
    const small = await SMALL[name]!()
    const { path, fields, method } = small.part.request
    const query = method === 'POST' ? '' : `?${new URLSearchParams(fields)}`
    small.server.addFault(redirectTo(`${path}${query}`, 307))
    const { record } = await fetchOnePart({ ...small, dataFolder, url: small.server.url })
    expect(record?.rows).toBeGreaterThan(0)
    expect(small.server.requests.length).toBe(2)
    await small.server.close()
  })

  test('a circle of redirects ends', async () => {
    const { problem, requests } = await fetchWith(name, [always(redirectTo('/again'))])
    expectSentence(name, problem?.message)
    expect(problem!.message).toMatch(/circle/)
    expect(requests).toBe(4)
  })

  test('a Retry-After is waited for: seconds, or a date', async () => {
    const at = new Date(NOW_MS + 90_000)
    const faults = [tooManyRequests(7), serverError(503, at), serverError(500)]
    const { record, waits } = await fetchWith(name, faults)
    expect(record?.rows).toBeGreaterThan(0)
    expect(waits).toEqual([7000, 90_000, ATTEMPT_DELAYS_MS[2]])
  })

  test('a Retry-After above the limit ends the fetch and says how long', async () => {
    const seconds = RETRY_AFTER_MAX_MS / 1000 + 60
    const { problem, requests, waits } = await fetchWith(name, [tooManyRequests(seconds)])
    expectSentence(name, problem?.message)
    expect(problem!.message).toMatch(/asks to wait 6 minutes/)
    expect([problem!.kind, requests, waits]).toEqual(['too_many', 1, []])
    expect(problemExitCode(problem!)).toBe(75)
  })
})

const fetchSmall = async (name: string, faults: readonly Fault[], nowMs: number, days = [DAY]) => {
  const small = await SMALL[name]!(faults)
  try {
    const { source, keys, server } = small
    return await fetchDays({ dataFolder, source, keys, url: server.url, days, nowMs, waits: [] })
  } finally {
    await small.server.close()
  }
}

test('Massive: before 11:00 ET of the day after, a file that is not listed is not published yet', async () => {
  const { days } = await fetchSmall('massive', [], NOW_MS, ['2026-10-16'])
  expect(days.map(({ problem }) => problem?.kind)).toEqual(['not_yet'])
  expectSentence('massive', days[0]!.problem!.message)
  expect(days[0]!.problem!.message).toMatch(/from 2026-10-17 15:00 UTC on/)
})

test('Massive: later, a file that is not listed is not there', async () => {
  const { days } = await fetchSmall('massive', [], NOW_MS, ['2026-10-13'])
  expect(days.map(({ problem }) => problem?.kind)).toEqual(['no_data'])
  expectSentence('massive', days[0]!.problem!.message)
})

test('ThetaData: a day without rows after its close has no data, before it comes later', async () => {
  const { days } = await fetchSmall('thetadata', [], NOW_MS, ['2026-10-13'])
  expect(days.map(({ problem }) => problem?.kind)).toEqual(['no_data'])
  const early = NOW_MS - 6 * 3_600_000
  const { days: running } = await fetchSmall('thetadata', [], early, ['2026-10-16'])
  expect(running.map(({ problem }) => problem?.kind)).toEqual(['not_yet'])
})

test('a wrong key is the fault of all requests: one request is sent, not one for every file', async () => {
  const wrong = detail(401, 'auth_authentication_failed', 'Authentication failed.')
  const small = await SMALL.databento!([always({ ...wrong, match: /get_range/ })])
  const { days } = await fetchDays({
    ...small,
    dataFolder,
    url: small.server.url,
    days: [DAY, '2026-10-14'],
    nowMs: NOW_MS,
  })
  expect(days.map(({ problem }) => problem?.kind)).toEqual(['wrong_key', 'wrong_key'])
  const asked = small.server.requests.filter(({ path }) => path.includes('get_range')).length
  expect(asked).toBeLessThanOrEqual(DATABENTO.concurrent)
  await small.server.close()
})
