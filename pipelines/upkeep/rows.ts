import { command, numeric, or, type Parse, wrongValue } from '../../src/core/commandRow.ts'

/** Commands that build many sessions, verify and repair them, and delete what is no longer used. */

/** Maximum of tasks at once, beyond the memory of any machine. */
const MAX_WORKERS = 64

const WORKERS = {
  'workers N': 'does N tasks at once; by default one for two cores and 3.5 GB of memory',
}
const WORKER_COUNT = {
  workers: numeric(/^[1-9]\d?$/, MAX_WORKERS, `give a number from 1 to ${MAX_WORKERS}, such as 2`),
}
const REFUSE_BAD_TAPE = {
  'refuse-bad-tape': `refuses a tape with too little left for a ledger, such as half of its minutes
    missing`,
}

export const BACKFILL = command({
  line: 'backfill FROM TO',
  summary: 'build all sessions of a range that are not up to date',
  about: `Builds every session from FROM to TO that has a tape and is not up to date: not yet published, or
built by other code or from other inputs. After a kill, the same command goes on where it stopped.
With DATABASE_URL set, machines on which "tapefold work" runs do its tasks too. With TAPEFOLD_STORE
set, it is about the sessions of the store, and what it builds is there. With several workers,
sessions are folded first and positions carried through them, so that no build waits for another.`,
  takes: 'two dates, such as backfill 2026-10-01 2026-10-15',
  options: {
    ...WORKERS,
    force: 'builds them all again',
    ...REFUSE_BAD_TAPE,
    'only-new-datasets': `adds the datasets that published sessions lack because older code built
      them, and what futures and settlements imported since then change: it builds nothing again
      and keeps every other file`,
  },
  values: WORKER_COUNT,
  work: 'pipelines/upkeep/backfill.ts',
})

export const WORK = command({
  line: 'work',
  summary: 'do tasks of backfills that machines share',
  about: `Does tasks of the backfills that any machine with the same DATABASE_URL submits, until it is stopped.
A machine that dies loses nothing: its tasks run elsewhere within 15 seconds. The machines share a
folder, or with TAPEFOLD_STORE a store: then each has a data folder of its own.`,
  options: { ...WORKERS, ...REFUSE_BAD_TAPE },
  values: WORKER_COUNT,
  work: 'pipelines/upkeep/work.ts',
})

export const PLAN = command({
  line: 'plan FROM TO',
  summary: 'show the tasks of a backfill, for any scheduler',
  about: `Shows the tasks that would bring the sessions from FROM to TO up to date, and changes nothing:
a fold of each session, one carry of the positions through them, a build of each. Only the carry
waits for all folds, and the builds for it.`,
  takes: 'two dates, such as plan 2026-10-01 2026-10-15',
  options: {
    force: 'plans sessions that are up to date as well',
    json: 'prints the tasks as JSON, for a scheduler that starts "tapefold task ID"',
  },
  work: 'pipelines/upkeep/plan.ts',
})

function runName(text: string, option: string): string {
  if (/^[\w-]{1,64}$/.test(text)) return text
  throw wrongValue(option, text, 'give letters, digits and hyphens, such as night-7')
}

export const TASK = command({
  line: 'task ID',
  summary: 'do one of these tasks',
  about: `Does one task of "tapefold plan FROM TO", such as build-2026-10-15, under any scheduler that starts
it when the tasks that it needs have ended. Doing a task twice changes nothing.

Exit codes: 0 done, 1 refused (trying again would not help), 2 not understood, 75 try again: another
process is at work on the session, the store is away, or the machine lacks memory or files.`,
  takes: 'the id of a task; give one of "tapefold plan", such as build-2026-10-15',
  options: {
    'run NAME': `name of the plan, the same for all of its tasks, such as night-7: with
      TAPEFOLD_STORE a carry hands on positions to builds under it`,
    force: 'does it again where it is up to date',
    ...REFUSE_BAD_TAPE,
    'no-views': `leaves published/views.sql to a later command, when there are thousands of
      sessions to build`,
    json: 'prints the result as JSON',
  },
  values: { run: runName },
  work: 'pipelines/upkeep/task.ts',
})

/**
 * All jobs. A tick builds nothing: it wakes a loop that compares the calendar, the tape and the
 * manifests. So a tick that is lost, doubled or late only changes the time.
 */
export const JOBS = [
  {
    name: 'nightly fetch',
    cron: '*/10 * * * *',
    wakes:
      'fetches and imports the sessions of the last 7 days that each --fetch SOURCE should have by ' +
      'then, where they are missing',
  },
  {
    name: 'nightly build',
    cron: '*/10 * * * *',
    wakes:
      'builds the sessions of the last 31 days that closed 15 minutes ago or earlier, have a ' +
      'tape, and are not published by this code from these inputs',
  },
  {
    name: 'nightly verify',
    cron: '5 * * * *',
    wakes: 'compares every published file with its hash, once a night after 04:00 ET',
  },
  {
    name: 'nightly months',
    cron: '20 * * * *',
    wakes:
      'writes orders and levels by month where finished sessions have changed, once a night after ' +
      '04:00 ET',
  },
  {
    name: 'nightly cleanup',
    cron: '35 * * * *',
    wakes: 'deletes events and deliveries of more than 30 days ago, once a night after 04:00 ET',
  },
] as const

export const SCHEDULE = command({
  line: 'schedule',
  summary: 'build finished sessions, verify every night',
  about: `Builds each finished session as soon as its tape is there, until it is stopped. Every night it
verifies the published files, writes those of months, and deletes events of more than 30 days ago. If
several run, one works and another takes over when it dies. One that lost its lock on the database to
another ends with exit code 1: start it again.

${JOBS.map(job => `  ${job.name.padEnd(16)}${job.cron.padEnd(14)}UTC`).join('\n')}`,
  options: {
    'fetch SOURCE...': `fetches each finished session when the source has it, then builds it; may
      be given several times, such as --fetch thetadata --fetch treasury`,
    once: 'does what is missing now and ends; for use with a system timer',
    ...WORKERS,
  },
  values: WORKER_COUNT,
  work: 'pipelines/upkeep/schedule.ts',
})

export const VERIFY = command({
  line: 'verify DAY...',
  summary: "check every file's hash, then rebuild and compare",
  about: `Checks the hash of every file of published sessions and of their tape, then rebuilds each session
from its tape and compares every byte.`,
  options: { quick: 'only the hashes' },
  work: 'pipelines/upkeep/verify.ts',
})

export const REPAIR = command({
  line: 'repair DAY...',
  summary: 'move damaged files away and rebuild them',
  about: `Checks the hash of every file of published sessions. Damaged files move to quarantine/, and their
session is built again from its tape. A damaged or missing manifest is made again, too.`,
  work: 'pipelines/upkeep/repair.ts',
})

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

type Grace = { readonly text: string; readonly ms: number }

/** Parses a time such as '90m', '24h' or '7d'; it is at least a minute. */
const grace: Parse<Grace> = (text, option) => {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  // a reader may have read the manifest just before
  if (count !== undefined && Number(count) > 0) return { text, ms: Number(count) * UNIT_MS[unit!]! }
  throw wrongValue(option, text, 'give minutes, hours or days from 1m on, such as 24h')
}

export const COLLECT = command({
  line: 'collect',
  summary: 'delete old files that are no longer used',
  about: `Deletes files that no manifest has named for the grace time: old versions of sessions, and what
killed commands left behind. Readers are not disturbed. Quarantine and old manifests are kept. Of the
inbox it deletes fetched files that are old and imported, and refused ones; the records stay. With
TAPEFOLD_STORE set, the same in the store, where a file that nothing names is marked first and deleted
by a later call, 24 hours after it at the earliest.`,
  options: {
    'dry-run': 'lists the files and deletes nothing',
    'grace TIME': 'minutes, hours or days, such as 90m or 7d',
    'inbox-age TIME': 'age of files of the inbox that are deleted',
  },
  values: { grace: or(grace, '24h'), 'inbox-age': or(grace, '30d') },
  work: 'pipelines/upkeep/collect.ts',
})
