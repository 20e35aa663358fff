/** Waits; tests have their own. */
export type Timers = {
  /** Runs something once, so many milliseconds later; answers what calls it off. */
  readonly after: (ms: number, run: () => void) => () => void
}

/** Those of Node, which count real time whatever becomes of the machine's clock. */
export const systemTimers: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Waits that can all be called off together. */
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
