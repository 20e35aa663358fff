import { LRUCache } from 'lru-cache'

/** Parsed files cached by each parser. */
const CACHED_MAX = 4

/**
 * A parser that caches the results of its last files: one of thousands of entries is read many
 * times in a minute, and changes once. The text is the key, so nobody ever gets an older one.
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
