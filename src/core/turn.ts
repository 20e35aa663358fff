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
