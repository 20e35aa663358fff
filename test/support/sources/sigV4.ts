// Signature Version 4 of AWS in the Authorization header, as S3 verifies it.
//
// Documents: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
// ("Signature Calculations for the Authorization Header", whose four examples a test computes
// again) and https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html (error codes). Both
// are without an edition; API version 2006-03-01. A request may be 15 minutes off the clock.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A request as it was sent: `target` is its encoded path and query. */
export type SignedRequest = {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

type Keys = { readonly accessKey: string; readonly secretKey: string; readonly region: string }

/** An error of S3 with its status and code. */
export type S3Error = { readonly status: number; readonly code: string; readonly message: string }

const ALGORITHM = 'AWS4-HMAC-SHA256'
const SERVICE = 's3'
const SKEW_MS = 15 * 60_000

/** SHA-256 of an empty body, hexadecimal. */
export const EMPTY_SHA256 = createHash('sha256').digest('hex')

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const headerText = (value: string | string[] | undefined) =>
  [value ?? []].flat().join(',').trim().replace(/ +/g, ' ')

function canonicalRequest(request: SignedRequest, names: readonly string[], hash: string): string {
  const [path = '', query = ''] = request.target.split(/\?(.*)/s)
  const uri = path
    .split('/')
    .map(part => encode(decodeURIComponent(part)))
    .join('/')
  const pairs = query === '' ? [] : query.split('&')
  const canonicalQuery = pairs
    .map(pair => pair.split(/=(.*)/s))
    .map(([name = '', value = '']) => [name, value].map(text => encode(decodeURIComponent(text))))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&')
  const headers = names.map(name => `${name}:${headerText(request.headers[name])}\n`).join('')
  return [request.method, uri, canonicalQuery, headers, names.join(';'), hash].join('\n')
}

/** Computes the signature of a request whose headers hold `x-amz-date`, hexadecimal. */
export function computeSignature(
  request: SignedRequest,
  { secretKey, region }: Omit<Keys, 'accessKey'>,
  names: readonly string[],
): string {
  const at = headerText(request.headers['x-amz-date'])
  const day = at.slice(0, 8)
  const scope = `${day}/${region}/${SERVICE}/aws4_request`
  const hash = headerText(request.headers['x-amz-content-sha256'])
  const toSign = [ALGORITHM, at, scope, sha256(canonicalRequest(request, names, hash))].join('\n')
  const key = [region, SERVICE, 'aws4_request'].reduce(hmac, hmac(`AWS4${secretKey}`, day))
  return hmac(key, toSign).toString('hex')
}

/** The Authorization header of a request, over all of its headers. */
export function signRequest(request: SignedRequest, keys: Keys): string {
  const names = Object.keys(request.headers).sort()
  const day = headerText(request.headers['x-amz-date']).slice(0, 8)
  const credential = `${keys.accessKey}/${day}/${keys.region}/${SERVICE}/aws4_request`
  const signature = computeSignature(request, keys, names)
  return `${ALGORITHM} Credential=${credential},SignedHeaders=${names.join(';')},Signature=${signature}`
}

/** Verifies the signature of a request without a body; null when it is right. */
export function verifySignature(
  request: SignedRequest,
  keys: Keys & { readonly nowMs: number },
): S3Error | null {
  const authorization = headerText(request.headers.authorization)
  if (authorization === '') return refuse(403, 'AccessDenied', 'Access Denied.')
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([^/,\s]+)\/([^/,\s]+)\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  const malformed = (message: string) => refuse(400, 'AuthorizationHeaderMalformed', message)
  if (!parts) return malformed('The authorization header is malformed.')
  const [, accessKey, day, region, service, signed, signature] = parts as unknown as string[]
  const at = headerText(request.headers['x-amz-date'])
  const atMs = readStamp(at)
  if (atMs === null) {
    return refuse(
      403,
      'AccessDenied',
      'AWS authentication requires a valid Date or x-amz-date header',
    )
  }
  if (!at.startsWith(day!))
    return malformed('The date in the credential is not that of x-amz-date.')
  if (service !== SERVICE || region !== keys.region) {
    return malformed(`The region '${region}' is wrong; expecting '${keys.region}'`)
  }
  const names = signed!.split(';')
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every(name => names.includes(name))) {
    return refuse(
      403,
      'AccessDenied',
      'There were headers present in the request which were not signed',
    )
  }
  if (Math.abs(atMs - keys.nowMs) > SKEW_MS) {
    const message = 'The difference between the request time and the current time is too large.'
    return refuse(403, 'RequestTimeTooSkewed', message)
  }
  if (accessKey !== keys.accessKey) {
    const message = 'The AWS Access Key Id you provided does not exist in our records.'
    return refuse(403, 'InvalidAccessKeyId', message)
  }
  const hash = headerText(request.headers['x-amz-content-sha256'])
  if (hash !== EMPTY_SHA256 && hash !== 'UNSIGNED-PAYLOAD') {
    const message = "The provided 'x-amz-content-sha256' header does not match what was computed."
    return refuse(400, 'XAmzContentSHA256Mismatch', message)
  }
  const expected = computeSignature(request, keys, names)
  if (timingSafeEqual(Buffer.from(expected), Buffer.from(signature!))) return null
  const message =
    'The request signature we calculated does not match the signature you provided. ' +
    'Check your key and signing method.'
  return refuse(403, 'SignatureDoesNotMatch', message)
}

const refuse = (status: number, code: string, message: string): S3Error => ({
  status,
  code,
  message,
})

/** Milliseconds of a stamp such as 20130524T000000Z. */
function readStamp(text: string): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (!parts) return null
  const [, year, month, day, hour, minute, second] = parts
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
