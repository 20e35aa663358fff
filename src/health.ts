import type { RequestHandler } from 'express'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import type { AccountStore } from './accounts/store.ts'
import { JSON_TYPE } from './http/answer.ts'
import { errorResponses, errorSchema, UNKEYED_ERRORS } from './http/openapi.ts'
import { publicStatus } from './publicStatus.ts'
import { DayStatus, EXAMPLE_DAY, StatusAnswer } from './statusSchema.ts'
import { asofMs } from './store/freshness.ts'
import { judgeStatus, type StatusDeps } from './store/status.ts'

export type HealthDeps = StatusDeps & { readonly accounts: AccountStore }

const RED_RETRY_SECONDS = 60

const HealthAnswer = z
  .looseObject({
    status: z.enum(['green', 'red']),
    severity: StatusAnswer.shape.status.meta({
      description: 'As `status`, or amber: there are warnings, and no problems.',
    }),
    newest_session: z.string().nullable().meta({ description: 'Newest session with a ledger.' }),
    asof: z.string().nullable().meta({ description: 'ET time up to which that ledger knows.' }),
    simulated: z.boolean().nullable().meta({ description: 'Whether its tape is a simulated one.' }),
    tape_grade: DayStatus.shape.grade.meta({
      description: 'How far the tape of that ledger can be trusted; null when nobody judged it.',
    }),
    expected_session: StatusAnswer.shape.expected_session,
    data_age_s: z.int().nullable().meta({ description: 'Seconds since that `asof`.' }),
    now_et: StatusAnswer.shape.now_et,
    last_minute: DayStatus.shape.last_minute,
    lag_s: DayStatus.shape.lag_s,
    gaps: DayStatus.shape.gaps,
    datasets: StatusAnswer.shape.datasets,
    problems: z.array(z.string()).meta({ description: 'Why it is red; none when green.' }),
    warnings: StatusAnswer.shape.warnings,
    days: StatusAnswer.shape.days,
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
      problems: [],
      warnings: [],
      days: [EXAMPLE_DAY],
    },
  })

export type Health = z.infer<typeof HealthAnswer>

/**
 * The state of the service by the age of its data: a job that ran and published nothing new is as
 * red as one that did not run. Reads manifests and the account store, never DuckDB.
 */
async function judgeHealth(deps: HealthDeps): Promise<Health> {
  const { status, newest, datasets, ...told } = publicStatus(judgeStatus(deps))
  const problems = [...told.problems]
  try {
    await deps.accounts.check()
  } catch {
    problems.push('the account store does not answer')
  }
  const isRed = problems.length > 0
  const asof = newest?.asof ?? null
  const ageMs = newest && asof !== null ? deps.nowMs() - asofMs(newest.day, asof) : null
  return {
    status: isRed ? 'red' : 'green',
    severity: isRed ? 'red' : status,
    newest_session: newest?.day ?? null,
    asof,
    simulated: newest?.simulated ?? null,
    tape_grade: newest?.grade ?? null,
    expected_session: told.expected_session,
    data_age_s: ageMs === null ? null : Math.floor(ageMs / 1000),
    now_et: told.now_et,
    last_minute: newest?.last_minute ?? null,
    lag_s: newest?.lag_s ?? null,
    gaps: newest?.gaps ?? [],
    datasets,
    problems,
    warnings: told.warnings,
    days: told.days,
  }
}

/** GET /health: 200 when green, 503 when red. */
export function readHealth(deps: HealthDeps): RequestHandler {
  return async (_req, res) => {
    const health = await judgeHealth(deps)
    const body = Buffer.from(JSON.stringify(health))
    res.setHeader('content-type', JSON_TYPE)
    res.setHeader('content-length', body.byteLength)
    res.setHeader('cache-control', 'no-store')
    if (health.status === 'red') res.setHeader('retry-after', String(RED_RETRY_SECONDS))
    res.writeHead(health.status === 'green' ? 200 : 503).end(body)
  }
}

/** The health operation of the OpenAPI file. */
export const healthPaths: ZodOpenApiPathsObject = {
  '/health': {
    get: {
      operationId: 'readHealth',
      tags: ['Service'],
      summary: 'Whether the data are as new as the calendar says',
      description:
        'Needs no key. Red when a finished session is missing, its tape is bad, a file is ' +
        'damaged, or the data of an open session are 300 seconds old. `/status.json` is the same ' +
        'without the account store.',
      security: [],
      responses: {
        '200': {
          description: 'Green.',
          content: { 'application/json': { schema: HealthAnswer } },
        },
        ...errorResponses(UNKEYED_ERRORS),
        '503': {
          description: 'Red: `problems` says why. Or `unavailable`: too many connections or calls.',
          content: {
            'application/json': {
              schema: z.union([HealthAnswer, errorSchema(['unavailable'], true)]),
            },
          },
        },
      },
    },
  },
}
