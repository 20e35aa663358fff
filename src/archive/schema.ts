import { z } from 'zod'
import { BOOKS } from '../data/published/books.ts'
import { PUBLISHED_FORMAT } from '../data/published/manifest.ts'
import { Day, FRESHNESS, FRESHNESS_EXAMPLE, Gaps, Minute } from '../platform/http/fields.ts'

const points = (description: string) => z.number().nullable().meta({ description })
const column = (description: string) => z.array(z.number().nullable()).meta({ description })

const Revision = z.string().meta({
  description: 'Names this version of the session: other content has another.',
  example: '9f2b61c0a7d4e835',
})
const Simulated = z.boolean().meta({
  description: 'True when the tape was made by the simulator: no such trades took place.',
})
const Minutes = z.array(Minute).meta({
  description: 'State minutes, ET: each column has one entry for each, known before `HH:MM:00`.',
})

const DayRow = z
  .looseObject({
    day: Day,
    revision: Revision,
    grade: z.string().nullable().meta({
      description: 'How far the tape can be trusted: good, doubtful or bad; null: not judged.',
    }),
    simulated: Simulated,
    orders: z.int().nullable().meta({ description: 'Orders of the ledger.' }),
    open: points('The first index value.'),
    close: points('The last index value by the PM close.'),
    flip_close: points('The flip of the measured book at that minute; null: none was known.'),
    reason: z
      .enum(['not_kept', 'damaged'])
      .nullable()
      .meta({
        description:
          'Why the four before are null: older code did not keep them, or a file is damaged. ' +
          'Null where they are known.',
      }),
    ...FRESHNESS,
  })
  .meta({ id: 'ArchiveDay', description: 'A finished session in the list.' })

/** Response of `/api/days`. */
export const ArchiveDays = z
  .looseObject({
    days: z.array(DayRow).readonly().meta({ description: 'Oldest first.' }),
    first: Day.nullable().meta({ description: 'The oldest, or null.' }),
    last: Day.nullable().meta({ description: 'The newest, or null.' }),
  })
  .meta({
    id: 'ArchiveDays',
    description: 'The finished sessions.',
    example: {
      days: [
        {
          day: '2026-10-14',
          revision: '9f2b61c0a7d4e835',
          grade: 'good',
          simulated: false,
          orders: 1204,
          open: 5931.2,
          close: 5944.75,
          flip_close: 5938.1,
          reason: null,
          ...FRESHNESS_EXAMPLE,
        },
      ],
      first: '2026-10-14',
      last: '2026-10-14',
    },
  })

const share = (description: string) => z.number().min(0).max(1).nullable().meta({ description })
const deviation = (description: string) => z.number().nullable().meta({ description })
const count = (description: string) => z.int().min(0).meta({ description })

const LevelGrade = z
  .looseObject({
    book: z.string().meta({ description: '`measured`, `oi` or `vol`.' }),
    kind: z.string().meta({ description: '`call_wall` or `put_wall`.' }),
    role: z.string().meta({
      description:
        '`level`: the wall. `rank`: the four strikes next in gamma. `random`: of the others, those ' +
        'as far from the index as the wall.',
    }),
    judged: count('How many were stated and could be judged.'),
    touched: count('Of these, touched within the hour and judged for half an hour after it.'),
    held: count('Of the touched, not broken.'),
    held_share: share('held over touched; null: none was touched.'),
    held_error: deviation('One standard deviation, a session being one observation.'),
    wall_over_it: deviation('`held_share` of the wall less this one; null for the wall.'),
    wall_over_it_error: deviation('One standard deviation of it.'),
  })
  .meta({ id: 'LevelGrade', description: 'Strikes of a kind over all sessions.' })

const RegimeGrade = z
  .looseObject({
    book: z.string().meta({ description: '`measured` or `vol`.' }),
    judged: count('Half hours with a stated probability and an index.'),
    calm_share: share('Share in which the index moved less than the options expected.'),
    brier: share('Brier score of `p_positive` against that; lower is better.'),
    brier_error: deviation('One standard deviation, a session being one observation.'),
    constant_brier: share('Brier score of stating `calm_share` each time.'),
    bins: z
      .array(
        z.looseObject({
          from: share('Least stated probability.'),
          to: share('Largest.'),
          judged: count('Half hours in it.'),
          stated: share('Mean stated probability.'),
          calm: share('Share that was calm.'),
        }),
      )
      .readonly()
      .meta({ description: 'Reliability, by tenths of the stated probability.' }),
  })
  .meta({
    id: 'RegimeGrade',
    description: 'Stated probabilities of positive gamma over all sessions.',
  })

/** Response of `/api/grades`. */
export const ArchiveGrades = z
  .looseObject({
    groups: z
      .array(
        z.looseObject({
          simulated: Simulated,
          sessions: count('Sessions that are graded.'),
          levels: z.array(LevelGrade).readonly(),
          regimes: z.array(RegimeGrade).readonly(),
        }),
      )
      .readonly()
      .meta({ description: 'Real sessions, and simulated ones: never together.' }),
    sessions: z
      .array(
        z.looseObject({
          day: Day,
          revision: Revision,
          simulated: Simulated,
          judged: count('Walls of the measured book that could be judged.'),
          touched: count('Of these, touched.'),
          held: count('Of these, not broken.'),
          brier: share('Brier score of the session; null: nothing judged.'),
          reason: z.string().nullable().meta({ description: 'Why no wall could be judged.' }),
        }),
      )
      .readonly()
      .meta({ description: 'Every finished session with levels, oldest first.' }),
    errata: z
      .array(
        z.looseObject({
          date: Day,
          what: z.string().meta({ description: 'The fault that published numbers had.' }),
          sessions: z.string().meta({ description: 'Which sessions show it.' }),
        }),
      )
      .readonly()
      .meta({ description: 'Faults of published numbers, newest first.' }),
  })
  .meta({
    id: 'ArchiveGrades',
    description: 'How stated levels and probabilities turned out.',
    example: {
      groups: [
        {
          simulated: false,
          sessions: 60,
          levels: [
            {
              book: 'measured',
              kind: 'call_wall',
              role: 'level',
              judged: 310,
              touched: 120,
              held: 66,
              held_share: 0.55,
              held_error: 0.05,
              wall_over_it: null,
              wall_over_it_error: null,
            },
          ],
          regimes: [
            {
              book: 'measured',
              judged: 700,
              calm_share: 0.6,
              brier: 0.25,
              brier_error: 0.01,
              constant_brier: 0.24,
              bins: [{ from: 0.9, to: 1, judged: 80, stated: 0.96, calm: 0.7 }],
            },
          ],
        },
      ],
      sessions: [
        {
          day: '2026-10-14',
          revision: '9f2b61c0a7d4e835',
          simulated: false,
          judged: 12,
          touched: 5,
          held: 3,
          brier: 0.21,
          reason: null,
        },
      ],
      errata: [
        {
          date: '2026-11-27',
          what: 'The flip of the open-interest book had an interval.',
          sessions: 'all that were built before, until they are built again',
        },
      ],
    },
  })

const BookColumns = z
  .looseObject({
    spot: column('The index, points.'),
    flip: column('The zero of net gamma nearest to the index, points.'),
    flip_lo: column("The lower end of the flip's interval, points."),
    flip_hi: column('The upper end.'),
    call_wall: column('The strike with the largest dealer gamma among calls.'),
    put_wall: column('The same among puts.'),
    net_gamma: column('Dealer gamma at the index, $M per index point.'),
    reason: z.array(z.string().nullable()).meta({ description: 'Why a level is null.' }),
    p_positive: column('Probability that the net gamma is positive.').optional(),
    spot_source: z
      .array(z.enum(['index', 'parity']).nullable())
      .meta({ description: 'Where the index is from: the tape, or the forwards of its options.' })
      .optional(),
    spot_error: column('One standard deviation of an index by parity, points.').optional(),
  })
  .meta({ id: 'ArchiveBook', description: 'The levels of one dealer book, a column each.' })

/** Grid of curves: the same index points for all minutes. */
const GRID = {
  from: points('The lowest index point of the grid; null: there is no curve.'),
  step: points('Index points from one to the next.'),
  net: z.array(z.array(z.number().nullable())).meta({
    description:
      'Net dealer gamma, $M per index point: a list a minute, in the order of the grid; null ' +
      'where the scan of the minute, which goes with the index, does not reach.',
  }),
}

const ArchiveTape = z
  .looseObject({
    grade: z.string().optional(),
    reasons: z.array(z.string()).optional(),
    gaps: Gaps.optional(),
  })
  .meta({ id: 'ArchiveTape', description: 'The verdict on the tape, as in the ledger.' })

/** Reference to a schema that another area adds to the same OpenAPI file. */
const described = (id: string, description: string) =>
  z.unknown().meta({
    description,
    override: ({ jsonSchema }) => {
      delete jsonSchema.description
      jsonSchema.$ref = `#/components/schemas/${id}`
    },
  })

/** Response of `/api/session/{day}`. */
export const ArchiveSession = z
  .looseObject({
    day: Day,
    sym: z
      .string()
      .optional()
      .meta({ description: 'Absent where the tape is of another product.' }),
    revision: Revision,
    simulated: Simulated,
    sessions_carried: z.int().nullable().optional().meta({
      description: 'Sessions in a row whose flow the inventory at the open holds.',
    }),
    asof: z.string().nullable().meta({ description: 'ET time of the newest message used.' }),
    min_premium: z.number().optional().meta({
      description: 'Gross premium floor the ledger was built at, USD.',
    }),
    tape: ArchiveTape.optional(),
    note: z.string().optional().meta({ description: 'What is wrong with the tape, in words.' }),
    minutes: Minutes,
    books: z
      .looseObject(Object.fromEntries(BOOKS.map(book => [book, BookColumns])))
      .meta({ description: 'measured: inventory and flow; vol: flow of the day; oi: convention.' }),
    curve: z
      .looseObject({
        every: z.int().meta({ description: 'Minutes from one list of `net` to the next.' }),
        ...GRID,
      })
      .meta({ description: 'The measured book over the index, from the first minute on.' }),
    orders: z
      .array(described('Order', 'An order as the Orders API has it.'))
      .meta({ description: 'The 500 that changed the book most, largest first.' }),
    stats: described('Stats', 'Counts of the whole ledger.').optional(),
  })
  .meta({ id: 'ArchiveSession', description: 'A finished session.' })

/** Response of `/api/session/{day}/gamma`. */
export const ArchiveGamma = z
  .looseObject({
    day: Day,
    revision: Revision,
    simulated: Simulated,
    book: z.enum(BOOKS),
    minutes: Minutes,
    ...GRID,
  })
  .meta({ id: 'ArchiveGamma', description: 'The curves of one book at every minute.' })

const ofStrikes = (whose: string) =>
  z.array(z.array(z.number().nullable())).meta({
    description:
      `Gamma of the ${whose}, $M per index point: a list a minute, in the order of \`strikes\`, ` +
      'rounded to a hundredth of the largest of the minute, or less; null where the book has nothing ' +
      'of the strike, or it is over 300 points from the index.',
  })

/** Response of `/api/session/{day}/strikes`. */
export const ArchiveStrikes = z
  .looseObject({
    day: Day,
    revision: Revision,
    simulated: Simulated,
    book: z.enum(BOOKS),
    minutes: Minutes,
    strikes: z.array(z.number()).nullable().meta({
      description: 'Rising; null where there are none, and `reason` says why.',
    }),
    calls: ofStrikes('calls'),
    puts: ofStrikes('puts'),
    reason: z.enum(['not_published', 'empty_book']).nullable().meta({
      description: 'Why `strikes` is null: older code kept none, or the book has none all day.',
    }),
  })
  .meta({ id: 'ArchiveStrikes', description: 'The gamma of each strike of one book.' })

export const BookQuery = z.object({
  book: z
    .enum(BOOKS)
    .optional()
    .meta({ description: 'Whose curves; left out, the measured book.', example: 'vol' }),
})

export const StrikesQuery = BookQuery.extend({
  time: Minute.optional().meta({
    description: 'An ET minute: only those of its half hour, 11:00 to 11:29 of 11:14.',
    example: '11:14',
  }),
})

const Snapshot = z
  .looseObject({
    file: z.string().meta({ description: 'Its name below `/snapshots/`.' }),
    dataset: z.string(),
    day: Day,
    rows: z.int(),
    bytes: z.int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  })
  .meta({ id: 'Snapshot', description: 'A Parquet file of one dataset and session.' })

const SnapshotMonth = z
  .looseObject({
    file: z.string().meta({ description: 'Its name below `/snapshots/`.' }),
    dataset: z.string(),
    month: z.string().regex(/^\d{4}-\d{2}$/),
    simulated: Simulated,
    days: z.array(Day).readonly().meta({ description: 'Sessions in it, oldest first.' }),
    rows: z.int(),
    bytes: z.int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  })
  .meta({ id: 'SnapshotMonth', description: 'A Parquet file of one dataset and month.' })

/** `index.json`. */
export const SnapshotIndex = z
  .looseObject({
    files: z.array(Snapshot).readonly(),
    months: z.array(SnapshotMonth).readonly().optional().meta({
      description: 'The rows of `files` by month, of the datasets `orders` and `levels`.',
    }),
    days: z
      .array(
        z
          .looseObject({ day: Day, revision: Revision, simulated: Simulated, ...FRESHNESS })
          .meta({ id: 'SnapshotDay', description: 'The state of the data of a session.' }),
      )
      .readonly()
      .meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'SnapshotIndex', description: 'Every file there is, by day and dataset.' })

/** `manifest.DAY.json`. */
export const SnapshotManifest = z
  .looseObject({
    format: z.literal([1, PUBLISHED_FORMAT]),
    session_date: Day,
    symbol: z.string(),
    simulated: Simulated,
    revision: Revision,
    published_at: FRESHNESS.published_at.unwrap().optional(),
    edition: FRESHNESS.edition.unwrap().optional(),
    asof: z.string(),
    code_version: z.string(),
    min_premium_usd: z.number(),
    minutes: z.record(z.string(), z.unknown()),
    tape_grade: z.record(z.string(), z.unknown()).optional(),
    datasets: z.record(
      z.string(),
      z.looseObject({ file: z.string(), rows: z.int(), bytes: z.int(), sha256: z.string() }),
    ),
  })
  .meta({ id: 'SnapshotManifest', description: 'What a session is made of, as far as shared.' })
