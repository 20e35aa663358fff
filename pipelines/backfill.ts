import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Clock, systemClock } from '../src/clock.ts'
import { readArguments } from '../src/command.ts'
import { addDays, isDate, type SessionDate, sessionOf } from '../src/market/calendar.ts'
import { buildInputs } from '../src/store/carried.ts'
import { withLock } from '../src/store/lock.ts'
import { readManifest } from '../src/store/manifest.ts'
import { Refusal } from '../src/store/refusal.ts'
import { tapeFiles } from '../src/store/tape.ts'
import { codeVersion } from '../src/store/version.ts'
import { collectAfter } from './collect.ts'
import { runCommand } from './command.ts'

export type BackfillOptions = {
  readonly dataFolder: string
  readonly from: SessionDate
  readonly to: SessionDate
  /** Builds also what is up to date. */
  readonly isForced: boolean
  readonly say: (line: string) => void
  readonly clock: Clock
  /** Builds and publishes one session; throws when it cannot. */
  readonly buildSession: (date: SessionDate) => Promise<void>
}

/** What became of the sessions of the range, each list oldest first. */
export type Backfilled = Readonly<
  Record<'built' | 'current' | 'failed' | 'withoutTape', readonly SessionDate[]>
>

/** Longer than any tape: a mistyped year is told, not walked through. */
const MAX_RANGE_DAYS = 30 * 366

/**
 * Builds every session of a range that has a tape and is not published by this code from these
 * inputs. Oldest first, since a session hands its positions to the next. What is done is known
 * from the manifests alone, so a run that was killed goes on where it was.
 */
export async function backfill(options: BackfillOptions): Promise<Backfilled> {
  const { dataFolder, from, to } = options
  const sessions = sessionsOf(from, to)
  const hasTape = (date: SessionDate) => tapeFiles(dataFolder, 'prints', date).length > 0
  const withoutTape = sessions.filter(date => !hasTape(date))
  const dates = sessions.filter(hasTape)
  if (dates.length === 0) {
    throw new Refusal(`no session from ${from} to ${to} has a tape: import one first.`)
  }
  const lock = join(dataFolder, 'work', 'backfill.lock')
  const busy = 'Another backfill of this data folder is running; wait until it has ended.'
  return withLock(lock, busy, async () => {
    if (withoutTape.length > 0) options.say(`no tape: ${rangesText(withoutTape, sessions)}`)
    return { ...(await buildDue(dates, options)), withoutTape }
  })
}

async function buildDue(dates: readonly SessionDate[], options: BackfillOptions) {
  const { dataFolder, isForced, say, clock } = options
  const version = codeVersion()
  const isDue = (date: SessionDate) => isForced || !isCurrent(dataFolder, date, version)
  const expected = new Set(dates.filter(isDue))
  say(`${dates.length} sessions have a tape, ${expected.size} are to be built`)

  const done = { built: [] as string[], current: [] as string[], failed: [] as string[] }
  let spentMs = 0
  for (const [index, date] of dates.entries()) {
    const place = `${index + 1} of ${dates.length}  ${date}`
    // asked again in its turn: the session before may have changed what this one carries over
    if (!isDue(date)) {
      done.current.push(date)
      say(`${place}  is up to date`)
      continue
    }
    const startedAtMs = clock.nowMs()
    const failure = await failureOf(() => options.buildSession(date))
    const tookMs = clock.nowMs() - startedAtMs
    spentMs += tookMs
    const left = dates.slice(index + 1).filter(later => expected.has(later)).length
    const meanMs = spentMs / (done.built.length + done.failed.length + 1)
    const outlook = left === 0 ? '' : `, about ${durationText(left * meanMs)} left`
    const outcome = failure === null ? 'built in' : 'FAILED after'
    say(`${place}  ${outcome} ${durationText(tookMs)}${outlook}${failure ? `: ${failure}` : ''}`)
    done[failure === null ? 'built' : 'failed'].push(date)
  }
  return done
}

/** Whether what is published of a session was built by this code from what a build would read. */
function isCurrent(dataFolder: string, date: SessionDate, version: string): boolean {
  const manifest = readManifest(dataFolder, date)
  if (manifest?.code_version !== version) return false
  const inputs = manifest.inputs.map(({ dataset, file, rows, sha256 }) => {
    return { dataset, file, rows, sha256 }
  })
  return JSON.stringify(inputs) === JSON.stringify(buildInputs(dataFolder, date))
}

/** Why a build failed, in one sentence; null when it did not. The other sessions go on. */
async function failureOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * A build in a process of its own: its memory goes with it, and a crash takes nobody along. It
 * ends when this process does.
 */
function buildInChild(dataFolder: string, flags: readonly string[]) {
  const script = join(import.meta.dirname, 'nightly.ts')
  return async (date: SessionDate): Promise<void> => {
    const child = spawn(process.execPath, [script, '--data', dataFolder, ...flags, date], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let told = ''
    child.stderr!.setEncoding('utf8').on('data', text => {
      told += text
    })
    const ended = await new Promise<string | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => resolve(code === 0 ? null : `${signal ?? code}`))
    })
    if (ended === null) return
    const sentence = told.split('\n').find(line => line.startsWith('tapefold: '))
    throw new Error(sentence?.slice('tapefold: '.length) ?? `the build ended with ${ended}`)
  }
}

function sessionsOf(from: SessionDate, to: SessionDate): SessionDate[] {
  const dates: SessionDate[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) if (sessionOf(date)) dates.push(date)
  return dates
}

/** Dates as runs of sessions: '2026-10-12 to 2026-10-14, 2026-10-16'. */
function rangesText(dates: readonly SessionDate[], sessions: readonly SessionDate[]): string {
  const runs: [first: SessionDate, last: SessionDate][] = []
  for (const date of dates) {
    const run = runs.at(-1)
    if (run && sessions.indexOf(run[1]) + 1 === sessions.indexOf(date)) run[1] = date
    else runs.push([date, date])
  }
  return runs.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(', ')
}

/** Such as '8.4 s', '3 min 20 s', '2 h 5 min'. */
function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** The range of a command line: two dates, the first one not after the second. */
export function parseRange(args: readonly string[]): { from: SessionDate; to: SessionDate } {
  const [from, to] = args
  if (args.length !== 2 || from === undefined || to === undefined) {
    throw new Refusal('backfill takes two dates, such as backfill 2026-10-01 2026-10-15.')
  }
  for (const date of [from, to]) {
    if (!isDate(date)) throw new Refusal(`${date} is not a date; give one such as 2026-10-15.`)
  }
  if (from > to) throw new Refusal(`${from} is after ${to}; give the older date first.`)
  if (addDays(from, MAX_RANGE_DAYS) < to) {
    throw new Refusal(`${from} to ${to} is longer than 30 years; give a shorter range.`)
  }
  return { from, to }
}

const USAGE = `usage: tapefold backfill FROM TO [--force] [--refuse-bad-tape] [--data DIR]

Builds every session from FROM to TO that has a tape and is not published by this code from these
inputs, oldest first. A run that was killed goes on where it was.

  --force             builds them all again
  --refuse-bad-tape   does not publish a tape that cannot carry a ledger
`

if (import.meta.main) {
  runCommand(async () => {
    const { values, positionals } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: 'data' },
        force: { type: 'boolean', default: false },
        'refuse-bad-tape': { type: 'boolean', default: false },
      },
    })
    const say = (line: string) => void process.stdout.write(`${line}\n`)
    const flags = values['refuse-bad-tape'] ? ['--refuse-bad-tape'] : []
    const { built, current, failed } = await backfill({
      ...parseRange(positionals),
      dataFolder: values.data,
      isForced: values.force,
      say,
      clock: systemClock,
      buildSession: buildInChild(values.data, flags),
    })
    await collectAfter(values.data, systemClock, say)
    say(`${built.length} built, ${current.length} up to date, ${failed.length} failed`)
    if (failed.length > 0) {
      throw new Refusal(`not built, for the reasons above: ${failed.join(', ')}.`)
    }
  })
}
