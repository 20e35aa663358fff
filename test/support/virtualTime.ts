// Time that a test moves, or that moves by itself to whoever is due next.

/** A clock that goes on when somebody waits: the first to be due is the first to go on. */
export function virtualTime() {
  let now = 0
  const sleepers: { readonly at: number; readonly wake: () => void }[] = []
  let isRunning = false
  const run = async () => {
    // the first caller at this instant is first
    for (let batch = 0; batch < 20; batch++) await null
    const next = sleepers.sort((a, b) => a.at - b.at).shift()
    if (!next) {
      isRunning = false
      return
    }
    now = next.at
    next.wake()
    void run()
  }
  return {
    elapsedMs: () => now,
    wait: (ms: number) => {
      if (!isRunning) {
        isRunning = true
        void run()
      }
      return new Promise<void>(wake => sleepers.push({ at: now + ms, wake }))
    },
    set: (ms: number) => {
      now = ms
    },
  }
}
