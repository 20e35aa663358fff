import { z } from 'zod'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'
import { CALLS_PER_MINUTE_MAX } from '../accounts/products.ts'
import { codedErrors } from '../platform/http/errorDocs.ts'
import {
  CACHING,
  headerText,
  IGNORED,
  REQUEST_ID,
  RETRY_AFTER,
  UNREAD_ERRORS,
} from '../platform/http/openapi.ts'
import { LIVE_ERRORS, type LiveCode } from './errors.ts'

/** Describes the responses of the levels API in OpenAPI, including errors and headers. */

/** Headers that an error sent as 200 may lack. */
const RATE_LIMIT = {
  'RateLimit-Policy': headerText(
    'Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).',
    '^"minute";q=\\d+;w=60$',
    `"minute";q=${CALLS_PER_MINUTE_MAX};w=60`,
  ),
  RateLimit: headerText(
    'Calls left in the minute, and seconds until the next one.',
    '^"minute";r=\\d+;t=\\d+$',
    `"minute";r=${CALLS_PER_MINUTE_MAX - 1};t=41`,
  ),
}
const SERVICE_STATUS = {
  'X-Service-Status': {
    description: 'With `errors=200`: the real status.',
    schema: { type: 'string' as const, pattern: '^\\d{3}$' },
    example: '200',
  },
}
const ITEM_ERROR_TEXT = {
  'X-Contract': {
    description: 'Beside tables of a future: the contract it stands for.',
    schema: { type: 'string' as const },
    example: 'ESZ6',
  },
  'X-Symbol-Errors': {
    description: 'Beside text: the symbols that failed, each with its code.',
    schema: { type: 'string' as const },
    example: 'QQQ=unknown_symbol',
  },
}

/** Errors of any call, whatever it requests. */
const KEYED: readonly LiveCode[] = [
  ...UNREAD_ERRORS,
  'no_key',
  'bad_key',
  'live_required',
  'too_many_places',
  'rate_limited',
  'method_not_allowed',
  'not_acceptable',
  'internal',
]

/** Fields next to a code. */
const EXTRAS = {
  retry_after_s: { schema: z.int().min(0), example: 41 },
  pricing: { schema: z.string(), example: '/pricing' },
  oldest: { schema: z.string(), example: '2026-07-17' },
  live: { schema: z.array(z.string()), example: ['ESZ6'] },
  next_update_s: { schema: z.int().nullable(), example: 60 },
} as const

export type LiveOperationResponses = {
  readonly summary: string
  /** Schema of the JSON response; null when there is none. */
  readonly response: z.ZodType | null
  /** Other content types of the response, each with an example. */
  readonly otherTypes: Readonly<Record<string, string>>
  readonly codes: readonly LiveCode[]
}

/** All responses of an operation of the levels API. */
export function liveResponses(responses: LiveOperationResponses): ZodOpenApiResponsesObject {
  const { summary, response, otherTypes, codes } = responses
  const loose = mayLack({ ...RATE_LIMIT, ETag: CACHING.ETag, Vary: CACHING.Vary, ...CACHE_HEADERS })
  const headers = { ...REQUEST_ID, ...loose, ...IGNORED, ...SERVICE_STATUS }
  const others = Object.entries(otherTypes).map(([type, example]) => {
    return [type, example === '' ? {} : { schema: { type: 'string' as const }, example }] as const
  })
  const example = response?.meta()?.example
  const schema = response ? z.union([response, ErrorAs200]) : ErrorAs200
  const json = { 'application/json': { schema, ...(example ? { example } : {}) } }
  const all = LIVE_ERRORS.rows.filter(row => [...KEYED, ...codes].includes(row.code as LiveCode))
  return {
    '200': {
      description: summary,
      headers: { ...headers, ...(others.length > 0 ? ITEM_ERROR_TEXT : {}) },
      content: { ...json, ...Object.fromEntries(others) },
    },
    '304': { description: 'What the client has is the newest there is.', headers },
    ...codedErrors(all, EXTRAS, status => ({
      ...SERVICE_STATUS,
      ...(status === 503 ? RETRY_AFTER : {}),
    })),
  }
}

const CACHE_HEADERS = {
  'Cache-Control': headerText(
    'no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.',
    '^(private, (no-cache|max-age=60)|no-store)$',
    'private, no-cache',
  ),
}

const mayLack = <Header extends object>(headers: Readonly<Record<string, Header>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [name, { ...header, required: false }]),
  )

const ErrorAs200 = z
  .looseObject({
    error: z.looseObject({
      code: z.enum(LIVE_ERRORS.rows.map(({ code }) => code)),
      message: z.string(),
      ...Object.fromEntries(
        Object.entries(EXTRAS).map(([name, { schema }]) => [name, schema.optional()]),
      ),
    }),
  })
  .meta({
    id: 'ErrorAs200',
    description: 'An error, where `errors=200` asks for it; X-Service-Status has its status.',
  })
