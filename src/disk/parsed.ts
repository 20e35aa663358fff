/** Files kept parsed at a time, by each parser. */
const KEPT_MAX = 4

/**
 * A parser that remembers what it made of the last files: one of thousands of entries is asked for
 * many times in a minute, and changes once. The text decides, so nobody ever gets an older one.
 */
export function parsedOnce<T>(
  parse: (text: string, path: string) => T,
): (text: string, path: string) => T {
  const kept = new Map<string, { readonly text: string; readonly parsed: T }>()
  return (text, path) => {
    const before = kept.get(path)
    const entry = before?.text === text ? before : { text, parsed: parse(text, path) }
    kept.delete(path)
    kept.set(path, entry)
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!)
    return entry.parsed
  }
}
