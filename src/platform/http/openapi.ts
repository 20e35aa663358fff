import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { type ErrorCode, errorRow } from './error.ts'
import { EVENT_STREAM_TYPE, STREAM_WORDS } from './eventStream.ts'
import { param } from './fields.ts'

/** Headers of every response, and of every counted one, in OpenAPI. */
export const headerText = (description: string, pattern: string, example: string) => ({
  description,
  required: true,
  schema: { type: 'string' as const, pattern },
  example,
})

export const REQUEST_ID = {
  'X-Request-Id': headerText(
    "The call's id: the client's own, when it sent one of up to 64 safe characters.",
    '^[\\w.:-]{1,64}$',
    '5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11',
  ),
}

export const RATE_LIMIT = {
  'RateLimit-Policy': headerText(
    'Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).',
    '^"day";q=\\d+;w=86400$',
    '"day";q=20000;w=86400',
  ),
  RateLimit: headerText(
    'Calls left today, and seconds until midnight ET.',
    '^"day";r=\\d+;t=\\d+$',
    '"day";r=19999;t=52200',
  ),
}

export const RETRY_AFTER = {
  'Retry-After': headerText('Seconds to wait; equal to `retry_after_s`.', '^\\d+$', '3600'),
}

export const IGNORED = {
  'X-Ignored-Params': {
    description:
      'Query parameters that were not understood, and had no effect; keys in them are cut.',
    schema: { type: 'string' as const },
    example: 'Day',
  },
}

/** Header of a change that was already made. */
export const REPLAYED = {
  'Idempotency-Replayed': {
    description: 'Present when the change was made before, and its answer is given again.',
    schema: { type: 'string' as const, enum: ['true'] },
    example: 'true',
  },
}

export const CACHING = {
  ETag: headerText(
    'Strong validator, the same for every key.',
    '^"[\\w-]+"$',
    '"71c073bd1dbb974a"',
  ),
  'Cache-Control': headerText(
    'no-cache for the newest session, one minute for earlier ones.',
    '^private, (no-cache|max-age=60)$',
    'private, no-cache',
  ),
  Vary: headerText(
    'What else the answer depends on.',
    'Accept',
    'Accept, Accept-Encoding, Authorization',
  ),
}

const allowHeader = { Allow: headerText('Methods there are.', '^GET', 'GET, HEAD, OPTIONS') }

/** Errors of a call that was not read. */
export const UNREAD_ERRORS = [
  'bad_request',
  'request_timeout',
  'headers_too_large',
  'unavailable',
] as const satisfies readonly ErrorCode[]

/** Errors of any call with a key, whatever it requests. */
const KEYED_ERRORS: readonly ErrorCode[] = [
  ...UNREAD_ERRORS,
  'no_key',
  'plan',
  'rate',
  'method',
  'internal',
]

/** Errors of a page without a key. */
export const KEYLESS_ERRORS: readonly ErrorCode[] = [...UNREAD_ERRORS, 'rate', 'method', 'internal']

/** Response of a page without a key: with a validator, which may change within a second. */
export function pageResponses(description: string, schema: z.ZodType) {
  const headers = { ...REQUEST_ID, ETag: CACHING.ETag }
  return {
    '200': { description, headers, content: { 'application/json': { schema } } },
    '304': { description: 'The client has this version.', headers },
  }
}

export type KeyedOperation = OperationText & {
  readonly query?: z.ZodObject
  /** Schema of the JSON response, and its other formats. */
  readonly response: z.ZodType
  readonly otherTypes?: readonly string[]
  readonly errors?: readonly ErrorCode[]
}

/** A read operation with a key, with all its responses, errors and headers. */
export function keyedOperation(
  tag: string,
  operation: KeyedOperation,
): { readonly get: ZodOpenApiOperationObject } {
  const { summary, query, response } = operation
  const otherTypes = (operation.otherTypes ?? []).map(type => [type, {}] as const)
  const ofTables = {
    'X-Note': { description: 'Beside a table: what `note` is in JSON.', schema: {} },
    'X-Tape-Grade': { description: 'Beside a table: the grade of its tape.', schema: {} },
    'X-Tape-Gaps': {
      description: 'Beside a table: the gaps of its tape, such as `10:01-10:03, 11:15`.',
      schema: {},
    },
    'X-Simulated': {
      description: '`true` when the tape was made by the simulator: no such trades took place.',
      schema: {},
    },
  }
  const headers = {
    ...REQUEST_ID,
    ...RATE_LIMIT,
    ...CACHING,
    ...IGNORED,
    ...(otherTypes.length > 0 ? ofTables : {}),
  }
  return {
    get: {
      ...describedBy(operation, tag, 'apiKey'),
      ...(query ? { requestParams: { query } } : {}),
      responses: {
        '200': {
          description: summary,
          headers,
          content: { ...jsonContent(response), ...Object.fromEntries(otherTypes) },
        },
        '304': {
          description: 'What the client has, by its If-None-Match, is the newest there is.',
          headers,
        },
        ...errorResponses([...KEYED_ERRORS, 'not_acceptable', ...(operation.errors ?? [])]),
      },
    },
  }
}

/** A stream of events with a key; `example` is one of them. */
export function streamOperation(
  tag: string,
  operation: Omit<KeyedOperation, 'response' | 'otherTypes'> & { readonly example: string },
): { readonly get: ZodOpenApiOperationObject } {
  const { summary, query, example, errors = [] } = operation
  const schema = { type: 'string' as const }
  return {
    get: {
      ...describedBy(
        { ...operation, description: `${operation.description} ${STREAM_WORDS}` },
        tag,
        'apiKey',
      ),
      requestParams: { header: LAST_EVENT_HEADER, ...(query ? { query } : {}) },
      responses: {
        '200': {
          description: summary,
          headers: { ...REQUEST_ID, ...RATE_LIMIT, ...IGNORED },
          content: { [EVENT_STREAM_TYPE]: { schema, example } },
        },
        ...errorResponses([...KEYED_ERRORS, 'not_acceptable', ...errors]),
      },
    },
  }
}

/** Header of a client that comes back to a stream. */
export const LAST_EVENT_HEADER = z.object({
  'Last-Event-ID': param(
    z.string().optional(),
    'Id of the last event the client has.',
    '2026-10-15T11:14',
  ),
})

/** Header of a change that a client may repeat. */
export const REPEAT_HEADER = z.object({
  'Idempotency-Key': param(
    z.string().min(1).max(255).optional(),
    'Printable ASCII, new for each change, such as a UUID.',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
  ),
})

/** Describes repeated changes. */
export const REPEAT_WORDS = `The answer to a change with an \`Idempotency-Key\` is kept for 24
hours: the same change with the same key is answered again, with \`Idempotency-Replayed: true\`, and
not made again; another one is 422 \`idempotency_key_reused\`. What was refused is not kept.
The keys of an account are of all its operations together, and those of two accounts are apart.`

export type KeyedChange = Omit<KeyedOperation, 'query' | 'otherTypes'> & {
  readonly body: z.ZodType
  /** Example bodies, by purpose. */
  readonly examples: Readonly<Record<string, object>>
}

/** A write operation with a key and a JSON body. */
export function keyedChange(
  tag: string,
  operation: KeyedChange,
): { readonly post: ZodOpenApiOperationObject } {
  const { summary, body, response } = operation
  const examples = Object.entries(operation.examples).map(([name, value]) => [name, { value }])
  return {
    post: {
      ...describedBy(operation, tag, 'apiKey'),
      requestParams: { header: REPEAT_HEADER },
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body, examples: Object.fromEntries(examples) } },
      },
      responses: {
        '200': {
          description: summary,
          headers: { ...REQUEST_ID, ...RATE_LIMIT, ...IGNORED, ...REPLAYED },
          content: jsonContent(response),
        },
        ...errorResponses([...KEYED_ERRORS, ...(operation.errors ?? [])]),
      },
    },
  }
}

export type OperationText = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** Day from which it is available; the changelog says what came then. */
  readonly since: string
}

/** The first fields of every operation; `keys` open it. */
export const describedBy = (
  { operationId, summary, description, since }: OperationText,
  tag: string,
  ...keys: string[]
) => ({
  operationId,
  tags: [tag],
  summary,
  description: `${description}\n\nAvailable since ${since}.`,
  security: keys.map(key => ({ [key]: [] })),
})

export function jsonContent(response: z.ZodType) {
  const example = response.meta()?.example
  return { 'application/json': { schema: response, ...(example ? { example } : {}) } }
}

/**
 * One response per status, for all its codes; counted calls include the rest of the day's limit.
 */
export function errorResponses(
  codes: readonly ErrorCode[],
  { isCounted = true } = {},
): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  return errorsByStatus(codes.map(errorRow), (same, status) => ({
    schema: errorSchema(
      same.map(({ code }) => code),
      isTimed(status) ? { retry_after_s: z.int().min(0) } : {},
    ),
    example: ({ code, meaning: message }) => {
      const wait = isTimed(status) ? { retry_after_s: status === 429 ? 3600 : 1 } : {}
      return { error: { code, message, ...wait } }
    },
    headers: {
      ...(status === 429 && isCounted ? RATE_LIMIT : {}),
      ...(isTimed(status) ? RETRY_AFTER : {}),
    },
  }))
}

type Row = { readonly code: string; readonly status: number; readonly meaning: string }

/** True for a status after which the same call may be made again. */
export const isTimed = (status: number): boolean => status === 429 || status === 503

/** One response per status of rows of a catalogue, with an example of each code. */
export function errorsByStatus<ErrorRow extends Row>(
  rows: readonly ErrorRow[],
  describe: (
    same: readonly ErrorRow[],
    status: number,
  ) => {
    readonly schema: z.ZodType
    readonly example: (row: ErrorRow) => object
    readonly headers: ZodOpenApiResponseObject['headers']
    /** By default the code and its meaning. */
    readonly toText?: (row: ErrorRow) => string
  },
): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(rows, ({ status }) => status)
  const responses = [...byStatus].map(([status, same]) => {
    const { schema, example, headers, toText = codeAndMeaning } = describe(same, status)
    const examples = same.map(row => [row.code, { value: example(row) }] as const)
    const response: ZodOpenApiResponseObject = {
      description: same.map(toText).join('; '),
      headers: { ...REQUEST_ID, ...(status === 405 ? allowHeader : {}), ...headers },
      content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
    }
    return [String(status), response]
  })
  return Object.fromEntries(responses)
}

const codeAndMeaning = ({ code, meaning }: Row) => `\`${code}\`: ${meaning}`

/** The envelope, with its possible codes and what may stand next to them. */
export const errorSchema = (
  codes: readonly string[],
  extras: Readonly<Record<string, z.ZodType>>,
): z.ZodType =>
  z.looseObject({
    error: z.looseObject({
      code: z.enum(codes as [string, ...string[]]).describe('Stable: branch on it.'),
      message: z.string().describe('What is wrong, in words; may change.'),
      ...extras,
    }),
  })
