import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { SampleIndex } from '../data/published/sample.ts'
import { codedErrors } from '../platform/http/errorDocs.ts'
import { Day, param } from '../platform/http/fields.ts'
import {
  describedBy,
  headerText,
  IGNORED,
  isTimed,
  jsonContent,
  type OperationText,
  REQUEST_ID,
  RETRY_AFTER,
  UNREAD_ERRORS,
} from '../platform/http/openapi.ts'
import { DATASET_ERRORS, type DatasetErrorCode } from './errors.ts'
import { SAMPLE_MINUTE_CALLS } from './sample.ts'
import {
  ArchiveDays,
  ArchiveGamma,
  ArchiveGrades,
  ArchiveSession,
  ArchiveStrikes,
  BookQuery,
  SnapshotIndex,
  SnapshotManifest,
  StrikesQuery,
} from './schema.ts'
import { PARQUET_TYPE } from './snapshotRoutes.ts'

const TAG = 'Archive'

/** Errors that any call may return. */
const ALWAYS: readonly DatasetErrorCode[] = [
  ...UNREAD_ERRORS,
  'rate_limited',
  'method_not_allowed',
  'internal',
]
const OF_DAY: readonly DatasetErrorCode[] = ['bad_day', 'not_finished', 'no_data', 'damaged']

const ETAG = headerText('Strong validator of these bytes.', '^"[\\w-]+"$', '"71c073bd1dbb974a"')

const EXTRAS = {
  retry_after_s: { schema: z.int().min(0), example: 2 },
  pricing: { schema: z.string(), example: '/pricing' },
  next_update_s: { schema: z.int().min(0).nullable(), example: 3600 },
}

const failures = (codes: readonly DatasetErrorCode[]) =>
  codedErrors(
    DATASET_ERRORS.rows.filter(({ code }) => codes.includes(code as DatasetErrorCode)),
    EXTRAS,
    status => ({
      ...(isTimed(status) ? RETRY_AFTER : {}),
      ...(status === 416
        ? { 'Content-Range': headerText('The size.', '^bytes \\*/\\d+$', 'bytes */81920') }
        : {}),
    }),
  )

type Open = OperationText & {
  readonly params?: ZodOpenApiOperationObject['requestParams']
  readonly response: z.ZodType
  readonly errors: readonly DatasetErrorCode[]
}

/** A read operation without a key. */
function openOperation(open: Open): { readonly get: ZodOpenApiOperationObject } {
  const { params, response, errors, summary } = open
  const headers = {
    ...REQUEST_ID,
    ETag: ETAG,
    'Cache-Control': headerText('Five minutes.', '^public, max-age=300$', 'public, max-age=300'),
    ...IGNORED,
  }
  return {
    get: {
      ...describedBy(open, TAG),
      ...(params ? { requestParams: params } : {}),
      responses: {
        '200': { description: summary, headers, content: jsonContent(response) },
        '304': { description: 'The client has this version.', headers },
        ...failures([...ALWAYS, 'not_acceptable', ...errors]),
      },
    },
  }
}

const dayParam = z.object({
  day: param(Day, 'A finished session.', '2026-10-14'),
})

const FILE_HEADERS = {
  ...REQUEST_ID,
  ETag: ETAG,
  'Cache-Control': headerText(
    'A file never changes, a list may.',
    '^(private|public), ',
    'private, no-cache',
  ),
  ...IGNORED,
  'Repr-Digest': {
    description: 'Of a Parquet file: the SHA-256 of the whole (RFC 9530).',
    schema: { type: 'string' as const, pattern: '^sha-256=:[\\w+/]{43}=:$' },
    example: 'sha-256=:RBNvE5Ukk9CJmtXNNdMGOmmeX0d4lFpEJ5ABFFxFI7w=:',
  },
  'X-Simulated': {
    description: '`true` when the tape was made by the simulator: no such trades took place.',
    schema: { type: 'string' as const },
    example: 'true',
  },
}

const FILE_PARAM = {
  path: z.object({
    file: param(z.string(), 'Its name.', 'index.json'),
  }),
}

/** Responses of a file, of a part of it, and of the lists. */
const fileResponses = (
  list: z.ZodType,
  errors: readonly DatasetErrorCode[],
): ZodOpenApiOperationObject['responses'] => ({
  '200': {
    description: 'The whole file.',
    headers: FILE_HEADERS,
    content: {
      'application/json': { schema: list },
      'text/plain': {},
      'application/sql': {},
      [PARQUET_TYPE]: {},
    },
  },
  '206': {
    description: 'The part of a Parquet file that Range asks for.',
    headers: {
      ...FILE_HEADERS,
      'Content-Range': headerText('Which part.', '^bytes \\d+-\\d+/\\d+$', 'bytes 0-3/81920'),
    },
    content: { [PARQUET_TYPE]: {} },
  },
  '304': { description: 'The client has this version.', headers: FILE_HEADERS },
  ...failures([...ALWAYS, ...errors, 'damaged']),
})

/** The operations of the archive, and of dataset files. */
export const archivePaths: ZodOpenApiPathsObject = {
  '/api/days': openOperation({
    operationId: 'readArchiveDays',
    since: '2026-11-26',
    summary: 'The finished sessions',
    description: `Needs no key. Every session whose day is over in New York and that is published,
with the index and the flip at its end; index points. 60 calls a minute an address.`,
    response: ArchiveDays,
    errors: [],
  }),
  '/api/grades': openOperation({
    operationId: 'readArchiveGrades',
    since: '2026-11-27',
    summary: 'How stated levels turned out',
    description: `Needs no key. Walls as stated at each full hour: touched, held or broken, beside
strikes of less gamma and others as far from the index; the stated probabilities of positive gamma against
how calm the index was; every finished session; the faults that published numbers had. 60 calls a
minute an address.`,
    response: ArchiveGrades,
    errors: [],
  }),
  '/api/session/{day}': openOperation({
    operationId: 'readArchiveSession',
    since: '2026-11-26',
    summary: 'A finished session',
    description: `Needs no key. The levels of the three dealer books at each minute, the curve of
the measured one at each fifth, the 500 orders that changed the book most, and the counts of the
ledger. A day is free from midnight in New York on.`,
    params: { path: dayParam },
    response: ArchiveSession,
    errors: OF_DAY,
  }),
  '/api/session/{day}/gamma': openOperation({
    operationId: 'readArchiveGamma',
    since: '2026-11-26',
    summary: 'The gamma curves of a finished session',
    description: 'Needs no key. Net dealer gamma over the index at every minute, of one book.',
    params: { path: dayParam, query: BookQuery },
    response: ArchiveGamma,
    errors: [...OF_DAY, 'bad_book'],
  }),
  '/api/session/{day}/strikes': openOperation({
    operationId: 'readArchiveStrikes',
    since: '2026-11-26',
    summary: 'The gamma of each strike of a finished session',
    description: `Needs no key. Dealer gamma of the calls and the puts of each strike within 300
points of the index, at every minute or at those of one half hour, of one book.`,
    params: { path: dayParam, query: StrikesQuery },
    response: ArchiveStrikes,
    errors: [...OF_DAY, 'bad_book', 'bad_time'],
  }),
  '/snapshots/sample/{file}': {
    get: {
      operationId: 'readSample',
      tags: [TAG],
      summary: 'A file of one simulated session, or a list of them',
      description: `Needs no key. One simulated session with all its datasets, the tape that they were
built from, and the truth that only the simulator knows: to try before you have a key, and to measure
other code against. \`index.json\` lists the files, \`SHA256SUMS\` is for \`sha256sum --check\`,
\`views.sql\` makes each a view in DuckDB. 404 where the operator has not made it.
${SAMPLE_MINUTE_CALLS} calls a minute an address.

Available since 2026-11-27.`,
      security: [],
      requestParams: FILE_PARAM,
      responses: fileResponses(SampleIndex, ['not_found', 'precondition_failed', 'bad_range']),
    },
  },
  '/snapshots/{file}': {
    get: {
      operationId: 'readSnapshot',
      tags: [TAG],
      summary: 'A dataset file, or a list of them',
      description: `Needs a key of scope \`dataset\` or \`lab\`, and the plan DATASET.

\`index.json\` lists the files. \`SHA256SUMS\` is for \`sha256sum --check\`. \`views.sql\` makes
each dataset a view in DuckDB. \`manifest.DAY.json\` says what a session is made of.
\`DATASET.DAY.HASH16.parquet\` is a file: it never changes, and Range asks for a part of it.
600 calls a minute a key.

Available since 2026-11-26.`,
      security: [{ datasetKey: [] }],
      requestParams: FILE_PARAM,
      responses: fileResponses(z.union([SnapshotIndex, SnapshotManifest]), [
        'no_key',
        'bad_key',
        'dataset_required',
        'not_found',
        'precondition_failed',
        'bad_range',
      ]),
    },
  },
}
