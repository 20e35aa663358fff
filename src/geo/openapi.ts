import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { param, text } from '../platform/http/fields.ts'
import {
  CACHING,
  describedBy,
  errorsByStatus,
  headerText,
  IGNORED,
  isTimed,
  type OperationText,
  REQUEST_ID,
  RETRY_AFTER,
  UNREAD_ERRORS,
} from '../platform/http/openapi.ts'
import { DELIVERY_RULES } from '../platform/webhooks/delivery.ts'
import { GEO_ERRORS } from './errors.ts'
import {
  CountriesResponse,
  GeoHealthResponse,
  GeoUsageResponse,
  ItemsResponse,
  RecordEvent,
  SourcesResponse,
  WeeksResponse,
} from './schema.ts'

const TAG = 'Geo'

const GeoFailure = z
  .looseObject({ error: z.string().describe('What is wrong, in one sentence.') })
  .meta({ id: 'GeoFailure', description: 'How the Geo API says what is wrong.' })

const MONTH = {
  'RateLimit-Policy': headerText(
    'Calls a UTC month of the account (draft-ietf-httpapi-ratelimit-headers).',
    '^"month";q=\\d+;w=\\d+$',
    '"month";q=10000;w=2678400',
  ),
  RateLimit: headerText(
    'Calls left this month, and seconds until the next one.',
    '^"month";r=\\d+;t=\\d+$',
    '"month";r=9690;t=1468800',
  ),
}

/** Errors that any call may return, and those of calls with a key. */
const ALWAYS = [...UNREAD_ERRORS, 'rate', 'method', 'not_acceptable', 'damaged', 'internal']
const KEYED = ['no_key', 'plan']

function failures(codes: readonly string[], isKeyed: boolean) {
  const listed = [...ALWAYS, ...codes, ...(isKeyed ? KEYED : [])]
  const rows = GEO_ERRORS.rows.filter(({ code }) => listed.includes(code))
  return errorsByStatus(rows, (_, status) => ({
    schema: GeoFailure,
    example: ({ meaning }) => ({ error: `${meaning}.` }),
    headers: {
      ...(isTimed(status) ? RETRY_AFTER : {}),
      ...(status === 429 && isKeyed ? MONTH : {}),
    },
    toText: ({ meaning }) => meaning,
  }))
}

const CSV_EXAMPLE = `id,kind,week,date,country,code,label,events,mentions,goldstein,url,source,…
geo_0300fe68dd56b58d,release,2026-W42,2026-10-15,US,180,jobless claims,,,,https://…,fred,…
`

type GeoReading = OperationText & {
  readonly query?: z.ZodObject
  /** Schema of the JSON; left out, the response is CSV. */
  readonly response?: z.ZodType
  readonly isKeyed?: boolean
  /** True when its calls are counted. */
  readonly isCounted?: boolean
}

function reading(operation: GeoReading): { readonly get: ZodOpenApiOperationObject } {
  const { summary, query, response, isKeyed = false } = operation
  const { isCounted = isKeyed } = operation
  const { 'Cache-Control': caching, Vary: vary, ...etag } = CACHING
  const ofJson = response ? { 'Cache-Control': caching, Vary: vary } : {}
  const headers = {
    ...REQUEST_ID,
    ...etag,
    ...ofJson,
    ...IGNORED,
    ...(isCounted ? MONTH : {}),
  }
  return {
    get: {
      ...describedBy(operation, TAG, ...(isKeyed ? ['geoKey'] : [])),
      ...(query ? { requestParams: { query } } : {}),
      responses: {
        '200': {
          description: summary,
          headers,
          content: response
            ? { 'application/json': { schema: response } }
            : { 'text/csv': { schema: { type: 'string' }, example: CSV_EXAMPLE } },
        },
        '304': { description: 'The client has this answer, by its If-None-Match.', headers },
        ...failures(query ? ['invalid'] : [], isKeyed),
      },
    },
  }
}

const named = (description: string, example: string) =>
  param(z.string().optional(), description, example)

const week = named('An ISO week; instead of `from` and `to`.', '2026-W42')
const range = {
  week,
  from: named('The first day, UTC.', '2026-10-12'),
  to: named('The last day, UTC; left out, today.', '2026-10-18'),
  country: named('Countries, ISO 3166, with commas between; 20 at most.', 'UA,IL'),
  kind: named('`event` or `release`; left out, both.', 'event'),
}
const page = {
  ...range,
  limit: named('Items of a page, 1 to 1000; left out, 100.', '100'),
  cursor: z.string().optional().describe('`next_cursor` of the page before.'),
}

const ITEMS = `What was reported of each country, day and kind of event, and US releases, newest day
first. All pages of a list tell what was known at the instant of its first one.`

/** The operations of the Geo API. */
export const geoPaths: ZodOpenApiPathsObject = {
  '/geo/items': reading({
    operationId: 'readGeoItems',
    since: '2026-11-26',
    summary: 'Items of the last 30 days',
    description: `${ITEMS} Without \`week\` and \`from\`, all of the 30 days.`,
    query: z.object(page),
    response: ItemsResponse,
  }),
  '/geo/weeks': reading({
    operationId: 'readGeoWeeks',
    since: '2026-11-26',
    summary: 'Weeks of the last 30 days',
    description: 'How much each week has, whether it is complete, and its SPX sessions.',
    response: WeeksResponse,
  }),
  '/geo/countries': reading({
    operationId: 'readGeoCountries',
    since: '2026-11-26',
    summary: 'Countries of a week',
    description: 'How much was reported of each country; left out, `week` is the one of now.',
    query: z.object({ week }),
    response: CountriesResponse,
  }),
  '/geo/health': reading({
    operationId: 'readGeoHealth',
    since: '2026-11-26',
    summary: 'How new the records are',
    description: 'Up to when each source is known.',
    response: GeoHealthResponse,
  }),
  '/geo/v1/items': reading({
    operationId: 'readGeoItemsOfAnyDay',
    since: '2026-11-26',
    summary: 'Items of any days',
    description: `${ITEMS} 366 days at most in one question.`,
    query: z.object(page),
    response: ItemsResponse,
    isKeyed: true,
  }),
  '/geo/v1/sources': reading({
    operationId: 'readGeoSources',
    since: '2026-11-26',
    summary: 'Sources',
    description: 'Whose records they are, what may be done with them, and how to cite them.',
    response: SourcesResponse,
    isKeyed: true,
  }),
  '/geo/v1/usage': reading({
    operationId: 'readGeoUsage',
    since: '2026-11-26',
    summary: 'Calls of the month',
    description: 'How many calls of the UTC month are used. It is no call itself.',
    response: GeoUsageResponse,
    isKeyed: true,
    isCounted: false,
  }),
  '/geo/v1/export.csv': reading({
    operationId: 'readGeoExport',
    since: '2026-11-26',
    summary: 'Items as CSV',
    description: 'All items of 92 days at most, as one call: the pages of `/v1/items` in one.',
    query: z.object(range),
    isKeyed: true,
  }),
}

const header = (description: string) => text(description)

/** OpenAPI description of the webhook of public records. */
export const geoWebhooks = {
  geo: {
    post: {
      operationId: 'geoEvent',
      tags: ['Geo'],
      summary: 'Public records that became known, or a test',
      description: DELIVERY_RULES,
      security: [],
      requestParams: {
        header: z.object({
          'X-Geo-Event': header('Type of the event.'),
          'X-Geo-Event-Id': header('Id of the event, as in the body.'),
          'X-Geo-Signature': header(
            '`t=`, when this try was signed in Unix seconds, `,v1=` and the HMAC-SHA256, in ' +
              'hexadecimal, of that time, a dot and the raw body; its key is the whole secret.',
          ),
        }),
      },
      requestBody: {
        required: true,
        content: { 'application/json': { schema: RecordEvent } },
      },
      responses: {
        '2XX': { description: 'Taken.' },
        '4XX': { description: 'Refused: it is not tried again, but for 429.' },
      },
    },
  },
} satisfies ZodOpenApiPathsObject
