import { setImmediate } from 'node:timers/promises'
import { ClosedError, openGate } from '../../core/disk/closing.ts'
import { type Bounds, openWaitingCapacity, type WaitingCapacity } from './capacity.ts'
import { type Caller, openInFlightRequests, type Question } from './inFlight.ts'
import { openThrottle, type Throttle } from './throttle.ts'

/** Maximum waiting requests of one account; equal ones count once. */
export const ACCOUNT_WAITING_MAX = 64
/** Maximum waiting requests of all accounts. */
export const SCHEDULER_WAITING_MAX = 1_024

/** The caller of a request. */
export type Requester = {
  readonly account: string
  /** Aborted when the caller no longer waits: its slot is freed at once. */
  readonly signal?: AbortSignal
}

/** Serves requests of one kind, one batch after the other. */
export type RequestQueue<Input, Result> = {
  /**
   * Resolves with the result once the request was served. Fails with `rate` when too many requests
   * of the account wait, with `unavailable` when too many of all do, and with the reason of its
   * signal.
   */
  readonly submit: (question: Question<Input>, requester: Requester) => Promise<Result>
  /** Refuses waiting requests, and waits for the current batch. */
  readonly close: () => Promise<void>
}

export type RequestQueueOptions<Input, Result> = {
  /** Maximum total cost of a batch. */
  readonly budget: number
  /** True when two requests may share a batch; by default each has its own. */
  readonly isTogether?: (first: Input, other: Input) => boolean
  /** Serves the requests of a batch, in their order. */
  readonly serve: (inputs: readonly Input[], signal: AbortSignal) => Promise<readonly Result[]>
}

/**
 * Schedules long-running work. Its queues run concurrently, and their waiting requests share one
 * limit.
 */
export type RequestScheduler = {
  readonly openQueue: <Input, Result>(
    options: RequestQueueOptions<Input, Result>,
  ) => RequestQueue<Input, Result>
  /** Number of waiting requests, in all queues. */
  readonly waiting: () => number
}

const BOUNDS: Bounds = { own: ACCOUNT_WAITING_MAX, all: SCHEDULER_WAITING_MAX }

export type RequestSchedulerOptions = {
  readonly bounds?: Bounds
  /** Real time; by default the past use of an account is never forgotten. */
  readonly nowMs?: () => number
}

export function openRequestScheduler({
  bounds = BOUNDS,
  nowMs = () => 0,
}: RequestSchedulerOptions = {}): RequestScheduler {
  const capacity = openWaitingCapacity(bounds)
  // a served caller has a response to write: those of one batch are notified one at a time
  const throttle = openThrottle(nowMs)
  return {
    openQueue: options => openRequestQueue({ ...options, capacity, nowMs, throttle }),
    waiting: capacity.count,
  }
}

type OwnRequestQueue<Input, Result> = RequestQueueOptions<Input, Result> & {
  readonly capacity: WaitingCapacity
  readonly nowMs: () => number
  readonly throttle: Throttle
}

function openRequestQueue<Input, Result>(
  options: OwnRequestQueue<Input, Result>,
): RequestQueue<Input, Result> {
  const { serve, throttle, isTogether = () => false } = options
  const inFlight = openInFlightRequests<Input, Result>({ ...options, isTogether })
  let working: Promise<void> | null = null
  const gate = openGate('the desk')

  const work = async () => {
    // requests of the same tick of the event loop may share a batch
    await setImmediate()
    for (let batch = inFlight.begin(); batch !== null; batch = inFlight.begin()) {
      try {
        const results = await serve(batch.inputs, batch.signal)
        batch.end((caller, index) => throttle(caller.account, () => caller.settle(results[index]!)))
      } catch (error) {
        batch.end(caller => caller.fail(error))
      }
    }
    working = null
  }
  return {
    submit: (question, { account, signal }) =>
      new Promise<Result>((settle, fail) => {
        gate.pass()
        signal?.throwIfAborted()
        const caller: Caller<Result> = { account, settle, fail }
        inFlight.join(question, caller)
        const leave = () => {
          inFlight.leave(question, caller)
          fail(signal!.reason)
        }
        signal?.addEventListener('abort', leave, { once: true })
        working ??= work()
      }),
    close: async () => {
      gate.close()
      inFlight.clear(new ClosedError('the desk is closed'))
      await working
    },
  }
}
