import { z } from 'zod'
import {
  Day,
  flag,
  Minute,
  number,
  numberOrNull,
  text,
  textOrNull,
  whole,
} from '../platform/http/fields.ts'
import { Condition, Counts, Distance, ErrorText, LabelName } from './checkSchema.ts'
import { LABELS } from './label.ts'

/** Schema of the entry log, for the OpenAPI file and for tests. */

const Outcome = z
  .looseObject({
    held: flag('Whether the index was on the right side of every short strike at the close.'),
    touched: flag('Whether it was beyond one at any minute after the entry.'),
    close_points: number(
      'From the index to the nearest short strike at the PM close; below zero beyond.',
    ),
    worst_points: number('The least of it over all minutes.'),
    worst_t: Minute,
    moved_points: number('From entry to close, without sign.'),
    moved_over_expected: numberOrNull(
      'The same over the expected move that remained at the entry, null without one.',
    ),
    missing_minutes: whole('Minutes after the entry without an index.'),
  })
  .nullable()
  .meta({ id: 'EntryOutcome', description: 'What happened after; no label knows any of it.' })

const Entry = z
  .looseObject({
    day: Day,
    t: Minute,
    error: ErrorText,
    label: LabelName,
    counts: Counts,
    conditions: z.array(Condition),
    shorts: z.array(z.looseObject(Distance)),
    outcome: Outcome,
    outcome_null: textOrNull(
      'Why there is none: not_judged, not_finished, or no_close (no index at the PM close).',
    ),
  })
  .meta({ id: 'Entry', description: 'The entry minute of one session.' })

const rate = {
  entries: whole('Entries with a label and an outcome.'),
  held: z.int(),
  rate: numberOrNull('held / entries; null of none.'),
}

const Summary = z
  .looseObject({
    labels: z.array(z.looseObject({ label: z.enum(LABELS), ...rate })),
    base: z.looseObject(rate).describe('Whatever the label.'),
    difference: z
      .looseObject({
        value: number('Rate of TRADE less rate of SKIP.'),
        error: number('Its standard error, clustered by session.'),
        sessions: z.int(),
        t: z.number().nullable(),
        p: numberOrNull("Two-sided, by Student's t."),
        low: numberOrNull('Lower end of the 95 % interval.'),
        high: z.number().nullable(),
      })
      .nullable()
      .describe('Null where one of the two labels has no entry with an outcome.'),
    sentence: text('What that says, in words.'),
  })
  .meta({ id: 'EntrySummary', description: 'How often the short strikes held, by label.' })

/** Response of entries. */
export const EntryLog = z
  .looseObject({
    id: z.string(),
    entry: Minute,
    replay: whole('Sessions asked for.'),
    base_session:
      Day.nullable().describe(`Session at whose entry minute the strikes' distances are taken; in every other
session the strikes stand as far from its own index, in whole steps of 5 points.`),
    note: z.string().optional(),
    entries: z
      .array(Entry)
      .describe('Every trading day back to the oldest published one, oldest first.'),
    summary: Summary,
  })
  .meta({
    id: 'EntryLog',
    example: {
      id: 'p_4fQ8sK2mZx0T',
      entry: '10:30',
      replay: 1,
      base_session: '2026-10-14',
      entries: [
        {
          day: '2026-10-13',
          t: '10:30',
          error: '2026-10-13 is not published.',
          label: null,
          counts: { on: 0, off: 0, unknown: 0 },
          conditions: [],
          shorts: [],
          outcome: null,
          outcome_null: 'not_judged',
        },
      ],
      summary: {
        labels: LABELS.map(label => ({ label, entries: 0, held: 0, rate: null })),
        base: { entries: 0, held: 0, rate: null },
        difference: null,
        sentence: 'Nothing can be said: TRADE and SKIP both need entries with an outcome.',
      },
    },
  })

export type EntryLog = z.infer<typeof EntryLog>
