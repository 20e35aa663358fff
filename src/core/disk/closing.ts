/** Resources that are closed once, possibly while work on them is in progress. */

/** Error of work that finished after its resource was closed. */
export class ClosedError extends Error {}

/** Refuses work once it is closed, so that work in progress cannot reopen it. */
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
