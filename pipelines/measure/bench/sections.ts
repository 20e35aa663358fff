/** The sections of the bench: what each measures, compared with what, and what it has to reach. */

import { measureAlerts } from './alerts.ts'
import { measureBackfills, measureBuild, measureGrowth } from './builds.ts'
import { CAREFUL, CHAT_LOOPS, CROWDS, EQUAL_CHECKS, measureFair } from './fair.ts'
import { measureLab } from './lab.ts'
import { BURST_END, EARLY, LATE, measureLive } from './live.ts'
import { measurePositions } from './positions.ts'
import { atLeast, atMost, figure, type Rows, type Section, type Target } from './section.ts'
import { measureArchive, measureLedgers, measureLevels } from './served.ts'
import { LEDGER_ROW, measureSite } from './site.ts'
import { measureFold, measureInversions, measureSurface } from './stages.ts'

/** Session size of the requirements; those in seconds and bytes are judged on no other. */
const FULL_PRINTS = { least: 990_000, most: 1_010_000 }
const FULL_LAB_SESSIONS = 1_000
const LAB_VARIANTS = 500

const SORTS = 'yardstick: one read, two window sorts'
const WHOLE = 'whole process'

/** A figure of one row over the same of another. */
const over = (rows: Rows, name: string, row: string, yardstick: string) =>
  figure(rows, row, name) / figure(rows, yardstick, name)

/** Requests a second of the server's CPU: the load is no part of it, however slow it is. */
const served = (rows: Rows, what: string) =>
  over(rows, 'cpu_us_per_request', `${what}: bare Express`, `${what}: the API`)

export const SECTIONS: readonly Section[] = [
  {
    name: 'fold',
    about: 'the fold, compared with reading and sorting the prints',
    measure: measureFold,
    targets: rows => [
      atMost(
        'fold, over one read and two window sorts of the prints, CPU',
        over(rows, 'cpu_seconds', 'fold', SORTS),
        10,
      ),
    ],
  },
  {
    name: 'surface',
    about: 'surface, book and levels, compared with one gamma a contract and minute',
    measure: measureSurface,
    targets: rows => {
      const yardstick = 'yardstick: one gamma a contract and minute'
      const seconds = ['surface', 'book', 'levels']
        .map(row => figure(rows, row, 'seconds'))
        .reduce((sum, value) => sum + value)
      const gammas = figure(rows, yardstick, 'seconds') * figure(rows, 'book', 'grid_points')
      const what = 'surface, book and levels, over one gamma a contract, minute and grid point'
      return [atMost(what, seconds / gammas, 6)]
    },
  },
  {
    name: 'iv',
    about: "implied volatilities, compared with the project's first macros for them",
    measure: measureInversions,
    targets: rows => [
      atMost(
        'implied volatilities, over the prototype',
        over(rows, 'seconds', 'implied volatilities', 'yardstick: the prototype'),
        1.5,
      ),
    ],
  },
  {
    name: 'build',
    about: 'the whole build, step by step, and its peak memory',
    measure: measureBuild,
    targets: (rows, { fold }) => {
      const prints = figure(rows, WHOLE, 'prints')
      const isFull = prints > FULL_PRINTS.least && prints < FULL_PRINTS.most
      const cpu = figure(rows, WHOLE, 'cpu_seconds')
      return [
        ...(isFull
          ? [
              atMost('whole build, 1,000,000 prints', figure(rows, WHOLE, 'seconds'), 30, 's'),
              atMost('peak memory of the build', figure(rows, WHOLE, 'peak_mib'), 3_072, 'MiB'),
            ]
          : []),
        ...(fold
          ? [
              atMost(
                'whole build, over the same two sorts, CPU',
                cpu / figure(fold, SORTS, 'cpu_seconds'),
                35,
              ),
            ]
          : []),
      ]
    },
  },
  {
    name: 'growth',
    about: 'whole builds of a quarter, half, one, two and four times the prints',
    isLong: true,
    measure: measureGrowth,
    targets: rows =>
      Object.keys(rows)
        .slice(1)
        .map((name, index) => {
          const less = Object.keys(rows)[index]!
          return atMost(`${name}, over half as many`, over(rows, 'seconds', name, less), 2.2)
        }),
  },
  {
    name: 'sessions',
    about: 'backfills of 1, 5 and 20 smaller sessions',
    isLong: true,
    measure: measureBackfills,
  },
  {
    name: 'http',
    about: 'the ledger over HTTP, compared with a bare Express handler that sends the same bytes',
    measure: measureLedgers,
    targets: rows => [
      atLeast(
        "the session's ledger: requests a second, over the bare handler",
        served(rows, 'session'),
        0.7,
      ),
      atMost(
        'p99 at 200 requests a second, over the bare handler',
        over(rows, 'p99_ms', 'session: the API', 'session: bare Express'),
        3,
      ),
      atLeast(
        'a short ledger: requests a second, over the bare handler',
        served(rows, 'short'),
        0.4,
      ),
    ],
  },
  {
    name: 'levels',
    about: 'the levels API over HTTP, compared in the same way',
    measure: measureLevels,
    targets: rows =>
      [['levels', 0.4] as const, ['history', 0.5] as const].map(([name, limit]) =>
        atLeast(
          `${name} of the levels API: requests a second, over the bare handler`,
          served(rows, name),
          limit,
        ),
      ),
  },
  {
    name: 'fair',
    about: 'how long careful accounts wait next to greedy ones, compared with waiting alone',
    isLong: true,
    measure: measureFair,
    targets: rows => [
      ...CROWDS.flatMap(crowd =>
        CAREFUL.map(kind =>
          atMost(
            `p99 of ${kind} beside ${crowd}, over alone`,
            over(rows, 'p99_ms', `${kind}: ${crowd}`, `${kind}: alone`),
            5,
          ),
        ),
      ),
      atMost(
        `the last of ${EQUAL_CHECKS} equal checks of a new minute, over a single one`,
        over(
          rows,
          'p50_ms',
          `the last of ${EQUAL_CHECKS} equal checks`,
          'one check of a new minute',
        ),
        3,
      ),
      atMost(
        `p99 of sessions beside ${CHAT_LOOPS} loops of messages to LAB, over alone`,
        over(rows, 'p99_ms', `sessions: ${CHAT_LOOPS} loops of messages`, 'sessions: alone'),
        5,
      ),
    ],
  },
  {
    name: 'archive',
    about: 'finished sessions compared with a bare handler, dataset files with express.static',
    isLong: true,
    measure: measureArchive,
    targets: rows => {
      const [session, raw] = ['a finished session', 'a finished session, not compressed']
      const curves = 'the largest file of its curves or strikes'
      const kilobytes = (row: string) => figure(rows, row, 'body_bytes') / 1000
      const render = ['rendering of the archive', 'yardstick: the whole build'] as const
      return [
        atLeast('a finished session, over the bare handler', served(rows, session), 0.6),
        atLeast('the list of days, over the bare handler', served(rows, 'the list of days'), 0.6),
        atLeast('a dataset file, over express.static', served(rows, 'a dataset file'), 0.9),
        atLeast('64 KB of a dataset file, over express.static', served(rows, 'a part of it'), 0.35),
        atMost(`${render[0]}, over the build`, over(rows, 'cpu_seconds', ...render), 0.08),
        atMost('a finished session', kilobytes(raw), 450, 'KB'),
        atMost('the same, compressed', kilobytes(`${session}: the API`), 60, 'KB'),
        atMost(`${curves}, compressed`, kilobytes(curves), 65, 'KB'),
      ]
    },
  },
  {
    name: 'site',
    about: 'pages of a session in a browser: bytes, requests, paint times, answers to keys',
    isLong: true,
    measure: measureSite,
    targets: siteTargets,
  },
  {
    name: 'alerts',
    about:
      'a minute of alerts, compared with a plain scan and with bare inserts; sending, ' +
      'compared with bare calls of the same client',
    isLong: true,
    measure: measureAlerts,
    targets: rows => {
      const p50 = (row: string, yardstick: string) => over(rows, 'p50_ms', row, yardstick)
      const [tick, few] = ['a minute of 10,000 accounts', 'the same of 1,000 accounts']
      const stored = 'an event stored for 10,000 accounts'
      return [
        atMost(
          `${tick}, over a plain scan`,
          p50(tick, 'yardstick: a plain scan of all settings'),
          1.5,
        ),
        atMost('the same, over 1,000 accounts at equal matches', p50(tick, few), 1.3),
        atMost(
          `${stored}, over bare inserts`,
          p50(stored, 'yardstick: bare inserts of its rows'),
          1.3,
        ),
        atLeast(
          'sending, each call on a connection of its own, over bare undici',
          p50(
            'yardstick: the same by bare undici',
            'sending one event, each on a connection of its own',
          ),
          0.7,
        ),
        atLeast(
          'sending over connections that are kept, over bare undici',
          p50(
            'yardstick: the same over connections that are kept',
            'sending one event over connections that are kept',
          ),
          0.6,
        ),
        atMost(
          'a new minute is on the socket after, p99',
          figure(rows, 'a new minute to the socket', 'p99_ms') / 1000,
          1,
          's',
        ),
      ]
    },
  },
  {
    name: 'lab',
    about: 'a test of an idea and its variants, beside one read of its quotes',
    isLong: true,
    measure: measureLab,
    targets: rows => {
      const [test, half] = [
        'a test, with all its figures',
        'half of the variants, by one of two processes',
      ]
      if (figure(rows, test, 'sessions') !== FULL_LAB_SESSIONS) return []
      const each = figure(rows, half, 'seconds') / figure(rows, half, 'variants')
      return [
        atMost('a test of 1,000 sessions in memory', figure(rows, test, 'seconds'), 1, 's'),
        atMost('500 variants of it on two cores', each * LAB_VARIANTS, 20, 's'),
      ]
    },
  },
  {
    name: 'live',
    about: 'a session as it runs: its minutes, a burst of prints, the memory of a feed',
    isLong: true,
    measure: measureLive,
    targets: rows => {
      const p99s = [EARLY, LATE].map(row => figure(rows, row, 'published_p99_s'))
      return [
        atMost('a minute is published after its end, p99', Math.max(...p99s), 0.7, 's'),
        atMost('the same at the end of the day', over(rows, 'published_p50_s', LATE, EARLY), 1.5),
        atMost(BURST_END, figure(rows, BURST_END, 'done_p50_s'), 60, 's'),
      ]
    },
  },
  {
    name: 'positions',
    about: 'checks of five positions, and replays compared with hashing and querying their files',
    isLong: true,
    measure: measurePositions,
  },
]

/** Requirements on the page with the highest value of each. */
function siteTargets(rows: Rows): Target[] {
  const { [LEDGER_ROW]: _, ...pages } = rows
  const most = (name: string) => Math.max(...Object.values(pages).map(page => page[name] ?? 0))
  const kilobytes = (name: string) => most(name) / 1000
  const ledger = figure(rows, LEDGER_ROW, 'html_bytes') / 1000
  return [
    atMost('requests of a page', most('requests'), 8, 'requests'),
    atMost('HTML of a page, compressed', kilobytes('html_bytes'), 45, 'KB'),
    atMost('its styles', kilobytes('css_bytes'), 8, 'KB'),
    atMost('its scripts', kilobytes('script_bytes'), 35, 'KB'),
    atMost('its data', kilobytes('data_bytes'), 65, 'KB'),
    atMost('the largest thing of a page is painted after', most('painted_ms'), 1_500, 'ms'),
    atMost('what moves after it is painted', most('shift'), 0.02, 'of the window'),
    atMost('the scrubber answers a key in', most('key_ms'), 100, 'ms'),
    atMost(LEDGER_ROW, ledger, 45, 'KB'),
  ]
}
