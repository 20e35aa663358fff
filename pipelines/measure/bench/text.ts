import { alignColumns } from '../../../src/data/published/analyst.ts'
import type { AlertsSpeed } from './alerts.ts'
import type { ArchiveSpeed } from './archive.ts'
import type { BackfillSpeed, BuildSpeed } from './builds.ts'
import { CAREFUL, type FairRound, type FairSpeed } from './fair.ts'
import type { ChatSpeed } from './fairChat.ts'
import type { ComparisonSpeed, HttpSpeed } from './http.ts'
import type { LabSpeed } from './lab.ts'
import type { LedgerPages } from './largeLedger.ts'
import type { Taken } from './meter.ts'
import {
  type BenchReport,
  type BenchTarget,
  count,
  isFull,
  type Measured,
  yardstickRatio,
} from './report.ts'
import type { SiteSpeed } from './site.ts'

type Table = { readonly title: string; readonly rows: readonly (readonly string[])[] }

/** The report for a terminal. */
export function reportText(report: BenchReport): string {
  const tables = listTables(report).map(({ title, rows }) => `${title}\n${alignColumns(rows)}`)
  const open = report.bars.filter(target => !target.is_met).length
  const met =
    report.bars.length === 0
      ? 'No demand is judged by what was measured.'
      : `${report.bars.length - open} of ${report.bars.length} demands are met.`
  const verdict = isFull(report.asked) ? met : `${met} ${SMALLER}`
  return `${[...tables, verdict].join('\n\n')}\n`
}

/** The report for docs/speed.md, between its markers. */
export function reportMarkdown(report: BenchReport): string {
  const tables = listTables(report).map(({ title, rows }) => {
    const [head, ...lines] = rows.map(cells => `| ${cells.join(' | ')} |`)
    return [`${title}:`, '', head, `|${'---|'.repeat(rows[0]!.length)}`, ...lines].join('\n')
  })
  return `${tables.join('\n\n')}\n`
}

function listTables({ machine, asked: requested, measured, bars: targets }: BenchReport): Table[] {
  const { cores, processor, memory_gib, node } = machine
  const { fold, levels, iv, build, growth, sessions, http, levels_http, fair } = measured
  const { archive } = measured
  const on = `${cores} cores of ${processor}, ${memory_gib} GiB, Node ${node}`
  const size = `${count(requested.prints)} prints, ${count(requested.contracts)} contracts, simulated; `
  // implied volatilities are of no session
  const isOfSession = Object.keys(measured).some(name => !['iv', 'alerts', 'lab'].includes(name))
  const title = `Targets (${isOfSession ? size : ''}${on})`
  const tables: Table[] =
    targets.length === 0 ? [] : [{ title, rows: [TARGET_HEAD, ...targets.map(targetRow)] }]
  if (fold || levels || iv) {
    tables.push({ title: 'Stages beside their yardsticks', rows: stageRows(measured) })
  }
  if (build) tables.push({ title: 'The steps of the build', rows: stepRows(build) })
  if (growth) {
    const rows = growth.map(row => [
      count(row.print_count),
      count(row.order_count),
      seconds(row.seconds),
      seconds(row.cpu_seconds),
      count(row.peak_mib),
    ])
    const head = ['prints', 'orders', 'seconds', 'CPU seconds', 'peak MiB']
    tables.push({ title: 'Growth with the prints', rows: [head, ...rows] })
  }
  if (sessions) {
    const alone = sessions.filter(({ workers = 1 }) => workers === 1)
    const rows = alone.map(row => [
      String(row.sessions),
      count(row.prints_per_session),
      count(row.contracts),
      seconds(row.seconds),
      seconds(row.seconds / row.sessions),
      count(row.peak_mib),
    ])
    const head = ['sessions', 'prints each', 'contracts', 'seconds', 'seconds each', 'peak MiB']
    tables.push({ title: 'Growth with the sessions of a backfill', rows: [head, ...rows] })
    if (alone.length < sessions.length) tables.push(workersTable(sessions))
  }
  if (http) {
    const { connections, open_requests_per_second, rounds, round_seconds, accounts } = http.session
    const title =
      `The ledger over HTTP (${connections} connections of ${accounts} accounts; latency at ` +
      `${open_requests_per_second} requests a second; medians of ${rounds} rounds of ` +
      `${round_seconds} s)`
    const rows = [...httpRows('session', http.session), ...httpRows('short', http.short)]
    tables.push({ title, rows: [HTTP_HEAD, ...rows] })
  }
  if (levels_http) {
    const { rounds, round_seconds, keys } = levels_http
    const title =
      `The levels API over HTTP (${count(keys)} keys in turn; medians of ${rounds} rounds of ` +
      `${round_seconds} s)`
    const rows = (['levels', 'history'] as const).flatMap(name =>
      serverRows(name, levels_http[name], '-'),
    )
    tables.push({ title, rows: [['answer', ...HTTP_HEAD.slice(1, -1)], ...rows.map(dropLast)] })
  }
  if (fair) {
    tables.push({ title: fairTitle(fair), rows: fairRows(fair) })
    tables.push({ title: chatTitle(fair.chat), rows: chatRows(fair.chat) })
  }
  if (archive) tables.push({ title: archiveTitle(archive), rows: archiveRows(archive) })
  if (measured.site) tables.push({ title: siteTitle(measured.site), rows: siteRows(measured.site) })
  if (measured.alerts) {
    tables.push({ title: alertsTitle(measured.alerts), rows: alertsRows(measured.alerts) })
  }
  if (measured.lab) tables.push({ title: labTitle(measured.lab), rows: labRows(measured.lab) })
  return tables
}

const SMALLER = 'They speak of 1,000,000 prints of 20,000 contracts: this was another session.'

const TARGET_HEAD = ['what', 'measured', 'target', 'met']
const HTTP_HEAD = [
  'ledger',
  'body bytes',
  'server',
  'requests/s',
  'CPU us/request',
  'p50 ms',
  'p99 ms',
  'counted / answered',
]

const targetRow = ({ what, measured, demand, limit, unit, is_met }: BenchTarget): string[] => [
  what,
  inUnit(measured, unit),
  `${demand} ${unit === 'MiB' ? count(limit) : limit} ${unit}`,
  is_met ? 'yes' : 'NO',
]

const inUnit = (value: number, unit: BenchTarget['unit']): string =>
  unit === 'MiB' || unit === 'KB'
    ? `${count(value)} ${unit}`
    : `${value.toFixed(unit === 's' ? 1 : 2)} ${unit}`

function stageRows({ fold, levels, iv }: Measured): string[][] {
  const rows = [['work', 'seconds', 'CPU seconds', 'note']]
  const add = (work: string, taken: Taken, note = '-') => {
    rows.push([work, seconds(taken.seconds), seconds(taken.cpu_seconds), note])
  }
  if (fold) {
    const { instants, two_sorts } = fold
    add('fold', fold.fold, `${count(fold.print_count)} prints`)
    if (fold.editions) {
      const times = (fold.fold.seconds + fold.editions.seconds) / two_sorts.seconds
      add('orders as the day knew them', fold.editions, `with the fold ${times.toFixed(1)} x`)
    }
    add('yardstick: one read, two window sorts', two_sorts, ratio(fold.fold, two_sorts))
    const groups = `${count(instants.group_count)} groups`
    add('yardstick: prints of one instant, DuckDB', instants.duckdb, groups)
    if (instants.polars) add('yardstick: prints of one instant, polars', instants.polars, groups)
    else rows.push(['yardstick: prints of one instant, polars', '-', '-', 'not installed'])
  }
  if (levels) {
    add('surface', levels.surface)
    add('book', levels.book, `${count(levels.grid_points)} grid points a minute`)
    add('levels', levels.levels)
    const gammas = `${count(levels.chain_gamma_count)} gammas; surface, book, levels take `
    const note = `${gammas}${yardstickRatio(levels).toFixed(1)} x`
    add('yardstick: one gamma a contract and minute', levels.chain_gammas, note)
  }
  if (iv) {
    const worst = (error: number) => `worst error ${error.toExponential(1)}`
    add(`${count(iv.quote_count)} implied volatilities`, iv.ours, worst(iv.ours.worst_error))
    add('yardstick: the prototype', iv.prototype, worst(iv.prototype.worst_error))
  }
  return rows
}

function stepRows(build: BuildSpeed): string[][] {
  const steps = build.steps.map(step => [
    step.step,
    seconds(step.seconds),
    seconds(step.cpu_seconds),
  ])
  const whole = ['whole process', seconds(build.seconds), seconds(build.cpu_seconds)]
  return [['step', 'seconds', 'CPU seconds'], ...steps, whole]
}

const httpRows = (name: string, speed: HttpSpeed): string[][] =>
  serverRows(name, speed, `${count(speed.counted_calls)} / ${count(speed.answered_calls)}`)

const dropLast = (cells: readonly string[]): string[] => cells.slice(0, -1)

function serverRows(name: string, speed: ComparisonSpeed, counted: string): string[][] {
  const { body_bytes, api, bare } = speed
  return (
    [
      ['the API', api, counted],
      ['bare Express', bare, '-'],
    ] as const
  ).map(([server, measured, calls]) => [
    name,
    count(body_bytes),
    server,
    count(measured.requests_per_second),
    count(measured.cpu_us_per_request),
    measured.p50_ms.toFixed(2),
    measured.p99_ms.toFixed(2),
    calls,
  ])
}

const siteTitle = ({ rounds, slowdown, key_ms, ledger }: SiteSpeed): string =>
  `Pages in a browser (medians of ${rounds} rounds with an empty cache, on a processor slowed ` +
  `down ${slowdown} times; the scrubber answers a key in ${key_ms.toFixed(0)} ms at most${
    ledger ? `; ${ledgerText(ledger)}` : ''
  })`

const ledgerText = ({ orders, html_bytes, first_ms, page_ms, slowest_ms }: LedgerPages): string =>
  `a page of a ledger of ${count(orders)} orders has ${count(html_bytes)} bytes and is made in ` +
  `${page_ms.toFixed(0)} ms, the slowest in ${slowest_ms.toFixed(0)}, the first in ` +
  `${first_ms.toFixed(0)}`

const siteRows = ({ pages }: SiteSpeed): string[][] => [
  ['page', 'requests', 'HTML bytes', 'CSS', 'scripts', 'data', 'painted ms', 'shift'],
  ...pages.map(one => [
    one.page,
    String(one.requests),
    count(one.html_bytes),
    count(one.css_bytes),
    count(one.script_bytes),
    count(one.data_bytes),
    one.painted_ms.toFixed(0),
    one.shift.toFixed(3),
  ]),
]

const labTitle = ({ sessions, trades, variants }: LabSpeed): string =>
  `Tests of an idea (${count(sessions)} sessions, ${count(trades)} trades, ${variants} variants)`

const labRows = (speed: LabSpeed): string[][] => [
  ['work', 'seconds'],
  ['a test, with all its figures', speed.backtest_seconds.toFixed(2)],
  ['half of the variants, by one of two processes', speed.share_seconds.toFixed(2)],
  ['yardstick: each quote read once', speed.quotes_seconds.toFixed(3)],
]

const alertsTitle = ({ accounts, settings, matches }: AlertsSpeed): string =>
  `Alerts (${count(accounts)} accounts of ${settings} settings, ${matches} of which match; medians)`

function alertsRows(speed: AlertsSpeed): string[][] {
  const accounts = count(speed.accounts)
  return [
    ['work', 'ms'],
    ['a minute, with what it finds', speed.tick_ms],
    [`the same of ${count(speed.few_accounts)} accounts`, speed.few_tick_ms],
    ['yardstick: a plain scan of all settings', speed.scan_ms],
    [`an event stored for ${accounts} accounts`, speed.fan_out_ms],
    ['yardstick: bare inserts of its rows', speed.bare_insert_ms],
    ['sending one event, each on a connection of its own', 1000 / speed.fresh_per_second],
    ['yardstick: the same by bare undici', 1000 / speed.bare_fresh_per_second],
    ['sending one event over connections that are kept', 1000 / speed.kept_per_second],
    ['yardstick: the same by bare undici', 1000 / speed.bare_kept_per_second],
    ['a new minute to the socket, p50', speed.socket_p50_ms],
    ['a new minute to the socket, p99', speed.socket_p99_ms],
  ].map(([work, ms]) => [String(work), typeof ms === 'number' ? ms.toFixed(1) : String(ms)])
}

const archiveTitle = ({ rounds, round_seconds, rendering }: ArchiveSpeed): string =>
  `The archive over HTTP (medians of ${rounds} rounds of ${round_seconds} s; it was rendered in ` +
  `${seconds(rendering.cpu_seconds)} CPU seconds)`

const archiveRows = ({ session, days, whole, ranges }: ArchiveSpeed): string[][] => [
  ['what', 'body bytes', 'requests/s', 'of the yardstick'],
  ...(
    [
      ['a finished session', session],
      ['the list of days', days],
      ['a dataset file', whole],
      ['a part of it', ranges],
    ] as const
  ).map(([what, { body_bytes, api_per_second, bare_per_second }]) => [
    what,
    count(body_bytes),
    count(api_per_second),
    count(bare_per_second),
  ]),
]

/** The largest backfill with each number of workers; the ideal is so many times one worker. */
function workersTable(sessions: readonly BackfillSpeed[]): Table {
  const most = Math.max(...sessions.map(one => one.sessions))
  const largest = sessions.filter(one => one.sessions === most)
  const perHour = (one: BackfillSpeed) => (one.sessions / one.seconds) * 3_600
  const one = largest.find(({ workers = 1 }) => workers === 1)
  const rows = largest.map(row => {
    const { workers = 1 } = row
    const share = one ? (perHour(row) / (perHour(one) * workers)).toFixed(2) : ''
    return [String(workers), String(row.sessions), count(Math.round(perHour(row))), share]
  })
  const head = ['workers', 'sessions', 'sessions an hour', 'share of ideal']
  return { title: 'Workers of a backfill, two cores each', rows: [head, ...rows] }
}

const fairTitle = ({ round_seconds, peak_mib, equal }: FairSpeed): string =>
  `Waits of careful accounts (rounds of ${round_seconds} s; the server held ` +
  `${count(peak_mib)} MiB at most; ${equal.checks} equal checks of a new minute: one ` +
  `${equal.one_ms.toFixed(0)} ms, ` +
  `the last ${equal.last_ms.toFixed(0)} ms)`

function fairRows({ alone, beside: crowded }: FairSpeed): string[][] {
  const head = [
    'beside',
    ...CAREFUL.map(kind => `${kind}: p50 / p99 ms`),
    'others answered',
    'refused',
    'MiB',
    'same minute again: cases judged anew',
  ]
  const toRow = ({ name, waits, again, ...round }: FairRound) => [
    name,
    ...CAREFUL.map(kind => `${waits[kind].p50_ms.toFixed(1)} / ${waits[kind].p99_ms.toFixed(1)}`),
    count(round.others_answered),
    count(round.others_refused),
    count(round.resident_mib),
    again ? `${again.judged} of ${again.cached + again.judged}` : '-',
  ]
  return [head, ...[alone, ...crowded].map(toRow)]
}

const chatTitle = ({ round_seconds, read }: ChatSpeed): string =>
  `Waits beside messages to LAB (rounds of ${round_seconds} s; of ${count(read.messages)} ` +
  `generated messages that are as long as they may be, reading one takes ` +
  `${read.p50_ms.toFixed(1)} ms of CPU, and the worst of them ${read.worst_ms.toFixed(1)} ms)`

function chatRows({ alone, beside, ...chat }: ChatSpeed): string[][] {
  const head = ['beside', 'sessions: p50 / p99 ms', 'messages answered', 'refused']
  const waits = ({ p50_ms, p99_ms }: ChatSpeed['alone']) =>
    `${p50_ms.toFixed(1)} / ${p99_ms.toFixed(1)}`
  return [
    head,
    ['alone', waits(alone), '0', '0'],
    [
      '16 loops of one account',
      waits(beside),
      count(chat.messages_answered),
      count(chat.messages_refused),
    ],
  ]
}

const ratio = (taken: Taken, yardstick: Taken) =>
  `the fold takes ${(taken.seconds / yardstick.seconds).toFixed(1)} x`

const seconds = (value: number): string => value.toFixed(value < 1 ? 3 : 1)
