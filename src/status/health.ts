import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import type { AccountStore } from '../accounts/types.ts'
import type { Catalog } from '../data/published/catalog.ts'
import { asofMs } from '../data/published/freshness.ts'
import { catalogInSight } from '../data/published/inSight.ts'
import { flagOrNull, textOrNull, wholeOrNull } from '../platform/http/fields.ts'
import {
  errorResponses,
  errorSchema,
  KEYLESS_ERRORS,
  pageResponses,
} from '../platform/http/openapi.ts'
import type { Status } from './judge.ts'
import { publicStatus } from './publicStatus.ts'
import { DayStatus, EXAMPLE_ALERTS, EXAMPLE_DAY, StatusResponse } from './schema.ts'

export type HealthDeps = {
  /** The state of the data. */
  readonly status: Status
  readonly check: AccountStore['check']
  readonly nowMs: () => number
}

export const RED_RETRY_SECONDS = 60
const RETRY_FIELD = { retry_after_s: z.int().min(0) }
/** Time limit for the account store's response. */
const CHECK_MAX_MS = 2_000

const HealthResponse = z
  .looseObject({
    status: z.enum(['green', 'red']),
    severity: StatusResponse.shape.status.describe(
      'As `status`, or amber: there are warnings, and no problems.',
    ),
    newest_session: textOrNull('Newest session with a ledger.'),
    asof: textOrNull('ET time up to which that ledger knows.'),
    simulated: flagOrNull('Whether its tape is a simulated one.'),
    tape_grade: DayStatus.shape.grade.describe(
      'How far the tape of that ledger can be trusted; null when nobody judged it.',
    ),
    expected_session: StatusResponse.shape.expected_session,
    data_age_s: wholeOrNull('Seconds since that `asof`.'),
    now_et: StatusResponse.shape.now_et,
    last_minute: DayStatus.shape.last_minute,
    lag_s: DayStatus.shape.lag_s,
    gaps: DayStatus.shape.gaps,
    datasets: StatusResponse.shape.datasets,
    alerts: StatusResponse.shape.alerts,
    problems: z.array(z.string()).describe('Why it is red; none when green.'),
    warnings: StatusResponse.shape.warnings,
    days: StatusResponse.shape.days,
  })
  .meta({
    id: 'Health',
    example: {
      status: 'green',
      severity: 'green',
      newest_session: '2026-10-14',
      asof: '16:15:00',
      simulated: false,
      tape_grade: 'good',
      expected_session: '2026-10-14',
      data_age_s: 12000,
      now_et: '2026-10-14 19:35:00',
      last_minute: EXAMPLE_DAY.last_minute,
      lag_s: EXAMPLE_DAY.lag_s,
      gaps: EXAMPLE_DAY.gaps,
      datasets: [],
      alerts: EXAMPLE_ALERTS,
      problems: [],
      warnings: [],
      days: [EXAMPLE_DAY],
    },
  })

export type Health = z.infer<typeof HealthResponse>

const LiveResponse = z
  .looseObject({ status: z.literal('live') })
  .meta({ id: 'HealthLive', example: { status: 'live' } })

const ReadyResponse = z
  .looseObject({
    status: z.enum(['ready', 'not_ready']),
    problems: z.array(z.string()).describe('Why it is not ready; none when it is.'),
  })
  .meta({ id: 'HealthReady', example: { status: 'ready', problems: [] } })

export type Ready = z.infer<typeof ReadyResponse>

/**
 * Judges the service: red for what is broken, while data that are late are warnings, since a server
 * can serve without them. Queries the account store, never DuckDB.
 */
export async function judgeHealth(deps: HealthDeps): Promise<Health> {
  const { newest, datasets, ...facts } = publicStatus(deps.status)
  const accounts = await judgeAccounts(deps.check)
  const problems = [...facts.defects, ...accounts.problems]
  const late = facts.problems.filter(problem => !facts.defects.includes(problem))
  const warnings = [...late, ...facts.warnings, ...accounts.warnings]
  const isRed = problems.length > 0
  const asof = newest?.asof ?? null
  const ageMs = newest && asof !== null ? deps.nowMs() - asofMs(newest.day, asof) : null
  return {
    status: isRed ? 'red' : 'green',
    severity: isRed ? 'red' : warnings.length > 0 ? 'amber' : 'green',
    newest_session: newest?.day ?? null,
    asof,
    simulated: newest?.simulated ?? null,
    tape_grade: newest?.grade ?? null,
    expected_session: facts.expected_session,
    data_age_s: ageMs === null ? null : Math.floor(ageMs / 1000),
    now_et: facts.now_et,
    last_minute: newest?.last_minute ?? null,
    lag_s: newest?.lag_s ?? null,
    gaps: newest?.gaps ?? [],
    datasets,
    alerts: facts.alerts,
    problems,
    warnings,
    days: facts.days,
  }
}

/**
 * Judges if this server can serve: it can read what is published, if there is anything, and
 * the account store responds. The state of the data does not count.
 */
export async function judgeReady(deps: {
  readonly catalog: Catalog
  readonly check: AccountStore['check']
}): Promise<Ready> {
  const { isBlind } = catalogInSight(deps.catalog)
  const blind = isBlind ? ['the published sessions cannot be read'] : []
  const problems = [...blind, ...(await judgeAccounts(deps.check)).problems]
  return { status: problems.length > 0 ? 'not_ready' : 'ready', problems }
}

/** Problems and warnings of the account store. */
async function judgeAccounts(check: AccountStore['check']) {
  const late = new AbortController()
  try {
    const { isLocked } = await Promise.race([check(), failAfter(CHECK_MAX_MS, late.signal)])
    const locked = 'another process holds the account store: calls with a key are answered 503'
    return { problems: [], warnings: isLocked ? [locked] : [] }
  } catch {
    return { problems: ['the account store does not answer'], warnings: [] }
  } finally {
    late.abort()
  }
}

/** Waits for a query within the account store's time limit; ignores its outcome. */
export async function inTime(query: () => Promise<unknown>): Promise<void> {
  const late = new AbortController()
  try {
    await Promise.race([query(), failAfter(CHECK_MAX_MS, late.signal)])
  } catch {
    // the caller detects a failure in another way
  } finally {
    late.abort()
  }
}

async function failAfter(ms: number, signal: AbortSignal): Promise<never> {
  await setTimeout(ms, undefined, { signal })
  throw new Error('no answer in time')
}

const probe = (operationId: string, summary: string, description: string, schema: z.ZodType) => ({
  operationId,
  tags: ['Service'],
  summary,
  description: `Needs no key, and has no limit of calls. ${description}`,
  security: [],
  responses: {
    ...pageResponses('Yes.', schema),
    ...errorResponses(['bad_request', 'method', 'unavailable'], { isCounted: false }),
    '503': {
      description: 'No: `problems` says why. Or `unavailable`: too many connections.',
      content: {
        'application/json': {
          schema: z.union([schema, errorSchema(['unavailable'], RETRY_FIELD)]),
        },
      },
    },
  },
})

/** The health operations of the OpenAPI file. */
export const healthPaths: ZodOpenApiPathsObject = {
  '/health': {
    get: {
      operationId: 'readHealth',
      tags: ['Service'],
      summary: 'Whether the service and its files are whole',
      description:
        'Needs no key. Red when the account store does not respond, a file is damaged, an audit ' +
        'found something, or the newest tape is bad. Data that are missing or late are among the ' +
        'warnings: `/status.json` is red for them. Judged once a second for all who ask. A load ' +
        'balancer asks `/health/ready`.',
      security: [],
      responses: {
        ...pageResponses('Green.', HealthResponse),
        ...errorResponses(KEYLESS_ERRORS, { isCounted: false }),
        '503': {
          description: 'Red: `problems` says why. Or `unavailable`: too many connections or calls.',
          content: {
            'application/json': {
              schema: z.union([HealthResponse, errorSchema(['unavailable'], RETRY_FIELD)]),
            },
          },
        },
      },
    },
  },
  '/health/live': {
    get: probe('readLive', 'Whether the process is up', 'Asks nothing else.', LiveResponse),
  },
  '/health/ready': {
    get: probe(
      'readReady',
      'Whether this server can answer',
      'It can read what is published, if there is anything, and the account store responds. How ' +
        'old the data are does not count. Less than 2 KB.',
      ReadyResponse,
    ),
  },
}
