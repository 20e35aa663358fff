import type { RequestHandler } from 'express'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import type { AccountStore } from './accounts/store.ts'
import { JSON_TYPE } from './http/answer.ts'
import { errorResponses } from './http/openapi.ts'
import {
  instantMs,
  neighbourSession,
  type Session,
  sessionOf,
  wallTimeEt,
} from './market/calendar.ts'
import type { Catalog } from './store/catalog.ts'

export type HealthDeps = {
  readonly catalog: Catalog
  readonly accounts: AccountStore
  readonly nowMs: () => number
  /** How long after its close a session's ledger may be published. */
  readonly publishGraceMs: number
}

const RED_RETRY_SECONDS = 60

const HealthAnswer = z
  .looseObject({
    status: z.enum(['green', 'red']),
    newest_session: z.string().nullable().meta({ description: 'Newest session with a ledger.' }),
    asof: z.string().nullable().meta({ description: 'ET time up to which that ledger knows.' }),
    simulated: z.boolean().nullable().meta({ description: 'Whether its tape is a simulated one.' }),
    tape_grade: z.enum(['good', 'doubtful', 'bad']).nullable().meta({
      description: 'How far the tape of that ledger can be trusted; null when nobody judged it.',
    }),
    expected_session: z.string().meta({
      description: 'Newest session whose ledger the calendar expects by now.',
    }),
    data_age_s: z.int().nullable().meta({ description: 'Seconds since that `asof`.' }),
    problems: z.array(z.string()).meta({ description: 'Why it is red; none when green.' }),
  })
  .meta({
    id: 'Health',
    example: {
      status: 'green',
      newest_session: '2026-10-14',
      asof: '16:15:00',
      simulated: false,
      tape_grade: 'good',
      expected_session: '2026-10-14',
      data_age_s: 12000,
      problems: [],
    },
  })

export type Health = z.infer<typeof HealthAnswer>

/**
 * The state of the service by the age of its data: a job that ran and published nothing new is as
 * red as one that did not run. Reads manifests and the account store, never DuckDB.
 */
async function judgeHealth(deps: HealthDeps): Promise<Health> {
  const { catalog, accounts, nowMs } = deps
  const newest = catalog.newest()?.manifest ?? null
  const expected = expectedSession(nowMs() - deps.publishGraceMs).date
  const problems = [...catalog.problems()]
  if (!newest) problems.push('no session is published')
  if (newest && newest.session_date < expected) {
    problems.push(`the newest session is ${newest.session_date}; ${expected} should be there`)
  }
  const tape = newest?.tape_grade
  if (tape?.grade === 'bad') {
    problems.push(`the tape of ${newest!.session_date} is bad: ${tape.reasons.join('; ')}`)
  }
  try {
    await accounts.check()
  } catch {
    problems.push('the account store does not answer')
  }
  return {
    status: problems.length === 0 ? 'green' : 'red',
    newest_session: newest?.session_date ?? null,
    asof: newest?.asof ?? null,
    simulated: newest?.simulated ?? null,
    tape_grade: tape?.grade ?? null,
    expected_session: expected,
    data_age_s: newest && Math.floor((nowMs() - asofMs(newest.session_date, newest.asof)) / 1000),
    problems,
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
        'Needs no key. Red when a finished session is missing, its tape is bad or a file damaged.',
      security: [],
      responses: {
        '200': {
          description: 'Green.',
          content: { 'application/json': { schema: HealthAnswer } },
        },
        '503': {
          description: 'Red: `problems` says why.',
          content: { 'application/json': { schema: HealthAnswer } },
        },
        ...errorResponses(['bad_request', 'headers_too_large', 'method', 'internal']),
      },
    },
  },
}

/** The newest session that had closed by an instant. */
function expectedSession(atMs: number): Session {
  const { date } = wallTimeEt(atMs)
  const today = sessionOf(date)
  return today && today.closesAtMs <= atMs ? today : neighbourSession(date, -1)
}

const asofMs = (date: string, asof: string): number =>
  instantMs(date, asof.slice(0, 5)) + Number(asof.slice(6)) * 1000
