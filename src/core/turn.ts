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

let arrivals = 0
let isArriving = false

/**
 * Marks a call as it arrives: all that do so until the event loop has handled its input had begun to
 * be sent before any of them was handled.
 */
export function markArrival(): void {
  if (isArriving) return
  isArriving = true
  arrivals++
  setImmediate(() => {
    isArriving = false
  })
}

/**
 * Returns a reader whose value is read once for calls that arrive together, so that each still sees
 * what was committed before it was sent. At any other time the value is read again.
 */
export function oncePerArrival<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value; readonly arrival: number } | null = null
  return () => {
    if (!isArriving) return read()
    if (known?.arrival !== arrivals) known = { value: read(), arrival: arrivals }
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
