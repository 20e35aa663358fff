import { z } from 'zod'
import {
  FRESHNESS,
  FRESHNESS_EXAMPLE,
  Gaps,
  type Named,
  numberOrNull,
  text,
  textOrNull,
  whole,
  wholeOrNull,
} from '../platform/http/fields.ts'

export const DAYS_LISTED_MAX = 90

const Minute = z.string().regex(/^\d{2}:\d{2}$/)
const lag = z.int().nullable()

/** A weekday and the data of its session, in the format of the API. */
export const DayStatus = z.looseObject({
  day: z.string(),
  state: z
    .enum(['published', 'open', 'missing', 'damaged', 'not_due', 'not_kept', 'holiday'])
    .describe(
      '`open`: it runs, or is not built whole yet; `not_due`: its time is not over; ' +
        '`not_kept`: before the first session.',
    ),
  severity: z.enum(['green', 'amber', 'red']),
  grade: z.enum(['good', 'doubtful', 'bad']).nullable(),
  simulated: z.boolean().nullable(),
  asof: textOrNull('ET time up to which its ledger knows.'),
  last_minute: Minute.nullable().describe('Last ET minute in which was printed.'),
  lag_s: lag.describe(
    'Age of the data while the session is open: amber from 120 s, red from 300 s.',
  ),
  gaps: Gaps,
  ...FRESHNESS,
})

/** A dataset that the newest session was built from. */
const DatasetStatus = z.looseObject({
  dataset: z.string(),
  rows: z.int(),
  newest_at: textOrNull('UTC time of its newest row.'),
  lag_s: lag.describe('Its age while the session is open.'),
})

/** Progress of the alert watcher and of the deliveries, in the format of the API. */
const AlertsStatus = z.looseObject({
  day: textOrNull('Session that is watched; null: none was.'),
  minute: Minute.nullable().describe('Last ET minute that was watched.'),
  lag_s: lag.describe(
    'How long a published minute has waited to be watched: amber from 120 s, red from 300 s.',
  ),
  waiting: whole('Events that wait to be sent, for each place they go to.'),
  trying: whole('Those that are being sent.'),
  oldest_due_s: wholeOrNull(
    'How long the oldest of those that wait has been due: amber and red as above.',
  ),
  sent_last_hour: z.int(),
  failed_last_hour: z.int(),
})

/** A source of market data that `fetch` has used, in the format of the API. */
const SourceStatus = z.looseObject({
  source: z.string(),
  severity: z
    .enum(['green', 'amber'])
    .describe('`amber`: a response is overdue, or the last request failed.'),
  newest_day: textOrNull('Day or year of its newest response.'),
  responded_at: textOrNull('UTC time of its newest response.'),
  due_at: textOrNull('UTC time by which the next one should come; null: none is expected.'),
  delay_s: whole('Time by which its rows are late by themselves.'),
  problem: textOrNull('That the last request failed; null: it did not.'),
})

/** The newest backfill, in the format of the API. */
const BackfillStatus = z.looseObject({
  state: z
    .enum(['running', 'stopped', 'ended'])
    .describe('`stopped`: without a sign of life for two minutes; the same command goes on.'),
  from: z.string(),
  to: z.string(),
  started_at: text('UTC time.'),
  ended_at: textOrNull('UTC time; null: it has not ended.'),
  sessions: whole('Sessions to be built.'),
  done: whole('Sessions of these that are built.'),
  running: whole('Tasks that run, on all machines.'),
  waiting: whole('Tasks that wait.'),
  failed: z
    .array(z.looseObject({ day: z.string(), reason: z.string() }))
    .readonly()
    .describe('Sessions that could not be built.'),
  sessions_per_hour: z.number().nullable(),
  seconds_left: numberOrNull('About how long it still takes.'),
})

export const EXAMPLE_ALERTS: AlertsStatus = {
  day: '2026-10-14',
  minute: '16:18',
  lag_s: 0,
  waiting: 2,
  trying: 1,
  oldest_due_s: 0,
  sent_last_hour: 31,
  failed_last_hour: 0,
}

export const EXAMPLE_DAY: DayStatus = {
  day: '2026-10-14',
  state: 'published',
  severity: 'green',
  grade: 'good',
  simulated: false,
  asof: '16:15:00',
  last_minute: '16:14',
  lag_s: null,
  gaps: [{ from: '15:31', to: '15:35', minutes: 5 }],
  ...FRESHNESS_EXAMPLE,
  condition: 'partial',
  conditions: ['partial'],
}

/** `/status.json`. */
export const StatusResponse = z
  .looseObject({
    status: z.enum(['green', 'amber', 'red']),
    now_et: text('ET date and time by which all of this is judged.'),
    expected_session: text('Newest session whose ledger the calendar expects by now.'),
    problems: z.array(z.string()).readonly().describe('Why it is red.'),
    warnings: z.array(z.string()).readonly().describe('What is not right, and no alarm.'),
    newest: DayStatus.nullable().describe('The newest session with a ledger.'),
    datasets: z.array(DatasetStatus).readonly().describe('What the newest one was built from.'),
    alerts: AlertsStatus.nullable().describe(
      'The watch of alerts and what it sends; null where that is not known.',
    ),
    sources: z
      .array(SourceStatus)
      .readonly()
      .describe('Sources of market data that `fetch` has used, by name.'),
    backfill: BackfillStatus.nullable().describe(
      'The newest backfill, if it runs or ended within a day; else null.',
    ),
    days: z
      .array(DayStatus)
      .readonly()
      .describe(`Weekdays of the last ${DAYS_LISTED_MAX} days, newest first.`),
  })
  .meta({
    id: 'Status',
    example: {
      status: 'green',
      now_et: '2026-10-14 19:35:00',
      expected_session: '2026-10-14',
      problems: [],
      warnings: [],
      newest: EXAMPLE_DAY,
      datasets: [
        { dataset: 'prints', rows: 912_345, newest_at: '2026-10-14T20:14:59Z', lag_s: null },
      ],
      alerts: EXAMPLE_ALERTS,
      sources: [
        {
          source: 'thetadata',
          severity: 'green',
          newest_day: '2026-10-14',
          responded_at: '2026-10-14T20:31:12.000Z',
          due_at: null,
          delay_s: 0,
          problem: null,
        },
      ],
      backfill: null,
      days: [EXAMPLE_DAY],
    },
  })

export type DayStatus = Named<typeof DayStatus>
export type DatasetStatus = Named<typeof DatasetStatus>
export type AlertsStatus = Named<typeof AlertsStatus>
export type SourceStatus = Named<typeof SourceStatus>
export type StatusResponse = Named<typeof StatusResponse>
export type BackfillStatus = Named<typeof BackfillStatus>
