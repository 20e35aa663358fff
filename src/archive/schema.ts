import { z } from 'zod'
import { BOOKS } from '../data/published/books.ts'
import { Day, Gaps, Minute } from '../platform/http/fields.ts'

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
        },
      ],
      first: '2026-10-14',
      last: '2026-10-14',
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
      `Gamma of the ${whose}, $M per index point: a list a minute, in the order of \`strikes\`; ` +
      'null where the book has nothing of the strike, or it is over 300 points from the index.',
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

/** `index.json`. */
export const SnapshotIndex = z
  .looseObject({ files: z.array(Snapshot).readonly() })
  .meta({ id: 'SnapshotIndex', description: 'Every file there is, by day and dataset.' })

/** `manifest.DAY.json`. */
export const SnapshotManifest = z
  .looseObject({
    format: z.literal(1),
    session_date: Day,
    symbol: z.string(),
    simulated: Simulated,
    revision: Revision,
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
