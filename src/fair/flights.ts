import { openLine } from './line.ts'
import type { Place, Room } from './room.ts'

export type Question<Input> = {
  /** All that the answer depends on: questions with equal keys share one answer. */
  readonly key: string
  /** How much of a turn it takes, in the unit of the lane's budget. */
  readonly cost: number
  readonly input: Input
}

/** One who waits for an answer. */
export type Caller<Answer> = {
  readonly account: string
  readonly settle: (answer: Answer) => void
  readonly fail: (error: unknown) => void
}

/** A question, and all who wait for its answer. */
type Flight<Input, Answer> = {
  readonly question: Question<Input>
  readonly callers: Set<Caller<Answer>>
  /** Its place in the line of each account that asks; none once it has its turn. */
  readonly places: Map<string, Place>
  hasBegun: boolean
}

/** The questions that are answered together. */
export type Turn<Input, Answer> = {
  readonly inputs: readonly Input[]
  /** Is aborted when nobody waits for any of them any more. */
  readonly signal: AbortSignal
  /** Ends the turn: `tell` is called with who waits and the place of the question in `inputs`. */
  readonly end: (tell: (caller: Caller<Answer>, index: number) => void) => void
}

/** The questions of one lane: those in its line, and those in the turn under way. */
export type Flights<Input, Answer> = {
  /** Fails when there is no room for the question. */
  readonly join: (question: Question<Input>, caller: Caller<Answer>) => void
  /** Takes a caller out, if it waits; what nobody asks any more leaves the line. */
  readonly leave: (question: Question<Input>, caller: Caller<Answer>) => void
  /** The next turn; null when nothing waits. */
  readonly begin: () => Turn<Input, Answer> | null
  /** Refuses everything that waits. */
  readonly clear: (error: Error) => void
}

export type FlightOptions<Input> = {
  readonly room: Room
  /** What the questions of one turn may cost together. */
  readonly budget: number
  readonly isTogether: (first: Input, other: Input) => boolean
  readonly nowMs: () => number
}

export function openFlights<Input, Answer>(options: FlightOptions<Input>): Flights<Input, Answer> {
  type OwnFlight = Flight<Input, Answer>
  const { room, budget, isTogether, nowMs } = options
  const open = new Map<string, OwnFlight>()
  const costOf = ({ question }: OwnFlight) => question.cost
  const line = openLine({ costOf, nowMs })
  let stopUnasked = () => {}

  const leavePlace = (flight: OwnFlight, account: string) => {
    const place = flight.places.get(account)
    if (!place) return
    flight.places.delete(account)
    line.remove(account, flight)
    room.leave(place)
  }
  const leave = ({ key }: Question<Input>, caller: Caller<Answer>) => {
    const flight = open.get(key)
    if (!flight?.callers.delete(caller)) return
    const { account } = caller
    if (![...flight.callers].some(other => other.account === account)) leavePlace(flight, account)
    // who asks the same from now on begins anew: what is under way may be stopped
    if (flight.callers.size === 0) open.delete(key)
    stopUnasked()
  }
  const refuse = (flight: OwnFlight, account: string, error: Error) => {
    for (const caller of [...flight.callers].filter(one => one.account === account)) {
      leave(flight.question, caller)
      caller.fail(error)
    }
  }
  const join = (question: Question<Input>, caller: Caller<Answer>) => {
    const { account } = caller
    const flight: OwnFlight = open.get(question.key) ?? {
      ...{ question, callers: new Set(), places: new Map(), hasBegun: false },
    }
    if (!flight.hasBegun && !flight.places.has(account)) {
      const place: Place = { account, refuse: error => refuse(flight, account, error) }
      room.enter(place)
      flight.places.set(account, place)
      line.add(account, flight)
    }
    flight.callers.add(caller)
    open.set(question.key, flight)
  }
  const begin = (): Turn<Input, Answer> | null => {
    const taken = line.take(budget, (first, other) => {
      return first === other || isTogether(first.question.input, other.question.input)
    })
    if (taken.length === 0) return null
    // one that several accounts ask may have come up for two of them
    const flights = [...new Set(taken)]
    for (const flight of flights) {
      flight.hasBegun = true
      for (const account of [...flight.places.keys()]) leavePlace(flight, account)
    }
    const stop = new AbortController()
    stopUnasked = () => {
      if (flights.every(({ callers }) => callers.size === 0)) stop.abort()
    }
    const end: Turn<Input, Answer>['end'] = tell => {
      stopUnasked = () => {}
      for (const [index, flight] of flights.entries()) {
        const { key } = flight.question
        if (open.get(key) === flight) open.delete(key)
        for (const caller of flight.callers) tell(caller, index)
      }
    }
    return { inputs: flights.map(({ question }) => question.input), signal: stop.signal, end }
  }
  const clear = (error: Error) => {
    for (const flight of [...open.values()]) {
      for (const account of [...flight.places.keys()]) refuse(flight, account, error)
    }
  }
  return { join, leave, begin, clear }
}
