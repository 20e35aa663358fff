import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { EVENT_STREAM_TYPE, STREAM_WORDS } from '../platform/http/eventStream.ts'
import { Day, Minute, param } from '../platform/http/fields.ts'
import { describedBy, LAST_EVENT_HEADER, type OperationText } from '../platform/http/openapi.ts'
import { EXPIRY_BUCKETS, EXPOSURES } from './expiries.ts'
import { FLOW_PARTS, FLOW_SPANS } from './flowFields.ts'
import { TEXT_STYLES } from './levelsText.ts'
import { liveResponses } from './responseDocs.ts'
import { ExpectedMove, Flow, Gamma, History, Key, Levels, Symbols } from './schema.ts'

const TAG = 'Levels'

const sym = (description: string, example: string) => param(z.string(), description, example)

const COMMON = {
  book: param(z.enum(['vol', 'oi']).optional(), 'The book; left out, the measured one.', 'vol'),
  errors: param(
    z.literal('200').optional(),
    'Errors are answered as 200, the real status in X-Service-Status.',
    '200',
  ),
}
const g = (description: string) =>
  param(z.coerce.number().int().min(0).max(30).optional(), description, 5)
const pastDay = param(
  Day.optional(),
  'A session before today (ET); left out, the newest one.',
  '2026-10-14',
)
const time = param(
  Minute.optional(),
  'State minute, 09:31 to 15:59 ET (12:59 on half days); left out, the newest.',
  '11:14',
)

const at = { ...COMMON, day: pastDay, time }
const AS_OF_CODES = ['bad_book', 'bad_g', 'bad_day', 'bad_time', 'not_finished'] as const
const SYMBOL_CODES = ['unknown_symbol', 'contract_not_live', 'no_basis', 'no_data'] as const
const QUERY_CODES = [
  'missing_sym',
  'too_many_symbols',
  ...AS_OF_CODES,
  'history_too_old',
  ...SYMBOL_CODES,
  'damaged',
] as const

type Described = OperationText & {
  readonly query: z.ZodObject
  readonly response: z.ZodType | null
  readonly otherTypes?: Readonly<Record<string, string>>
  readonly codes: Parameters<typeof liveResponses>[0]['codes']
  readonly hasAddressKey?: boolean
  readonly header?: z.ZodObject
}

function operation(described: Described): { get: ZodOpenApiOperationObject } {
  const { query, response, otherTypes = {}, codes, hasAddressKey = false, header } = described
  const keys = ['liveKey', ...(hasAddressKey ? ['addressKey'] : [])]
  return {
    get: {
      ...describedBy(described, TAG, ...keys),
      requestParams: { query, ...(header ? { header } : {}) },
      responses: liveResponses({ summary: described.summary, response, otherTypes, codes }),
    },
  }
}

const one = sym('One symbol, in any case.', 'SPX')
const some = (max: number) => sym(`1 to ${max} symbols, with commas between them.`, 'SPX,XSP')
const gex = g('How many of the strikes with most net gamma are added.')

const expiry = param(
  z.enum(EXPIRY_BUCKETS).optional(),
  'The expiries whose levels are wanted; left out, all.',
  '0dte',
)
const exposure = param(
  z.enum(EXPOSURES).optional(),
  'The exposure wanted by strike and expiry; left out, none.',
  'vanna',
)

const EVENT_EXAMPLE =
  'id: 2026-10-15T11:14\nevent: levels\ndata: {"day":"2026-10-15","time":"11:14","symbols":[]}\n\n'
const PAIRS = '$SPX: Call Wall, 6000, Put Wall, 5900, Flip, 5995.93\n'
const NOTES =
  'Symbol,Price Level,Note,Foreground Color,Background Color,Text Alignment,Diameter,' +
  'Draw Note Price Horizontal Line\r\nSPX,6000,Call wall,#FFFFFF,#008000,left,1,TRUE\r\n'

/** The operations of the levels API. */
export const levelsPaths: ZodOpenApiPathsObject = {
  '/api/v1/levels': operation({
    operationId: 'readLevels',
    since: '2026-11-26',
    summary: 'Flip, walls and net gamma of symbols',
    description: `Levels of the newest minute, or of any minute of a past session. Among several
symbols, one that fails has an \`error\` of its own and the others are answered. \`expiry\` asks for the
levels of the expiry of the session or of the next one alone, and how much gamma leaves when.`,
    query: z.object({ sym: some(20), ...at, g: gex, expiry }),
    response: Levels,
    codes: [...QUERY_CODES, 'bad_expiry'],
  }),
  '/api/v1/gamma': operation({
    operationId: 'readGamma',
    since: '2026-11-26',
    summary: 'Gamma by strike and over the index',
    description:
      'The ladder of strikes within 300 points of the index, and the curve of net gamma; with ' +
      '`exposure` also the delta, gamma, vanna or charm of dealers by strike and expiry.',
    query: z.object({
      sym: one,
      ...at,
      g: g('How many strikes, ranked; 0 is the whole ladder.'),
      exposure,
    }),
    response: Gamma,
    codes: [...QUERY_CODES, 'bad_exposure'],
  }),
  '/api/v1/history': operation({
    operationId: 'readHistory',
    since: '2026-11-26',
    summary: 'Every minute of a past session',
    description:
      'Columns in JSON; rows in `text/csv` and as an Arrow stream, by the Accept header.',
    query: z.object({
      sym: one,
      ...COMMON,
      day: param(Day, 'A past session.', '2026-10-14'),
    }),
    response: History,
    otherTypes: { 'text/csv': '', 'application/vnd.apache.arrow.stream': '' },
    codes: QUERY_CODES,
  }),
  '/api/v1/flow': operation({
    operationId: 'readFlow',
    since: '2026-11-27',
    summary: 'Delta and gamma that customers bought, minute by minute',
    description: `Delta and gamma that customers bought less what they sold, by whole order at its
expected side, each with a 90 % interval; of the newest session or of a past one, up to a minute.
Columns in JSON; rows in \`text/csv\` and as an Arrow stream, by the Accept header.`,
    query: z.object({
      sym: one,
      ...at,
      part: param(z.enum(FLOW_PARTS).optional(), 'The legs that count; left out, all.', '0dte'),
      span: param(
        z.enum(FLOW_SPANS).optional(),
        'The day so far, or the last five minutes; left out, the day.',
        '5m',
      ),
    }),
    response: Flow,
    otherTypes: { 'text/csv': '', 'application/vnd.apache.arrow.stream': '' },
    codes: [
      'missing_sym',
      'too_many_symbols',
      'bad_book',
      'bad_part',
      'bad_span',
      'bad_day',
      'bad_time',
      'not_finished',
      'spx_only',
      'history_too_old',
      'no_data',
      'damaged',
    ],
  }),
  '/api/v1/stream': operation({
    operationId: 'readLevelsStream',
    since: '2026-11-27',
    summary: 'The levels of each new state as it is published',
    description: `The body of \`/api/v1/levels\` of each state, as the event \`levels\`; \`none\` with a
\`reason\` where it has none. ${STREAM_WORDS}`,
    query: z.object({ sym: some(20), ...COMMON, g: gex, expiry }),
    header: LAST_EVENT_HEADER,
    response: null,
    otherTypes: { [EVENT_STREAM_TYPE]: EVENT_EXAMPLE },
    codes: ['missing_sym', 'too_many_symbols', 'bad_book', 'bad_g', 'bad_expiry', 'unknown_symbol'],
  }),
  '/api/v1/symbols': operation({
    operationId: 'readSymbols',
    since: '2026-11-26',
    summary: 'The symbols that have levels',
    description: 'Each with its books, and whether the newest session has a reading of it.',
    query: z.object({ errors: COMMON.errors }),
    response: Symbols,
    codes: ['damaged'],
  }),
  '/api/v1/expected_move': operation({
    operationId: 'readExpectedMove',
    since: '2026-11-26',
    summary: 'How far the index was expected to move',
    description: 'What remains of the move to the PM close, and the range of the session by it.',
    query: z.object({ sym: one, ...at }),
    response: ExpectedMove,
    codes: [...QUERY_CODES, 'spx_only'],
  }),
  '/api/v1/levels.txt': operation({
    operationId: 'readLevelsText',
    since: '2026-11-26',
    summary: 'Levels as text for charts',
    description: `A line a symbol; what is null is left out, and symbols that fail are named in the
header X-Symbol-Errors. A platform that can send no header gives a key that was made for addresses
as \`key\`.`,
    query: z.object({
      sym: some(8),
      ...at,
      g: gex,
      style: param(
        z.enum(TEXT_STYLES).optional(),
        'pairs; mq, the same with other labels; of one symbol: lines, planned levels of ' +
          'NinjaTrader; sierra, rows for importers of Sierra Chart; thinkscript, a study.',
        'pairs',
      ),
    }),
    response: null,
    otherTypes: { 'text/plain': PAIRS },
    codes: [...QUERY_CODES, 'bad_style'],
    hasAddressKey: true,
  }),
  '/api/v1/bookmap.csv': operation({
    operationId: 'readBookmapNotes',
    since: '2026-11-26',
    summary: 'Levels as notes of Bookmap',
    description: 'Prices on the tick; the flip is as wide as its interval. Keys as of levels.txt.',
    query: z.object({
      sym: some(8),
      ...at,
      g: gex,
      map: param(z.string().optional(), 'The data source of `#automap`, the first row.', 'DXFEED'),
      as: param(
        z.string().optional(),
        'What the symbols are called in the notes, in their order.',
        '/ESZ6:XCME',
      ),
    }),
    response: null,
    otherTypes: { 'text/csv': NOTES },
    codes: QUERY_CODES,
    hasAddressKey: true,
  }),
  '/api/v1/key': operation({
    operationId: 'readKey',
    since: '2026-11-26',
    summary: 'What the key opens, and what is left of its limits',
    description: 'Counts as a call, as every other.',
    query: z.object({ errors: COMMON.errors }),
    response: Key,
    codes: [],
  }),
}
