import { randomBase62 } from '../../accounts/apiKey.ts'
import { isRunning, machineTag, ownProcess } from '../../core/disk/process.ts'
import type { SessionDate } from '../../core/market/calendar.ts'
import type { Timers } from '../../outbox/sending/timers.ts'
import type { Log } from '../../platform/http/request.ts'
import type { LabRunStore, RunEnd, StoredRun } from '../store/runTypes.ts'
import { RunRefused } from '../verdict/request.ts'
import { compute } from './compute.ts'
import { CHILD_COUNT, type Pool } from './pool.ts'

/** Interval at which a running computation renews its lease and stores its progress. */
const LEASE_RENEWAL_MS = 1_000
/** Maximum duration of a run; a longer one is considered hung. */
const RUN_MAX_MS = 600_000

/** Abort reason of a run that takes too long. */
const HANGING = new Error('the run takes too long')

/**
 * Renews the lease of a run until it is over; aborts the run when another worker owns it by then,
 * or when it hangs. Returns the function to call when the run is over.
 */
function keepAlive(
  stop: AbortController,
  { timers, renew }: { readonly timers: Timers; readonly renew: () => Promise<boolean> },
): () => void {
  let callOff = () => {}
  const next = () => {
    callOff = timers.after(LEASE_RENEWAL_MS, tick)
  }
  const tick = async () => {
    // an unresponsive database is tolerated as long as the lease holds
    const isOwn = await renew().catch(() => true)
    if (!isOwn) stop.abort(new Error('the run is not this worker’s any more'))
    else if (!stop.signal.aborted) next()
  }
  const callOffLast = timers.after(RUN_MAX_MS, () => stop.abort(HANGING))
  next()
  return () => {
    stop.abort(new Error('the run is over'))
    callOff()
    callOffLast()
  }
}

/** Worker names, by which runs identify who computes them: a process and one of its servers. */

const alive = new Set<string>()

/** Registers a server of this process under a new name, until it stops. */
export function newWorker(): string {
  const worker = `${ownProcess()}-${randomBase62(6)}`
  alive.add(worker)
  return worker
}

export const endWorker = (worker: string): void => {
  alive.delete(worker)
}

/** True when a worker is known to have ended; on other machines only leases show that. */
export function isDead(worker: string): boolean {
  const [machine, pid] = worker.split('-')
  if (machine !== machineTag()) return false
  return Number(pid) === process.pid ? !alive.has(worker) : !isRunning(Number(pid))
}

/** Maximum attempts to store the outcome of a run while the database takes no writes. */
const END_ATTEMPTS_MAX = 30

export type RunnerDeps = {
  readonly store: Pick<
    LabRunStore,
    'claimRun' | 'extendLease' | 'leaveRun' | 'endRun' | 'openRuns' | 'lapsedRuns'
  >
  readonly pool: Pool
  readonly nowMs: () => number
  /** Last session that is over: later ones are not read. */
  readonly lastSession: () => SessionDate
  readonly timers: Timers
  readonly log: Log
  /** Id of the only run to compute; if omitted, any. */
  readonly only?: string
}

/** Computes the runs of an account database, concurrently with other servers. */
export type Runner = {
  /** Looks for a waiting run. */
  readonly wake: () => void
  /** Takes over runs of dead servers, fails those that died twice, and looks for waiting runs. */
  readonly sweep: () => Promise<void>
  /** Ends a run in progress, whichever server computes it; returns its current state. */
  readonly end: (id: string, end: RunEnd) => Promise<StoredRun | null>
  /** True while sessions are being read here, which delays requested runs. */
  readonly isReading: () => boolean
  /** Subscribes to the end of a run here; returns the unsubscribe function. */
  readonly onEnded: (id: string, hear: (run: StoredRun) => void) => () => void
  /** Hands over running computations to the next server; resolves when none is active here. */
  readonly stop: () => Promise<void>
}

const FAILED_END = 'the engine failed; try again.'
const LAPSED_END = 'the servers that computed it ended twice; try again.'
const HANGING_END = `the engine took longer than ${RUN_MAX_MS / 60_000} minutes.`

type Running = RunnerDeps & {
  readonly worker: string
  readonly underWay: Map<string, AbortController>
  readonly works: Set<Promise<void>>
  readonly hearers: Map<string, Set<(run: StoredRun) => void>>
  isLooking: boolean
  isWakePending: boolean
  isStopped: boolean
}

/** Opens a runner, which begins with the first wake. */
export function openRunner(deps: RunnerDeps): Runner {
  const own: Running = {
    ...deps,
    worker: newWorker(),
    underWay: new Map(),
    works: new Set(),
    hearers: new Map(),
    isLooking: false,
    isWakePending: false,
    isStopped: false,
  }
  const { store, pool, nowMs, hearers, worker } = own
  return {
    wake: () => wake(own),
    sweep: async () => {
      for (const { id, state, worker: holder } of await store.openRuns()) {
        if (state !== 'running' || holder === null || !isDead(holder)) continue
        await store.leaveRun({ id, worker: holder })
      }
      for (const { id } of await store.lapsedRuns(nowMs())) {
        await end(own, id, { state: 'failed', error: LAPSED_END, isRefusal: false })
      }
      await look(own)
    },
    end: (id, how) => end(own, id, how),
    isReading: pool.isReading,
    onEnded: (id, hear) => {
      const others = hearers.get(id) ?? new Set()
      hearers.set(id, others.add(hear))
      return () => others.delete(hear)
    },
    stop: async () => {
      own.isStopped = true
      const left = [...own.underWay.keys()]
      for (const stop of own.underWay.values()) stop.abort(new Error('the server stops'))
      await pool.close()
      await Promise.allSettled(own.works)
      for (const id of left) await store.leaveRun({ id, worker }).catch(() => {})
      endWorker(worker)
    },
  }
}

function wake(own: Running): void {
  look(own).catch(error => {
    own.log.error({ err: (error as Error).stack }, 'cannot look for runs of LAB')
  })
}

/** Claims runs while there is capacity; a wake during the search starts another search. */
async function look(own: Running): Promise<void> {
  own.isWakePending = true
  if (own.isLooking) return
  own.isLooking = true
  try {
    while (own.isWakePending && !own.isStopped) {
      own.isWakePending = false
      if (own.works.size >= CHILD_COUNT || own.pool.idleCount() <= 0) return
      const run = await own.store.claimRun({
        worker: own.worker,
        atMs: own.nowMs(),
        only: own.only,
      })
      if (!run) continue
      own.isWakePending = true
      const done = work(own, run).finally(() => {
        own.works.delete(done)
        wake(own)
      })
      own.works.add(done)
    }
  } finally {
    own.isLooking = false
  }
}

async function work(own: Running, run: StoredRun): Promise<void> {
  const { store, worker, nowMs, log } = own
  const { id } = run
  const stop = new AbortController()
  own.underWay.set(id, stop)
  let progress = { done: 0, total: 0 }
  const renew = () => store.extendLease({ id, worker, atMs: nowMs(), progress })
  const over = keepAlive(stop, { timers: own.timers, renew })
  const onProgress = (done: number, total: number) => {
    progress = { done, total }
  }
  try {
    const result = await compute(own.pool, run, {
      through: own.lastSession(),
      signal: stop.signal,
      onProgress,
    })
    await finish(own, id, { state: 'done', ...result })
  } catch (error) {
    // an aborted run has ended, belongs to another worker, or is left to the next server
    if (stop.signal.aborted && stop.signal.reason !== HANGING) return
    if (!(error instanceof RunRefused)) {
      log.error({ run: id, err: (error as Error).stack }, 'a run of LAB failed')
    }
    await finish(own, id, toFailure(error)).catch(cause => {
      // its lease expires, and it is restarted
      log.error({ run: id, err: (cause as Error).stack }, 'a run of LAB cannot be ended')
    })
  } finally {
    over()
    own.underWay.delete(id)
  }
}

function toFailure(error: unknown): RunEnd {
  if (error instanceof RunRefused) {
    return { state: 'failed', error: error.message, isRefusal: true }
  }
  const isHanging = error === HANGING
  return { state: 'failed', error: isHanging ? HANGING_END : FAILED_END, isRefusal: false }
}

/** Stores the outcome of a run; retries while the database takes no writes. */
async function finish(own: Running, id: string, how: RunEnd): Promise<void> {
  const { store, worker, nowMs, timers } = own
  for (let attempt = 1; !own.isStopped; attempt++) {
    try {
      notify(own, await store.endRun({ id, worker, atMs: nowMs(), end: how }))
      return
    } catch (error) {
      if (attempt === END_ATTEMPTS_MAX) throw error
      await new Promise<void>(done => timers.after(LEASE_RENEWAL_MS, done))
    }
  }
}

async function end(own: Running, id: string, how: RunEnd): Promise<StoredRun | null> {
  const run = await own.store.endRun({ id, worker: null, atMs: own.nowMs(), end: how })
  notify(own, run)
  return run
}

/** Notifies waiters that a run has ended, and aborts a computation still in progress. */
function notify({ underWay, hearers }: Running, run: StoredRun | null): void {
  if (run?.state !== 'done' && run?.state !== 'failed') return
  underWay.get(run.id)?.abort(new Error('the run has ended'))
  for (const hear of hearers.get(run.id) ?? []) hear(run)
  hearers.delete(run.id)
}
