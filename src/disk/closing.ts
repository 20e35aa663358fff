/** Things that are closed once, while work on them may still be under way. */

/** Says that work came to something after it was closed. */
export class ClosedError extends Error {}

/** Refuses work once it is closed: what is closed is never opened again by work under way. */
export type ClosingGate = {
  /** Fails with ClosedError once the gate is closed. */
  readonly pass: () => void
  readonly close: () => void
}

export function openGate(name: string): ClosingGate {
  let isClosed = false
  return {
    pass: () => {
      if (isClosed) throw new ClosedError(`${name} is closed`)
    },
    close: () => {
      isClosed = true
    },
  }
}
