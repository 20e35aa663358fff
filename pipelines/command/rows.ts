import { command, group, numeric, oneOf, or, wrongValue } from '../../src/core/commandRow.ts'
import { MIN_PREMIUM_USD } from '../../src/core/market/minPremium.ts'
import type { ManifestKind } from '../../src/platform/store/kinds.ts'

/** Commands that import, fetch, build, publish and share sessions. */

const MIN_PREMIUM = { 'min-premium USD': 'smallest gross premium of an order in the ledger' }
const DOLLARS = or(
  numeric(/^\d{1,12}$/, Number.POSITIVE_INFINITY, `give whole dollars, such as ${MIN_PREMIUM_USD}`),
  String(MIN_PREMIUM_USD),
)

export const IMPORT = command({
  line: 'import FORMAT FILE...',
  summary: "import a vendor's files",
  about: async () => {
    const { FORMATS } = await import('../import/formats.ts')
    const { GEO_FORMATS } = await import('../import/geoFormats.ts')
    const formats = [...FORMATS, ...GEO_FORMATS]
    return `Imports files of one format:

${formats.map(({ name, meaning }) => `  ${name.padEnd(25)}${meaning}`).join('\n')}

The last ${GEO_FORMATS.length} are public records of the world, which take no --roots and no --day.`
  },
  takes: 'a format and its files: import prints prints.csv',
  options: {
    'roots LIST': 'roots to import, such as SPX,SPXW',
    'day YYYY-MM-DD': 'only this session',
    'dealers LIST': `classes of cboe-open-close that count as dealers, of mm (market makers), firm
      and bd (broker-dealers); mm alone where it is left out`,
    simulated: 'a simulator made the files',
  },
  work: 'pipelines/import/import.ts',
})

/** Price above which a fetch needs a person's consent, US dollars. */
const MAX_COST_USD = '5'

export const FETCH = command({
  line: 'fetch SOURCE [DAY] [DAY2]',
  summary: 'fetch days from a source, and import them',
  about: async () => {
    const { SOURCES } = await import('../fetch/sources.ts')
    return `Fetches what is missing of a day, or of the sessions from DAY to DAY2, and imports it. What was
fetched is never fetched again; what broke off is continued.

${SOURCES.map(({ name, meaning }) => `  ${name.padEnd(14)}${meaning}`).join('\n')}

A day is such as 2026-11-24, or today; today where none is given. Keys are read from the environment
or from sources.toml of the data folder: "tapefold sources".`
  },
  takes: 'a source and one day or two: fetch thetadata 2026-11-24 2026-11-25',
  options: {
    plan: 'shows the requests, their size and their price, and asks for no rows',
    'max-cost USD': 'price above which it asks first, or refuses without a terminal',
    restated: 'fetches and imports days again that the source has replaced',
    follow: `a running session: fetches what is new, and publishes each minute, or leaves that to
      the "feed" that runs on the same folder`,
    json: 'prints one JSON object a line',
    'clock WHEN': 'works as if it were then, DAY[THH:MM][xSPEED]; for a server of your own',
  },
  values: {
    'max-cost': or(
      numeric(/^\d{1,6}(\.\d{1,2})?$/, 999_999.99, `give US dollars, such as ${MAX_COST_USD}`),
      MAX_COST_USD,
    ),
  },
  work: 'pipelines/fetch/fetch.ts',
})

export const SHOW_SOURCES = command({
  line: 'sources',
  summary: 'show which sources are set up, and whether they respond',
  about: async () => {
    const { SOURCES } = await import('../fetch/sources.ts')
    const { addressVariable } = await import('../fetch/settings.ts')
    const lines = SOURCES.map(source => {
      const keys = source.keys.map(({ variable }) => variable).join(', ') || 'no key'
      return `  ${source.name.padEnd(14)}${keys}; its address: ${addressVariable(source)}`
    })
    return `Shows the sources of "fetch": whether each is set up, whether a small request to it succeeds, and how
old its newest response is. Keys are never shown.

A key comes from the environment, or from sources.toml of the data folder, which must have mode 600:

  [databento]
  key = "db-0123456789abcdef"

${lines.join('\n')}`
  },
  options: { offline: 'asks no source', json: 'prints one JSON object a line' },
  work: 'pipelines/fetch/list.ts',
})

export const BUILD = command({
  line: 'build DAY...',
  summary: 'rebuild, price, check and publish sessions',
  about: `Builds sessions from their imported tape: folds prints into orders, prices the orders, checks
everything and publishes it.`,
  options: {
    ...MIN_PREMIUM,
    'refuse-bad-tape': `refuses a tape with too little left for a ledger, such as half of its
      minutes missing`,
    verbose: `shows every measure of the tape with its limits, and lists the prints that became an
      order of their own as leftovers or that an audit set apart`,
    profile: `runs the models one after another, and lists what each one costs: CPU time, time,
      runs and rows, dearest first`,
  },
  values: { 'min-premium': DOLLARS },
  work: 'pipelines/build/day.ts',
})

export const MINUTE = command({
  line: 'minute [DAY]',
  summary: 'publish a running session, minute by minute',
  about: `Brings a running session up to date: publishes every missing minute, one after the other, from what
was known before it. The API serves each one as soon as it is published. DAY is the session; today's
when not given.`,
  options: {
    'until HH:MM': 'the last ET minute to publish, when that is earlier than now',
    'at-once': 'catches up in steps of many minutes: faster, with the same result',
    ...MIN_PREMIUM,
  },
  values: { 'min-premium': DOLLARS },
  work: 'pipelines/live/minute.ts',
})

/** Datasets whose canonical rows a feed reads from standard input. */
const CANONICAL = [
  'prints',
  'quotes',
  'spots',
  'futures',
  'open-interest',
  'dealer-positions',
] as const
/** Seconds after a minute's end in which its last rows may still come. */
const GRACE_S = '3'

export const FEED = command({
  line: 'feed [DAY]',
  summary: 'import files as they arrive, publish each minute',
  about: `Takes the rows of a running session as they arrive, and publishes each minute as it ends, until the
close. With TAPEFOLD_STORE set, another feed of the session may run on another machine: the store has
each minute of the one that is first. DAY is the session; today's when not given.`,
  options: {
    'spool DIR': `imports the files of a folder as they arrive and grow. A file is named after its
      format ("tapefold import --help"), such as prints-0931.csv; any other is ignored and
      reported once. Names that end in .tmp, .part or .partial or begin with a dot are ignored.
      Only complete lines are read`,
    'stdin DATASET': `reads CSV lines with a header from standard input: ${CANONICAL.join(', ')}`,
    'grace SECONDS': `how long after a minute's end its last rows may arrive; a row that arrives
      later counts from the minute in which it arrived`,
    'clock WHEN': 'replays a past session as if it were live: DAY[THH:MM][xSPEED]',
    once: `imports what is there, publishes what is due, and ends; the exit code is 1 if a file or
      rows of standard input were refused`,
    simulated: 'a simulator makes the rows',
  },
  values: {
    stdin: oneOf(CANONICAL, 'give one of'),
    grace: or(numeric(/^\d{1,3}(\.\d+)?$/, 1_000, `give seconds, such as ${GRACE_S}`), GRACE_S),
  },
  work: 'pipelines/live/feed.ts',
})

export const FILES = command({
  line: 'files [DATASET]',
  summary: "list a dataset's current files, for other engines",
  about: `Prints the addresses of a dataset's current files, one a line, oldest session first, for any engine
that reads Parquet. A pattern such as orders/*/*.parquet also matches files that were replaced, and
would count their rows twice; published/current/*/orders.*.parquet does not. The datasets are those
of "tapefold sql --help".`,
  takes: 'a dataset; give one of "tapefold sql --help", such as orders',
  options: {
    store: 'prints their addresses in the store of TAPEFOLD_STORE, of all sessions in it',
    'catalog FILE': `writes a DuckDB file instead, to attach: each dataset as a view over its
      current files, and those of replaced editions that are still there in schemas of their own`,
    'url URL': `with --catalog, views over the files of a server instead, such as
      https://host/snapshots/; the list is read with the key in TAPEFOLD_DATASET_KEY, which is not
      written to the file`,
    months: `writes the months of orders and levels whose finished sessions have changed:
      published/months/*/levels.*.parquet finds each once; schedule does it each night`,
    views: `writes published/views.sql anew: after a move of the folder, or where a container
      wrote it, whose files the views look for where they were`,
  },
  work: 'pipelines/command/files.ts',
})

const KINDS = ['tape', 'published', 'live'] as const satisfies ManifestKind[]

const COPYING = {
  options: { 'kinds LIST': `of ${KINDS.join(', ')}` },
  values: {
    kinds: or((text, option) => {
      const kinds = text.split(',').flatMap(word => KINDS.find(kind => kind === word) ?? [])
      if (kinds.length === text.split(',').length) return kinds
      throw wrongValue(option, text, `give of ${KINDS.join(', ')}, such as published,live`)
    }, KINDS.join(',')),
  },
}

export const STORE = group({
  name: 'store',
  summary: 'share sessions with machines that have no common folder',
  about: `Copies sessions between the data folder and the store of TAPEFOLD_STORE, whose pointers are in the
PostgreSQL of DATABASE_URL. Without days: all sessions, newest first.`,
  work: 'pipelines/command/store.ts',
  commands: [
    {
      line: 'store push [DAY...]',
      summary: `sends files that the store does not have, then sets the pointer; refused where another
        machine has published since this folder had the session`,
      ...COPYING,
    },
    {
      line: 'store pull [DAY...]',
      summary: `fetches what is missing or damaged here; with TAPEFOLD_CACHE_GB, as much as fits; of a
        day that is named, also in place of a tape that was imported here and never pushed`,
      ...COPYING,
    },
    {
      line: 'store check',
      summary: `checks that the manifest of every pointer, and every file that it names, is in the
        store`,
    },
    {
      line: 'store rebuild',
      summary: 'makes the table of pointers again from the manifests in the store',
    },
  ],
})
