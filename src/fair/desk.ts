import { setImmediate } from 'node:timers/promises'
import { ClosedError, openGate } from '../disk/closing.ts'
import { type Caller, openInFlightRequests, type Question } from './flights.ts'
import { openThrottle, type Throttle } from './pace.ts'
import { type Bounds, openWaitingCapacity, type WaitingCapacity } from './room.ts'

/** Questions of one account that may wait at once; equal ones are one. */
export const ACCOUNT_WAITING_MAX = 64
/** Questions of all accounts that may wait at once. */
export const SCHEDULER_WAITING_MAX = 1_024

/** Who asks. */
export type Requester = {
  readonly account: string
  /** Is aborted when the asker waits no longer: its place is free at once. */
  readonly signal?: AbortSignal
}

/** Answers questions of one kind, one turn after the other. */
export type RequestQueue<Input, Result> = {
  /**
   * The answer, once the question has had its turn. Fails with `rate` when too many of the asker's
   * questions wait, with `unavailable` when too many of all do, and with the reason of its signal.
   */
  readonly submit: (question: Question<Input>, requester: Requester) => Promise<Result>
  /** Refuses what waits, and waits for the turn under way. */
  readonly close: () => Promise<void>
}

export type RequestQueueOptions<Input, Result> = {
  /** What the questions of one turn may cost together. */
  readonly budget: number
  /** Whether two questions may share a turn; left out, each has its own. */
  readonly isTogether?: (first: Input, other: Input) => boolean
  /** Answers the questions of a turn, in their order. */
  readonly serve: (inputs: readonly Input[], signal: AbortSignal) => Promise<readonly Result[]>
}

/**
 * Where work that takes long waits for its turn. Its lanes answer beside each other, and what waits
 * in all of them counts together.
 */
export type RequestScheduler = {
  readonly openQueue: <Input, Result>(
    options: RequestQueueOptions<Input, Result>,
  ) => RequestQueue<Input, Result>
  /** Questions that wait, in all lanes. */
  readonly waiting: () => number
}

const BOUNDS: Bounds = { own: ACCOUNT_WAITING_MAX, all: SCHEDULER_WAITING_MAX }

export type RequestSchedulerOptions = {
  readonly bounds?: Bounds
  /** Real time; left out, nothing that an account had is ever forgotten. */
  readonly nowMs?: () => number
}

export function openRequestScheduler({
  bounds = BOUNDS,
  nowMs = () => 0,
}: RequestSchedulerOptions = {}): RequestScheduler {
  const capacity = openWaitingCapacity(bounds)
  // who was answered has an answer to write: those of one turn are told one after the other
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
    // what came in the same turn of the event loop may go together
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
