import { LRUCache } from 'lru-cache'

/** Files kept parsed at a time, by each parser. */
const CACHED_MAX = 4

/**
 * A parser that remembers what it made of the last files: one of thousands of entries is asked for
 * many times in a minute, and changes once. The text decides, so nobody ever gets an older one.
 */
export function parsedOnce<T>(
  parse: (text: string, path: string) => T,
): (text: string, path: string) => T {
  const cache = new LRUCache<string, { readonly text: string; readonly parsed: T }>({
    max: CACHED_MAX,
  })
  return (text, path) => {
    const before = cache.get(path)
    if (before?.text === text) return before.parsed
    const parsed = parse(text, path)
    cache.set(path, { text, parsed })
    return parsed
  }
}
