import { z } from 'zod'
import { Day, Minute } from '../platform/http/fields.ts'
import { Condition, Counts, Distance, ErrorText, LabelName } from './checkSchema.ts'
import { LABELS } from './label.ts'

/** Schema of the entry log, for the OpenAPI file and for tests. */

const Outcome = z
  .looseObject({
    held: z.boolean().meta({
      description: 'Whether the index was on the right side of every short strike at the close.',
    }),
    touched: z.boolean().meta({
      description: 'Whether it was beyond one at any minute after the entry.',
    }),
    close_points: z.number().meta({
      description: 'From the index to the nearest short strike at the PM close; below zero beyond.',
    }),
    worst_points: z.number().meta({ description: 'The least of it over all minutes.' }),
    worst_t: Minute,
    moved_points: z.number().meta({ description: 'From entry to close, without sign.' }),
    moved_over_expected: z.number().nullable().meta({
      description: 'The same over the expected move that remained at the entry, null without one.',
    }),
    missing_minutes: z.int().meta({ description: 'Minutes after the entry without an index.' }),
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
    outcome_null: z.string().nullable().meta({
      description:
        'Why there is none: not_judged, not_finished, or no_close (no index at the PM close).',
    }),
  })
  .meta({ id: 'Entry', description: 'The entry minute of one session.' })

const rate = {
  entries: z.int().meta({ description: 'Entries with a label and an outcome.' }),
  held: z.int(),
  rate: z.number().nullable().meta({ description: 'held / entries; null of none.' }),
}

const Summary = z
  .looseObject({
    labels: z.array(z.looseObject({ label: z.enum(LABELS), ...rate })),
    base: z.looseObject(rate).meta({ description: 'Whatever the label.' }),
    difference: z
      .looseObject({
        value: z.number().meta({ description: 'Rate of TRADE less rate of SKIP.' }),
        error: z.number().meta({ description: 'Its standard error, clustered by session.' }),
        sessions: z.int(),
        t: z.number().nullable(),
        p: z.number().nullable().meta({ description: "Two-sided, by Student's t." }),
        low: z.number().nullable().meta({ description: 'Lower end of the 95 % interval.' }),
        high: z.number().nullable(),
      })
      .nullable()
      .meta({ description: 'Null where one of the two labels has no entry with an outcome.' }),
    sentence: z.string().meta({ description: 'What that says, in words.' }),
  })
  .meta({ id: 'EntrySummary', description: 'How often the short strikes held, by label.' })

/** Response of entries. */
export const EntryLog = z
  .looseObject({
    id: z.string(),
    entry: Minute,
    replay: z.int().meta({ description: 'Sessions asked for.' }),
    base_session: Day.nullable().meta({
      description: `Session at whose entry minute the strikes' distances are taken; in every other
session the strikes stand as far from its own index, in whole steps of 5 points.`,
    }),
    note: z.string().optional(),
    entries: z.array(Entry).meta({
      description: 'Every trading day back to the oldest published one, oldest first.',
    }),
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
