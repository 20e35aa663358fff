/** Where "now" comes from. Every other file takes time as an argument. */
export type Clock = {
  /** Milliseconds since the Unix epoch, UTC. */
  readonly nowMs: () => number
}

/** The machine's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() }

/** A clock that stands still at one instant, for tests and replays. */
export const fixedClock = (nowMs: number): Clock => ({ nowMs: () => nowMs })
