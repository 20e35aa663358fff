/** Returns a reader whose value is read once in each turn of the event loop. */
export function oncePerTurn<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | null = null
  return () => {
    if (known) return known.value
    known = { value: read() }
    // calls that arrive later are handled in a later turn
    setImmediate(() => {
      known = null
    })
    return known.value
  }
}

let waiting: (() => void)[] = []
let isEnding = false

/**
 * Runs work at the end of a turn of the event loop, after all else of the turn. Responses that are
 * written one right after the other wake their clients, and the machine, once for all of them. The
 * work must not throw.
 */
export function atEndOfTurn(work: () => void): void {
  waiting.push(work)
  endTurn()
}

/**
 * Ends the turn after the immediates that are set by now: what these leave for its end is not left
 * for that of the next turn.
 */
export function endTurn(): void {
  if (isEnding) return
  isEnding = true
  setImmediate(() => {
    const ready = waiting
    waiting = []
    isEnding = false
    for (const run of ready) run()
  })
}
