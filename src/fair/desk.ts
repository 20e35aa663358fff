import { setImmediate } from 'node:timers/promises'
import { ClosedError, openGate } from '../disk/closing.ts'
import { type Caller, openFlights, type Question } from './flights.ts'
import { openPace, type Pace } from './pace.ts'
import { type Bounds, openRoom, type Room } from './room.ts'

/** Questions of one account that may wait at once; equal ones are one. */
export const ACCOUNT_WAITING_MAX = 64
/** Questions of all accounts that may wait at once. */
export const DESK_WAITING_MAX = 1_024

/** Who asks. */
export type Asker = {
  readonly account: string
  /** Is aborted when the asker waits no longer: its place is free at once. */
  readonly signal?: AbortSignal
}

/** Answers questions of one kind, one turn after the other. */
export type Lane<Input, Answer> = {
  /**
   * The answer, once the question has had its turn. Fails with `rate` when too many of the asker's
   * questions wait, with `unavailable` when too many of all do, and with the reason of its signal.
   */
  readonly ask: (question: Question<Input>, asker: Asker) => Promise<Answer>
  /** Refuses what waits, and waits for the turn under way. */
  readonly close: () => Promise<void>
}

export type LaneOptions<Input, Answer> = {
  /** What the questions of one turn may cost together. */
  readonly budget: number
  /** Whether two questions may share a turn; left out, each has its own. */
  readonly isTogether?: (first: Input, other: Input) => boolean
  /** Answers the questions of a turn, in their order. */
  readonly serve: (inputs: readonly Input[], signal: AbortSignal) => Promise<readonly Answer[]>
}

/**
 * Where work that takes long waits for its turn. Its lanes answer beside each other, and what waits
 * in all of them counts together.
 */
export type Desk = {
  readonly lane: <Input, Answer>(options: LaneOptions<Input, Answer>) => Lane<Input, Answer>
  /** Questions that wait, in all lanes. */
  readonly waiting: () => number
}

const BOUNDS: Bounds = { own: ACCOUNT_WAITING_MAX, all: DESK_WAITING_MAX }

export type DeskOptions = {
  readonly bounds?: Bounds
  /** Real time; left out, nothing that an account had is ever forgotten. */
  readonly nowMs?: () => number
}

export function openDesk({ bounds = BOUNDS, nowMs = () => 0 }: DeskOptions = {}): Desk {
  const room = openRoom(bounds)
  // who was answered has an answer to write: those of one turn are told one after the other
  const tell = openPace(nowMs)
  return { lane: options => openLane({ ...options, room, nowMs, tell }), waiting: room.count }
}

type OwnLane<Input, Answer> = LaneOptions<Input, Answer> & {
  readonly room: Room
  readonly nowMs: () => number
  readonly tell: Pace
}

function openLane<Input, Answer>(options: OwnLane<Input, Answer>): Lane<Input, Answer> {
  const { serve, tell, isTogether = () => false } = options
  const flights = openFlights<Input, Answer>({ ...options, isTogether })
  let working: Promise<void> | null = null
  const gate = openGate('the desk')

  const work = async () => {
    // what came in the same turn of the event loop may go together
    await setImmediate()
    for (let turn = flights.begin(); turn !== null; turn = flights.begin()) {
      try {
        const answers = await serve(turn.inputs, turn.signal)
        turn.end((caller, index) => tell(caller.account, () => caller.settle(answers[index]!)))
      } catch (error) {
        turn.end(caller => caller.fail(error))
      }
    }
    working = null
  }
  return {
    ask: (question, { account, signal }) =>
      new Promise<Answer>((settle, fail) => {
        gate.pass()
        signal?.throwIfAborted()
        const caller: Caller<Answer> = { account, settle, fail }
        flights.join(question, caller)
        const leave = () => {
          flights.leave(question, caller)
          fail(signal!.reason)
        }
        signal?.addEventListener('abort', leave, { once: true })
        working ??= work()
      }),
    close: async () => {
      gate.close()
      flights.clear(new ClosedError('the desk is closed'))
      await working
    },
  }
}
