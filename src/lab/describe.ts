import { z } from 'zod'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import { MESSAGES_PER_DAY_MAX } from '../accounts/products.ts'
import { pick } from '../core/text/values.ts'
import { flag } from '../platform/http/fields.ts'
import {
  CACHING,
  describedBy,
  errorsByStatus,
  IGNORED,
  isTimed,
  type OperationText,
  RATE_LIMIT,
  REPEAT_HEADER,
  REPLAYED,
  REQUEST_ID,
  RETRY_AFTER,
  UNREAD_ERRORS,
} from '../platform/http/openapi.ts'
import { LAB_ERRORS } from './errors.ts'

/** OpenAPI descriptions of the LAB operations. */

const TAG = 'LAB'

/** Errors that any call may return. */
const ALWAYS: readonly string[] = [...UNREAD_ERRORS, 'no_key', 'no_credits', 'method', 'internal']

/** Examples shown next to the sentence. */
const SHOWN = {
  buy: 'lab',
  holder: 'i_4fQ8sK2mZx0T',
  refunded: true,
  job: 'j_4fQ8sK2mZx0T',
} as const

/** Headers of a message that was counted; a repeat is not. */
const MESSAGES_LEFT = {
  'RateLimit-Policy': {
    ...RATE_LIMIT['RateLimit-Policy'],
    required: false,
    example: `"day";q=${MESSAGES_PER_DAY_MAX};w=86400`,
    description: 'Messages a day of the account (draft-ietf-httpapi-ratelimit-headers).',
  },
  RateLimit: {
    ...RATE_LIMIT.RateLimit,
    required: false,
    example: '"day";r=4999;t=52200',
    description: 'Messages left today, and seconds until midnight ET.',
  },
}

const LabFailure = z
  .looseObject({
    error: z.string().describe('What is wrong, in one sentence.'),
    buy: z.string().optional().describe('The product to buy.'),
    holder: z.string().optional().describe('The idea on the conveyor.'),
    job: z.string().optional().describe('The test that is under way, or failed.'),
    refunded: flag('Whether the credit was given back.').optional(),
  })
  .meta({ id: 'LabFailure', description: 'How the LAB API says what is wrong.' })

function failures(codes: readonly string[]) {
  const listed = LAB_ERRORS.rows.filter(({ code }) => [...ALWAYS, ...codes].includes(code))
  return errorsByStatus(listed, (_, status) => ({
    schema: LabFailure,
    example: ({ meaning, sentence, extras = [], always = {} }) => ({
      error: sentence ?? `${meaning}.`,
      ...always,
      ...pick(SHOWN, extras as (keyof typeof SHOWN)[]),
    }),
    headers: {
      ...(isTimed(status) ? RETRY_AFTER : {}),
      ...(status === 429 ? MESSAGES_LEFT : {}),
    },
    toText: ({ meaning }) => meaning,
  }))
}

type Reading = OperationText & {
  readonly query?: z.ZodObject
  readonly response: z.ZodType
  readonly codes: readonly string[]
  readonly otherTypes?: readonly string[]
}

/** Describes a read operation; `otherTypes` are media types offered next to JSON. */
export function describeReading(reading: Reading): { readonly get: ZodOpenApiOperationObject } {
  const { query, response, codes, otherTypes = [], ...text } = reading
  const headers = { ...REQUEST_ID, ...CACHING, ...IGNORED }
  return {
    get: {
      ...describedBy(text, TAG, 'labKey'),
      ...(query ? { requestParams: { query } } : {}),
      responses: {
        '200': {
          description: text.summary,
          headers,
          content: {
            'application/json': { schema: response },
            ...Object.fromEntries(otherTypes.map(type => [type, {}])),
          },
        },
        '304': {
          description: 'What the client has, by its If-None-Match, is the newest there is.',
          headers,
        },
        ...failures(['not_acceptable', ...codes]),
      },
    },
  }
}

/** Errors of every operation with a body. */
const OF_BODIES = ['unsupported_media_type', 'body_too_large', 'bad_json', 'invalid'] as const

type Changing = OperationText & {
  readonly body: z.ZodType
  readonly examples: Readonly<Record<string, object>>
  /** Responses by status, each with a short description. */
  readonly responses: Readonly<Record<'200' | '202', readonly [string, z.ZodType] | null>>
  readonly codes: readonly string[]
  /** True when the request may be repeated with its idempotency key. */
  readonly isRepeatable: boolean
  /** Additional request headers. */
  readonly headers?: z.ZodRawShape
}

/** Describes an operation that takes a JSON body. */
export function describeChange(changing: Changing): { readonly post: ZodOpenApiOperationObject } {
  const { body, responses, codes, isRepeatable, headers: sent = {}, examples, ...text } = changing
  const given = { ...(isRepeatable ? REPEAT_HEADER.shape : {}), ...sent }
  const headers = {
    ...REQUEST_ID,
    ...IGNORED,
    ...(isRepeatable ? REPLAYED : {}),
    ...(changing.codes.includes('rate') ? MESSAGES_LEFT : {}),
  }
  const responseEntries = Object.entries(responses).flatMap(([status, response]) => {
    if (!response) return []
    const [description, schema] = response
    const content = { 'application/json': { schema } }
    return [[status, { description, headers, content }] as const]
  })
  const shown = Object.entries(examples).map(([name, value]) => [name, { value }])
  const reused = isRepeatable ? ['idempotency_key_reused'] : []
  return {
    post: {
      ...describedBy(text, TAG, 'labKey'),
      ...(Object.keys(given).length > 0 ? { requestParams: { header: z.object(given) } } : {}),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body, examples: Object.fromEntries(shown) } },
      },
      responses: {
        ...Object.fromEntries(responseEntries),
        ...failures([...OF_BODIES, ...reused, ...codes]),
      },
    },
  }
}
