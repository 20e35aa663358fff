import { z } from 'zod'
import { BOOKS, byBook } from '../data/published/books.ts'
import { PUBLISHED_FORMAT } from '../data/published/manifest.ts'
import {
  Day,
  FRESHNESS,
  FRESHNESS_EXAMPLE,
  flag,
  Gaps,
  Minute,
  number,
  numberOrNull,
  text,
  textOrNull,
  whole,
  wholeOrNull,
} from '../platform/http/fields.ts'

const points = (description: string) => numberOrNull(description)
const column = (description: string) => z.array(z.number().nullable()).describe(description)

const Revision = z.string().meta({
  description: 'Names this version of the session: other content has another.',
  example: '9f2b61c0a7d4e835',
})
const Simulated = flag('True when the tape was made by the simulator: no such trades took place.')
const Minutes = z
  .array(Minute)
  .describe('State minutes, ET: each column has one entry for each, known before `HH:MM:00`.')

const DayRow = z
  .looseObject({
    day: Day,
    revision: Revision,
    grade: textOrNull('How far the tape can be trusted: good, doubtful or bad; null: not judged.'),
    simulated: Simulated,
    orders: wholeOrNull('Orders of the ledger.'),
    open: points('The first index value.'),
    close: points('The last index value by the PM close.'),
    flip_close: points('The flip of the measured book at that minute; null: none was known.'),
    reason: z
      .enum(['not_kept', 'damaged'])
      .nullable()
      .describe(
        'Why the four before are null: older code did not keep them, or a file is damaged. ' +
          'Null where they are known.',
      ),
    ...FRESHNESS,
  })
  .meta({ id: 'ArchiveDay', description: 'A finished session in the list.' })

/** Response of `/api/days`. */
export const ArchiveDays = z
  .looseObject({
    days: z.array(DayRow).readonly().describe('Oldest first.'),
    first: Day.nullable().describe('The oldest, or null.'),
    last: Day.nullable().describe('The newest, or null.'),
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

const share = (description: string) => z.number().min(0).max(1).nullable().describe(description)
const deviation = (description: string) => numberOrNull(description)
const count = (description: string) => z.int().min(0).describe(description)

const LevelGrade = z
  .looseObject({
    book: text('`measured`, `oi` or `vol`.'),
    kind: text('`call_wall` or `put_wall`.'),
    role: text(
      '`level`: the wall. `rank`: the four strikes next in gamma. `random`: of the others, those ' +
        'as far from the index as the wall.',
    ),
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
    book: text('`measured` or `vol`.'),
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
      .describe('Reliability, by tenths of the stated probability.'),
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
      .describe('Real sessions, and simulated ones: never together.'),
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
          reason: textOrNull('Why no wall could be judged.'),
        }),
      )
      .readonly()
      .describe('Every finished session with levels, oldest first.'),
    errata: z
      .array(
        z.looseObject({
          date: Day,
          what: text('The fault that published numbers had.'),
          sessions: text('Which sessions show it.'),
        }),
      )
      .readonly()
      .describe('Faults of published numbers, newest first.'),
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
    reason: z.array(z.string().nullable()).describe('Why a level is null.'),
    p_positive: column('Probability that the net gamma is positive.').optional(),
    spot_source: z
      .array(z.enum(['index', 'parity']).nullable())
      .describe('Where the index is from: the tape, or the forwards of its options.')
      .optional(),
    spot_error: column('One standard deviation of an index by parity, points.').optional(),
  })
  .meta({ id: 'ArchiveBook', description: 'The levels of one dealer book, a column each.' })

/** Grid of curves: the same index points for all minutes. */
const GRID = {
  from: points('The lowest index point of the grid; null: there is no curve.'),
  step: points('Index points from one to the next.'),
  net: z
    .array(z.array(z.number().nullable()))
    .describe(
      'Net dealer gamma, $M per index point: a list a minute, in the order of the grid; null ' +
        'where the scan of the minute, which goes with the index, does not reach.',
    ),
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
    sym: text('Absent where the tape is of another product.').optional(),
    revision: Revision,
    simulated: Simulated,
    sessions_carried: wholeOrNull(
      'Sessions in a row whose flow the inventory at the open holds.',
    ).optional(),
    asof: textOrNull('ET time of the newest message used.'),
    min_premium: number('Gross premium floor the ledger was built at, USD.').optional(),
    tape: ArchiveTape.optional(),
    note: text('What is wrong with the tape, in words.').optional(),
    minutes: Minutes,
    books: z
      .looseObject(byBook(() => BookColumns))
      .describe('measured: inventory and flow; vol: flow of the day; oi: convention.'),
    curve: z
      .looseObject({
        every: whole('Minutes from one list of `net` to the next.'),
        ...GRID,
      })
      .describe('The measured book over the index, from the first minute on.'),
    orders: z
      .array(described('Order', 'An order as the Orders API has it.'))
      .describe('The 500 that changed the book most, largest first.'),
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
  z
    .array(z.array(z.number().nullable()))
    .describe(
      `Gamma of the ${whose}, $M per index point: a list a minute, in the order of \`strikes\`, ` +
        'rounded to a hundredth of the largest of the minute, or less; null where the book has nothing ' +
        'of the strike, or it is over 300 points from the index.',
    )

/** Response of `/api/session/{day}/strikes`. */
export const ArchiveStrikes = z
  .looseObject({
    day: Day,
    revision: Revision,
    simulated: Simulated,
    book: z.enum(BOOKS),
    minutes: Minutes,
    strikes: z
      .array(z.number())
      .nullable()
      .describe('Rising; null where there are none, and `reason` says why.'),
    calls: ofStrikes('calls'),
    puts: ofStrikes('puts'),
    reason: z
      .enum(['not_published', 'empty_book'])
      .nullable()
      .describe('Why `strikes` is null: older code kept none, or the book has none all day.'),
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
    file: text('Its name below `/snapshots/`.'),
    dataset: z.string(),
    day: Day,
    rows: z.int(),
    bytes: z.int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  })
  .meta({ id: 'Snapshot', description: 'A Parquet file of one dataset and session.' })

const SnapshotMonth = z
  .looseObject({
    file: text('Its name below `/snapshots/`.'),
    dataset: z.string(),
    month: z.string().regex(/^\d{4}-\d{2}$/),
    simulated: Simulated,
    days: z.array(Day).readonly().describe('Sessions in it, oldest first.'),
    rows: z.int(),
    bytes: z.int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  })
  .meta({ id: 'SnapshotMonth', description: 'A Parquet file of one dataset and month.' })

/** `index.json`. */
export const SnapshotIndex = z
  .looseObject({
    files: z.array(Snapshot).readonly(),
    months: z
      .array(SnapshotMonth)
      .readonly()
      .optional()
      .describe('The rows of `files` by month, of the datasets `orders` and `levels`.'),
    days: z
      .array(
        z
          .looseObject({ day: Day, revision: Revision, simulated: Simulated, ...FRESHNESS })
          .meta({ id: 'SnapshotDay', description: 'The state of the data of a session.' }),
      )
      .readonly()
      .describe('Oldest first.'),
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
