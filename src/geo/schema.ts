import { z } from 'zod'
import { Day, flag, Minute, text, textOrNull, wholeOrNull } from '../platform/http/fields.ts'

/** Schemas of the Geo API's responses. */

const Utc = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
  .meta({ description: 'An instant, UTC.', example: '2026-10-14T12:30:00Z' })

const UtcDay = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ description: 'A day, UTC.', example: '2026-10-14' })

const IsoWeek = z
  .string()
  .regex(/^\d{4}-W\d{2}$/)
  .meta({ description: 'A week of ISO 8601, Monday to Sunday.', example: '2026-W42' })

const Source = z
  .string()
  .meta({ description: 'Who says so; `/v1/sources` has them.', example: 'gdelt' })

/** Events of a country, day and kind, aggregated; or a release. */
export const Item = z
  .looseObject({
    id: z
      .string()
      .regex(/^geo_[0-9a-f]{16}$/)
      .meta({ description: 'The same whenever it is asked for.', example: 'geo_6c2b05cf3454e24c' }),
    kind: z
      .enum(['event', 'release'])
      .describe('`event`: reported conflict, added up. `release`: published US statistics.'),
    week: IsoWeek,
    date: UtcDay.describe('Day of the events, or of the release.'),
    country: z.string().meta({ description: 'ISO 3166, two letters.', example: 'UA' }),
    code: z.string().meta({
      description: "`event`: CAMEO root, 10 to 20. `release`: FRED's number, or a word.",
      example: '19',
    }),
    label: z.string().meta({ description: 'What the code means.', example: 'fight' }),
    events: z.int().nullable().meta({ description: 'Events; null for a release.', example: 41 }),
    mentions: z.int().nullable().meta({
      description: 'How often news named them at first; null where nobody counted.',
      example: 620,
    }),
    goldstein: z.number().nullable().meta({
      description: "Mean on Goldstein's scale, -10 (conflict) to 10; null where it is not told.",
      example: -10,
    }),
    url: textOrNull('Where the most named of them was reported; null where nobody says.'),
    source: Source,
    known_at: Utc.describe('When the first of it became publicly known.'),
    updated_at: Utc.describe('When the last of it became publicly known.'),
    session: Day.describe('The SPX session that it was known in, or before.'),
    minute: Minute.nullable().meta({
      description:
        'First minute of that session whose levels could know it, ET; null before the first and ' +
        'after the last of them.',
      example: '10:01',
    }),
  })
  .meta({ id: 'GeoItem' })

const counted = {
  as_of: Utc.describe('Nothing that became known later is in it.'),
  simulated: flag('True where a simulator made any of it.'),
  note: text('How to read it, in words.'),
}

export const ItemsResponse = z
  .looseObject({
    from: UtcDay,
    to: UtcDay,
    ...counted,
    items: z.array(Item).readonly().describe('Newest day first.'),
    next_cursor: textOrNull(
      'For the next page, with the same other parameters; null: this is the last one.',
    ),
  })
  .meta({ id: 'GeoItems' })

const counts = {
  items: z.int().min(0),
  releases: z.int().min(0).describe('Items that are releases.'),
  events: z.int().min(0).describe('Events, added up.'),
  mentions: wholeOrNull('Null where nobody counted any.'),
}

export const WeeksResponse = z
  .looseObject({
    as_of: counted.as_of,
    weeks: z
      .array(
        z.looseObject({
          week: IsoWeek,
          from: UtcDay,
          to: UtcDay,
          ...counts,
          countries: z.int().min(0).describe('How many countries have items.'),
          complete: flag('Whether each source of the week is known beyond its end.'),
          simulated: counted.simulated,
          sessions: z.array(Day).readonly().describe('SPX sessions of the week.'),
        }),
      )
      .readonly()
      .describe('Weeks that have items, newest first.'),
  })
  .meta({ id: 'GeoWeeks' })

export const CountriesResponse = z
  .looseObject({
    week: IsoWeek,
    from: UtcDay,
    to: UtcDay,
    ...counted,
    countries: z
      .array(
        z.looseObject({
          country: z.string().meta({ example: 'UA' }),
          name: z.string().meta({ example: 'Ukraine' }),
          ...counts,
        }),
      )
      .readonly()
      .describe('Most events first.'),
  })
  .meta({ id: 'GeoCountries' })

const Newest = Utc.nullable().describe(
  'When the newest record of it became known; null where there is none.',
)

export const GeoHealthResponse = z
  .looseObject({
    as_of: counted.as_of,
    sources: z.array(z.looseObject({ source: Source, newest_known_at: Newest })).readonly(),
  })
  .meta({ id: 'GeoHealth' })

export const SourcesResponse = z
  .looseObject({
    sources: z
      .array(
        z.looseObject({
          source: Source,
          name: z.string(),
          url: z.string().nullable(),
          licence: text('What may be done with it.'),
          citation: text('What to write beside it.'),
          newest_known_at: Newest,
        }),
      )
      .readonly(),
  })
  .meta({ id: 'GeoSources' })

export const GeoUsageResponse = z
  .looseObject({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ description: 'A month, UTC.', example: '2026-10' }),
    plan: z.string().meta({ example: 'geo' }),
    used: z.int().min(0).describe('Calls of all keys of the account.'),
    limit: z.int().min(0).meta({ example: 10_000 }),
    resets_at: Utc.describe('When the next month begins.'),
    keys: z.looseObject({
      used: z.int().min(0).describe('Keys of the account that work.'),
      max: z.int().min(0).meta({ description: 'Keys that the plan lets work.', example: 2 }),
    }),
  })
  .meta({ id: 'GeoUsage' })

/** A webhook of new items. */
export const RecordEvent = z
  .looseObject({
    version: z.literal(1),
    id: text('The same at every try: drop what you have seen.'),
    type: z.enum(['geo.record', 'geo.test']),
    ts: Utc.describe('When it was found.'),
    known_at: Utc.nullable().describe('When the items became known; null in a test.'),
    items: z.array(Item).readonly().describe('As they were known then, 100 at most.'),
    more: z.int().min(0).describe('Items of that instant that are not in it.'),
    simulated: z.boolean(),
    text: text('It in one line.'),
  })
  .meta({ id: 'GeoEvent' })
