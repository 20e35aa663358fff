/** Timers; tests supply their own. */
export type Timers = {
  /** Runs a function once after a delay; returns a function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void
}

/** Timers of Node, which measure elapsed time whatever happens to the machine's clock. */
export const systemTimers: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Timers that can all be cancelled together. */
export type EndableWaits = {
  readonly after: (ms: number, run: () => void) => void
  readonly end: () => void
}

export function openWaits(timers: Timers): EndableWaits {
  const callsOff = new Set<() => void>()
  return {
    after: (ms, run) => {
      const callOff = timers.after(ms, () => {
        callsOff.delete(callOff)
        run()
      })
      callsOff.add(callOff)
    },
    end: () => {
      for (const callOff of callsOff) callOff()
      callsOff.clear()
    },
  }
}
