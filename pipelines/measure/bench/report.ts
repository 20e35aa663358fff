import type { AlertsSpeed } from './alerts.ts'
import type { ArchiveSpeed } from './archive.ts'
import type { BackfillSpeed, BuildSpeed } from './builds.ts'
import { CAREFUL, type FairSpeed } from './fair.ts'
import type { HttpSpeed } from './http.ts'
import type { InversionSpeed } from './inversions.ts'
import type { LabSpeed } from './lab.ts'
import type { LevelsHttpSpeed } from './levelsHttp.ts'
import { sumTaken } from './meter.ts'
import type { PageSpeed, SiteSpeed } from './site.ts'
import type { FoldSpeed, LevelsSpeed } from './stages.ts'

/** Measurements; a section that was not requested is absent. */
export type Measured = {
  readonly fold?: FoldSpeed
  readonly levels?: LevelsSpeed
  readonly iv?: InversionSpeed
  readonly build?: BuildSpeed
  /** Whole builds, the fewest prints first. */
  readonly growth?: readonly BuildSpeed[]
  readonly sessions?: readonly BackfillSpeed[]
  readonly http?: { readonly session: HttpSpeed; readonly short: HttpSpeed }
  readonly levels_http?: LevelsHttpSpeed
  readonly fair?: FairSpeed
  readonly archive?: ArchiveSpeed
  readonly site?: SiteSpeed
  readonly alerts?: AlertsSpeed
  readonly lab?: LabSpeed
}

/** One requirement on the speed, its measurement, and whether it is met. */
export type BenchTarget = {
  readonly what: string
  readonly measured: number
  readonly demand: 'at most' | 'at least'
  readonly limit: number
  readonly unit: 'x' | 's' | 'MiB' | 'KB' | 'ms' | 'requests' | 'of the window'
  readonly is_met: boolean
}

export type BenchReport = {
  readonly format: 1
  readonly simulated: true
  readonly machine: {
    readonly cores: number
    readonly processor: string
    readonly memory_gib: number
    readonly node: string
  }
  readonly asked: { readonly prints: number; readonly contracts: number }
  readonly measured: Measured
  readonly bars: readonly BenchTarget[]
}

/** Session size of the requirements; those in seconds and bytes are judged on no other. */
const FULL = { prints: 1_000_000, contracts: 20_000 } as const

/** True when the measured session is as large as the requirements specify. */
export const isFull = ({ prints, contracts }: BenchReport['asked']): boolean =>
  prints === FULL.prints && contracts === FULL.contracts

const LIMITS = {
  fold: 10,
  build: 35,
  levels: 6,
  iv: 1.5,
  buildSeconds: 30,
  buildMib: 3 * 1024,
  twice: 2.2,
  requests: 0.7,
  p99: 3,
  shortRequests: 0.4,
  levelsRequests: 0.4,
  historyRequests: 0.5,
  beside: 5,
  equal: 3,
  session: 0.6,
  whole: 0.9,
  ranges: 0.35,
  rendering: 0.08,
  rawKb: 450,
  sessionKb: 60,
  curveKb: 65,
  labSessions: 1_000,
  labVariants: 500,
  labBacktest: 1,
  labShare: 20,
  tick: 1.5,
  tickOfMore: 1.3,
  fanOut: 1.3,
  sendingFresh: 0.7,
  sendingKept: 0.6,
  toSocketSeconds: 1,
} as const

/** Judges every requirement that the measurements cover. */
export function judgeTargets(measured: Measured, requested: BenchReport['asked']): BenchTarget[] {
  const { fold, levels, iv, build, growth, http, levels_http, fair, archive } = measured
  const targets: BenchTarget[] = []
  const judge = (target: Omit<BenchTarget, 'is_met'>) => {
    const isMet =
      target.demand === 'at most'
        ? target.measured <= target.limit
        : target.measured >= target.limit
    targets.push({ ...target, is_met: isMet })
  }
  const atMost = (what: string, measured: number, limit: number, unit: BenchTarget['unit'] = 'x') =>
    judge({ what, measured, demand: 'at most', limit, unit })
  const atLeast = (what: string, measured: number, limit: number) =>
    judge({ what, measured, demand: 'at least', limit, unit: 'x' })

  if (fold) {
    const what = 'fold, over one read and two window sorts of the prints, CPU'
    atMost(what, fold.fold.cpu_seconds / fold.two_sorts.cpu_seconds, LIMITS.fold)
  }
  if (levels) {
    const what = `surface, book and levels, over one gamma a contract, minute and grid point`
    atMost(what, yardstickRatio(levels) / levels.grid_points, LIMITS.levels)
  }
  if (iv) {
    const what = 'implied volatilities, over the prototype'
    atMost(what, iv.ours.seconds / iv.prototype.seconds, LIMITS.iv)
  }
  if (build && isFull(requested)) {
    atMost('whole build, 1,000,000 prints', build.seconds, LIMITS.buildSeconds, 's')
    atMost('peak memory of the build', build.peak_mib, LIMITS.buildMib, 'MiB')
  }
  if (build && fold) {
    const what = 'whole build, over the same two sorts, CPU'
    atMost(what, build.cpu_seconds / fold.two_sorts.cpu_seconds, LIMITS.build)
  }
  for (const [less, more] of consecutivePairs(growth ?? [])) {
    const what = `build of ${count(more.print_count)} prints, over half as many`
    atMost(what, more.seconds / less.seconds, LIMITS.twice)
  }
  if (http) {
    const { api, bare } = http.session
    const requests = api.requests_per_second / bare.requests_per_second
    atLeast(
      "the session's ledger: requests a second, over the bare handler",
      requests,
      LIMITS.requests,
    )
    atMost(
      'p99 at 200 requests a second, over the bare handler',
      api.p99_ms / bare.p99_ms,
      LIMITS.p99,
    )
    const { api: own, bare: other } = http.short
    const times = own.requests_per_second / other.requests_per_second
    atLeast('a short ledger: requests a second, over the bare handler', times, LIMITS.shortRequests)
  }
  for (const [name, limit] of [
    ['levels', LIMITS.levelsRequests],
    ['history', LIMITS.historyRequests],
  ] as const) {
    if (!levels_http) break
    const { api, bare } = levels_http[name]
    const requests = api.requests_per_second / bare.requests_per_second
    atLeast(`${name} of the levels API: requests a second, over the bare handler`, requests, limit)
  }
  if (fair) judgeFair(fair, atMost)
  if (archive) {
    const { session, days, whole, ranges, rendering } = archive
    const times = ({ api_per_second, bare_per_second }: typeof session) =>
      api_per_second / bare_per_second
    atLeast('a finished session, over the bare handler', times(session), LIMITS.session)
    atLeast('the list of days, over the bare handler', times(days), LIMITS.session)
    atLeast('a dataset file, over express.static', times(whole), LIMITS.whole)
    atLeast('64 KB of a dataset file, over express.static', times(ranges), LIMITS.ranges)
    const share = rendering.cpu_seconds / archive.build_cpu_seconds
    atMost('rendering of the archive, over the build', share, LIMITS.rendering)
    const inKb = (what: string, bytes: number, limit: number) =>
      atMost(what, bytes / 1000, limit, 'KB')
    inKb('a finished session', archive.raw_bytes, LIMITS.rawKb)
    inKb('the same, compressed', session.body_bytes, LIMITS.sessionKb)
    inKb(
      'the largest file of its curves or strikes, compressed',
      archive.curve_bytes,
      LIMITS.curveKb,
    )
  }
  for (const target of otherTargets(measured)) judge(target)
  return targets
}

type AtMost = (what: string, measured: number, limit: number) => void

function judgeFair({ alone, beside, equal, chat }: FairSpeed, atMost: AtMost): void {
  for (const { name, waits } of beside) {
    for (const kind of CAREFUL) {
      const times = waits[kind].p99_ms / alone.waits[kind].p99_ms
      atMost(`p99 of ${kind} beside ${name}, over alone`, times, LIMITS.beside)
    }
  }
  const { checks, one_ms, last_ms } = equal
  const what = `the last of ${checks} equal checks of a new minute, over a single one`
  atMost(what, last_ms / one_ms, LIMITS.equal)
  const waits = 'p99 of sessions beside 16 loops of messages to LAB, over alone'
  atMost(waits, chat.beside.p99_ms / chat.alone.p99_ms, LIMITS.beside)
}

const otherTargets = (measured: Measured) =>
  [siteTargets, alertsTargets, labTargets].flatMap(of => of(measured))

/** Limits of a page. */
const PAGE_LIMITS = {
  requests: 8,
  htmlKb: 45,
  cssKb: 8,
  scriptKb: 35,
  dataKb: 65,
  paintedMs: 1_500,
  shift: 0.02,
  keyMs: 100,
} as const

/** Requirements on the page with the highest value of each. */
function siteTargets({ site }: Measured): Omit<BenchTarget, 'is_met'>[] {
  if (!site) return []
  const { pages, key_ms, ledger } = site
  const most = (name: Exclude<keyof PageSpeed, 'page'>) =>
    Math.max(...pages.map(page => page[name]))
  const makeTarget = (what: string, measured: number, limit: number, unit: BenchTarget['unit']) =>
    ({ what, measured, demand: 'at most', limit, unit }) as const
  const { requests, htmlKb, cssKb, scriptKb, dataKb, paintedMs, shift, keyMs } = PAGE_LIMITS
  return [
    makeTarget('requests of a page', most('requests'), requests, 'requests'),
    makeTarget('HTML of a page, compressed', most('html_bytes') / 1000, htmlKb, 'KB'),
    makeTarget('its styles', most('css_bytes') / 1000, cssKb, 'KB'),
    makeTarget('its scripts', most('script_bytes') / 1000, scriptKb, 'KB'),
    makeTarget('its data', most('data_bytes') / 1000, dataKb, 'KB'),
    makeTarget('the largest thing of a page is painted after', most('painted_ms'), paintedMs, 'ms'),
    makeTarget('what moves after it is painted', most('shift'), shift, 'of the window'),
    makeTarget('the scrubber answers a key in', key_ms, keyMs, 'ms'),
    ...(ledger
      ? [makeTarget('a page of a ledger of 40,000 orders', ledger.html_bytes / 1000, htmlKb, 'KB')]
      : []),
  ]
}

/** Requirements on tests of ideas, for a given number of sessions and variants. */
function labTargets({ lab }: Measured): Omit<BenchTarget, 'is_met'>[] {
  if (!lab || lab.sessions !== LIMITS.labSessions) return []
  const { backtest_seconds, share_seconds, variants } = lab
  const makeTarget = (what: string, measured: number, limit: number) =>
    ({ what, measured, demand: 'at most', limit, unit: 's' }) as const
  return [
    makeTarget('a test of 1,000 sessions in memory', backtest_seconds, LIMITS.labBacktest),
    makeTarget(
      '500 variants of it on two cores',
      (share_seconds * LIMITS.labVariants) / variants,
      LIMITS.labShare,
    ),
  ]
}

/** Requirements on finding alerts. */
function alertsTargets({ alerts: speed }: Measured): Omit<BenchTarget, 'is_met'>[] {
  if (!speed) return []
  const { tick_ms, few_tick_ms, scan_ms, fan_out_ms, bare_insert_ms } = speed
  const makeTarget = (what: string, measured: number, limit: number) =>
    ({ what, measured, demand: 'at most', limit, unit: 'x' }) as const
  const accounts = count(speed.accounts)
  return [
    makeTarget(
      `a minute of ${accounts} accounts, over a plain scan`,
      tick_ms / scan_ms,
      LIMITS.tick,
    ),
    makeTarget(
      `the same, over ${count(speed.few_accounts)} accounts at equal matches`,
      tick_ms / few_tick_ms,
      LIMITS.tickOfMore,
    ),
    makeTarget(
      `an event stored for ${accounts} accounts, over bare inserts`,
      fan_out_ms / bare_insert_ms,
      LIMITS.fanOut,
    ),
    ...sendingTargets(speed),
  ]
}

function sendingTargets(speed: AlertsSpeed): Omit<BenchTarget, 'is_met'>[] {
  const makeTarget = (what: string, measured: number, limit: number) =>
    ({ what, measured, demand: 'at least', limit, unit: 'x' }) as const
  const fresh = speed.fresh_per_second / speed.bare_fresh_per_second
  const keptAliveRatio = speed.kept_per_second / speed.bare_kept_per_second
  return [
    makeTarget(
      'sending, each call on a connection of its own, over bare undici',
      fresh,
      LIMITS.sendingFresh,
    ),
    makeTarget(
      'sending over connections that are kept, over bare undici',
      keptAliveRatio,
      LIMITS.sendingKept,
    ),
    {
      what: 'a new minute is on the socket after, p99',
      measured: speed.socket_p99_ms / 1000,
      demand: 'at most',
      limit: LIMITS.toSocketSeconds,
      unit: 's',
    },
  ]
}

/** Time of the surface, the book and the levels together, relative to the yardstick. */
export const yardstickRatio = ({ surface, book, levels, chain_gammas }: LevelsSpeed): number =>
  sumTaken([surface, book, levels]).seconds / chain_gammas.seconds

/** Pairs of consecutive rows of a growth table. */
const consecutivePairs = <Row>(rows: readonly Row[]): [Row, Row][] =>
  rows.slice(1).map((row, index) => [rows[index]!, row])

/** 1,000,000. */
export const count = (value: number): string => Math.round(value).toLocaleString('en-US')
