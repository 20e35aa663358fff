import type { WaitingCapacity, WaitingSlot } from './capacity.ts'
import { openFairQueue } from './fairQueue.ts'

export type Question<Input> = {
  /** Everything the result depends on: requests with equal keys share one result. */
  readonly key: string
  /** Share of a batch it takes, in the unit of the queue's budget. */
  readonly cost: number
  readonly input: Input
}

/** A caller that waits for a result. */
export type Caller<Result> = {
  readonly account: string
  readonly settle: (result: Result) => void
  readonly fail: (error: unknown) => void
}

/** A request, and all callers that wait for its result. */
type InFlightRequest<Input, Result> = {
  readonly question: Question<Input>
  readonly callers: Set<Caller<Result>>
  /** Its slot in the queue of each account that waits for it; none once it has begun. */
  readonly slots: Map<string, WaitingSlot>
  hasBegun: boolean
}

/** Requests that are served together. */
export type RequestBatch<Input, Result> = {
  readonly inputs: readonly Input[]
  /** Aborted when no caller waits for any of them any more. */
  readonly signal: AbortSignal
  /** Ends the batch: calls `notify` with each caller and the index of its request in `inputs`. */
  readonly end: (notify: (caller: Caller<Result>, index: number) => void) => void
}

/** Requests of one queue: waiting and in flight. */
export type InFlightRequests<Input, Result> = {
  /** Fails when there is no capacity for the request. */
  readonly join: (question: Question<Input>, caller: Caller<Result>) => void
  /** Removes a caller, if it waits; a request without callers leaves the queue. */
  readonly leave: (question: Question<Input>, caller: Caller<Result>) => void
  /** Starts the next batch; null when nothing waits. */
  readonly begin: () => RequestBatch<Input, Result> | null
  /** Refuses all waiting requests. */
  readonly clear: (error: Error) => void
}

export type InFlightOptions<Input> = {
  readonly capacity: WaitingCapacity
  /** Maximum total cost of a batch. */
  readonly budget: number
  readonly isTogether: (first: Input, other: Input) => boolean
  readonly nowMs: () => number
}

export function openInFlightRequests<Input, Result>(
  options: InFlightOptions<Input>,
): InFlightRequests<Input, Result> {
  type OwnRequest = InFlightRequest<Input, Result>
  const { capacity, budget, isTogether, nowMs } = options
  const open = new Map<string, OwnRequest>()
  const readCost = ({ question }: OwnRequest) => question.cost
  const queue = openFairQueue({ readCost, nowMs })
  let stopUnasked = () => {}

  const releaseSlot = (request: OwnRequest, account: string) => {
    const slot = request.slots.get(account)
    if (!slot) return
    request.slots.delete(account)
    queue.remove(account, request)
    capacity.leave(slot)
  }
  const leave = ({ key }: Question<Input>, caller: Caller<Result>) => {
    const request = open.get(key)
    if (!request?.callers.delete(caller)) return
    const { account } = caller
    if (![...request.callers].some(other => other.account === account))
      releaseSlot(request, account)
    // a later equal request starts afresh: the current one may be aborted
    if (request.callers.size === 0) open.delete(key)
    stopUnasked()
  }
  const refuse = (request: OwnRequest, account: string, error: Error) => {
    for (const caller of [...request.callers].filter(one => one.account === account)) {
      leave(request.question, caller)
      caller.fail(error)
    }
  }
  const join = (question: Question<Input>, caller: Caller<Result>) => {
    const { account } = caller
    const request: OwnRequest = open.get(question.key) ?? {
      question,
      callers: new Set(),
      slots: new Map(),
      hasBegun: false,
    }
    if (!request.hasBegun && !request.slots.has(account)) {
      const slot: WaitingSlot = { account, refuse: error => refuse(request, account, error) }
      capacity.enter(slot)
      request.slots.set(account, slot)
      queue.add(account, request)
    }
    request.callers.add(caller)
    open.set(question.key, request)
  }
  const begin = (): RequestBatch<Input, Result> | null => {
    const taken = queue.take(budget, (first, other) => {
      return first === other || isTogether(first.question.input, other.question.input)
    })
    if (taken.length === 0) return null
    // a request shared by several accounts may have been taken for two of them
    const requests = [...new Set(taken)]
    for (const request of requests) {
      request.hasBegun = true
      for (const account of [...request.slots.keys()]) releaseSlot(request, account)
    }
    const stop = new AbortController()
    stopUnasked = () => {
      if (requests.every(({ callers }) => callers.size === 0)) stop.abort()
    }
    const end: RequestBatch<Input, Result>['end'] = notify => {
      stopUnasked = () => {}
      for (const [index, request] of requests.entries()) {
        const { key } = request.question
        if (open.get(key) === request) open.delete(key)
        for (const caller of request.callers) notify(caller, index)
      }
    }
    return { inputs: requests.map(({ question }) => question.input), signal: stop.signal, end }
  }
  const clear = (error: Error) => {
    for (const request of [...open.values()]) {
      for (const account of [...request.slots.keys()]) refuse(request, account, error)
    }
  }
  return { join, leave, begin, clear }
}
