/** `tapefold fetch`: what is missing of a source's days, into the inbox and onto the tape. */

import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, parseReplay, replayClock, systemClock } from '../../src/core/clock.ts'
import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { dateArgument } from '../../src/core/days.ts'
import { lockPath, withLock } from '../../src/core/disk/lock.ts'
import { CommandError, Refusal } from '../../src/core/disk/refusal.ts'
import {
  addDays,
  findTradingSession,
  type SessionDate,
  wallTimeEt,
} from '../../src/core/market/calendar.ts'
import { counted, formatBytes, grouped } from '../../src/core/text/counts.ts'
import { commandProgress, ownEnvironment } from '../command/command.ts'
import { type Progress, silent } from '../command/progress.ts'
import type { FETCH } from '../command/rows.ts'
import { pushTape } from '../command/sharedStore.ts'
import { openClient, type SourceClient } from './client.ts'
import { publishOnce, runFollow } from './follow.ts'
import {
  askPrice,
  type FetchDeps,
  type FetchedDay,
  type FetchPlan,
  findRestated,
  planFetch,
  refuseDays,
  runFetch,
  storeOutcome,
  usualBytes,
} from './run.ts'
import { readSettings, type SourceSettings } from './settings.ts'
import {
  type DataSource,
  FetchProblem,
  type Part,
  type Price,
  partName,
  problemExitCode,
} from './source.ts'
import { SOURCES } from './sources.ts'

/** Longest range of days: a mistyped year is refused. */
const RANGE_DAYS_MAX = 30 * 366

type Options = {
  readonly dataFolder: string
  readonly source: DataSource
  readonly settings: SourceSettings
  readonly days: readonly SessionDate[]
  readonly isPlan: boolean
  readonly isRestated: boolean
  readonly isFollow: boolean
  readonly isJson: boolean
  readonly maxCostUsd: number
  readonly clock: Clock
}

function readOptions({ words, ...input }: Input<typeof FETCH>): Options {
  const [name, ...dayTexts] = words
  const clock = input.clock === undefined ? systemClock : replayClock(parseReplay(input.clock))
  const source = findSource(name)
  const today = wallTimeEt(clock.nowMs()).date
  const days = readDays(
    source,
    dayTexts.filter(text => text !== undefined),
    today,
  )
  if (input.follow && !source.follow) {
    const able = SOURCES.filter(({ follow }) => follow).map(each => each.name)
    throw new UsageError(
      `${source.name} has no running session to follow; ${able.join(' and ')} have.`,
    )
  }
  return {
    dataFolder: input.data,
    source,
    settings: readSettings(source, input.data, ownEnvironment()),
    days,
    isPlan: input.plan,
    isRestated: input.restated,
    isFollow: input.follow,
    isJson: input.json,
    maxCostUsd: input['max-cost'],
    clock,
  }
}

/** The source of a name. Fails with a UsageError. */
function findSource(name: string): DataSource {
  const source = SOURCES.find(each => each.name === name)
  if (source) return source
  const names = SOURCES.map(each => each.name).join(', ')
  throw new UsageError(`${name} is not a source; give one of ${names}.`)
}

/** Days of a command line: sessions where the source has files by session. */
function readDays(source: DataSource, texts: readonly string[], today: SessionDate): SessionDate[] {
  const [from = today, to = from] = texts.map(text =>
    text === 'today' ? today : dateArgument(text),
  )
  if (to < from) throw new UsageError(`${to} is before ${from}; give the earlier day first.`)
  if (from > today) throw new UsageError(`${from} is in the future; give a day up to ${today}.`)
  const days: SessionDate[] = []
  for (let day = from; day <= to && day <= today; day = addDays(day, 1)) {
    if (days.length > RANGE_DAYS_MAX)
      throw new UsageError(`${from} to ${to} is more than 30 years.`)
    if (!source.isBySession || findTradingSession(day)) days.push(day)
  }
  if (days.length === 0) {
    throw new UsageError(
      `there is no session from ${from} to ${to}; give a day such as 2026-11-24.`,
    )
  }
  refuseDays(source, days, today)
  return days
}

type Output = { readonly say: (line: string) => void; readonly event: (value: object) => void }

const openOutput = (isJson: boolean, { say }: Progress): Output => ({
  say,
  event: value => {
    if (isJson) process.stdout.write(`${JSON.stringify(value)}\n`)
  },
})

const priceText = ({ usd, bytes }: Price): string =>
  `${usd.toFixed(2)} USD for ${formatBytes(bytes)}`

/** Shows what would be fetched. */
function showPlan(plan: FetchPlan, price: Price | null, source: DataSource, output: Output): void {
  const { say, event } = output
  const days = new Set(plan.missing.map(({ day }) => day)).size
  event({
    event: 'plan',
    source: source.name,
    days,
    requests: plan.missing.length,
    usual_bytes: usualBytes(plan.missing),
    usd: price?.usd ?? null,
    billed_bytes: price?.bytes ?? null,
    stored: plan.stored.length,
  })
  if (plan.missing.length === 0) {
    say(`${source.name}: everything is there (${counted(plan.stored.length, 'file')})`)
    return
  }
  const size = `usually ${formatBytes(usualBytes(plan.missing))}`
  say(
    `${source.name}: ${counted(plan.missing.length, 'request')} for ${counted(days, 'day')}, ${size}` +
      (plan.stored.length > 0 ? `; ${counted(plan.stored.length, 'file')} there already` : ''),
  )
  if (price) say(`price: ${priceText(price)}`)
}

/** Consent of a person, or of the option, to a price. Fails with a Refusal. */
async function allowPrice(price: Price | null, { maxCostUsd, source }: Options): Promise<void> {
  if (price === null || price.usd <= maxCostUsd) return
  const sentence = `${source.name} charges ${priceText(price)}, above --max-cost of ${maxCostUsd.toFixed(2)} USD`
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new Refusal(
      `${sentence}; nothing was fetched. Allow it with --max-cost ${Math.ceil(price.usd)}.`,
    )
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const reply = await lines.question(`${sentence}. Fetch it? [y/N] `)
  lines.close()
  if (!/^y(es)?$/i.test(reply.trim())) throw new Refusal('nothing was fetched.')
}

function showDay(day: FetchedDay, output: Output): void {
  const { problem, imported, ...rest } = day
  output.event({ event: 'day', ...rest, imported, problem: problem?.message ?? null })
  const came =
    day.files === 0
      ? 'nothing new came'
      : `${counted(day.files, 'file')}, ${formatBytes(day.bytes)}`
  if (problem) {
    output.say(`${day.day}  ${came}; not imported: ${problem.message}`)
    return
  }
  const rows = Object.entries(imported).map(([name, count]) => `${grouped(count)} ${name}`)
  const rejected = day.rejected > 0 ? `; ${grouped(day.rejected)} rejected` : ''
  output.say(`${day.day}  ${came}; imported ${rows.join(', ') || 'nothing new'}${rejected}`)
  for (const note of day.notes) output.say(`  ${note}`)
  for (const file of new Set(day.excluded)) output.say(`  excluded rows, with reasons: ${file}`)
}

/** Runs a fetch while a meter shows its bytes, of about those that its files usually have. */
function withMeter<T>(
  progress: Progress,
  { name }: DataSource,
  { missing }: FetchPlan,
  work: (counting: Pick<FetchDeps, 'onBytes' | 'onPart' | 'onImport'>) => Promise<T>,
): Promise<T> {
  const came = new Map<Part, number>()
  let total = usualBytes(missing)
  let done = 0
  let fileCount = 0
  const filesNote = () => `${fileCount} of ${counted(missing.length, 'file')}`
  const state = { what: `fetch ${name}`, unit: 'bytes', total, isAbout: true, note: filesNote() }
  return progress.meter(state, ({ update }) =>
    work({
      onBytes: (count, part) => {
        const before = came.get(part) ?? 0
        came.set(part, before + count)
        done += count
        // a file that is larger than usual makes the whole larger
        total += Math.max(before + count, part.usualBytes) - Math.max(before, part.usualBytes)
        update({ done, total, note: filesNote() })
      },
      onPart: part => {
        fileCount++
        total -= Math.max(0, part.usualBytes - (came.get(part) ?? 0))
        update({ done, total, note: filesNote() })
      },
      onImport: day => update({ note: `importing ${day}` }),
    }),
  )
}

async function fetchDays(options: Options, client: SourceClient): Promise<void> {
  const { dataFolder, source, clock } = options
  const progress = options.isJson ? silent : commandProgress(clock)
  const output = openOutput(options.isJson, progress)
  const deps: FetchDeps = {
    dataFolder,
    source,
    client,
    nowMs: clock.nowMs,
    wait: sleep,
    random: Math.random,
    onDay: day => showDay(day, output),
  }
  try {
    await fetchMissing(options, deps, { output, progress })
  } catch (error) {
    // a list or a price that failed; days store their own problems
    if (error instanceof FetchProblem && !options.isPlan)
      storeOutcome([{ day: '', problem: error }], deps)
    throw error
  }
}

async function fetchMissing(
  options: Options,
  deps: FetchDeps,
  { output, progress }: { readonly output: Output; readonly progress: Progress },
): Promise<void> {
  const { dataFolder, source, days, clock } = options
  const { missing, stored } = planFetch(dataFolder, source, days, clock.nowMs())
  if (options.isPlan) {
    showPlan({ missing, stored }, await askPrice(missing, deps), source, output)
    return
  }
  const restated = await findRestated(stored, deps)
  const again = options.isRestated ? restated : []
  const plan: FetchPlan = {
    missing: [...missing, ...again],
    stored: stored.filter(({ part }) => !again.includes(part)),
  }
  if (!options.isRestated) {
    for (const part of restated) {
      output.event({ event: 'restated', file: partName(part) })
      output.say(
        `restated: ${source.name} has replaced ${partName(part)} since; fetch it again with --restated`,
      )
    }
  }
  const price = await askPrice(plan.missing, deps)
  showPlan(plan, price, source, output)
  await allowPrice(price, options)
  const results = await withMeter(progress, source, plan, counting =>
    runFetch(plan, { ...deps, ...counting }),
  )
  if (results.length > 0) {
    storeOutcome(results, deps)
    await pushTape(dataFolder, progress)
  }
  if (source.isOfToday && results.every(({ problem }) => problem === null))
    output.say(await publishOnce(options))
  endWithProblems(results, days.length)
}

/** Fails with the first problem of days, and their number. */
function endWithProblems(results: readonly FetchedDay[], dayCount: number): void {
  const failed = results.flatMap(({ day, problem }) => (problem ? [{ day, problem }] : []))
  if (failed.length === 0) return
  const codes = failed.map(({ problem }) => problemExitCode(problem))
  const count = failed.length === 1 ? failed[0]!.day : `${failed.length} of ${dayCount} days`
  throw new CommandError(
    `${count} could not be fetched whole, for the reasons above.`,
    codes.includes(1) ? 1 : 75,
  )
}

/** Runs `tapefold fetch`. */
export async function fetchCommand(input: Input<typeof FETCH>): Promise<void> {
  const options = readOptions(input)
  const { dataFolder, source, settings, clock } = options
  const client = openClient({ source, settings, nowMs: clock.nowMs })
  try {
    if (options.isPlan) return await fetchDays(options, client)
    const busy = `Another fetch of ${source.name} into ${dataFolder} is running; wait until it has ended.`
    await withLock(lockPath(dataFolder, `fetch-${source.name}`), busy, () =>
      options.isFollow ? runFollow({ ...options, client }) : fetchDays(options, client),
    )
  } catch (error) {
    // of a price or a list, which no day has
    if (!(error instanceof FetchProblem)) throw error
    throw new CommandError(error.message, problemExitCode(error))
  } finally {
    await client.close()
  }
}
