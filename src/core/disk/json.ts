/** JSON from people and programs: parsing, and its maximum depth. */

/** Maximum nesting; the deepest body or file that makes sense has about ten levels. */
export const JSON_DEPTH_MAX = 64

/** Explains why a text is not read as JSON, in words that follow "is": `not JSON`. */
export class JsonError extends Error {}

/**
 * Parses a text of JSON. Fails with JsonError, also when it is nested over 64 levels deep: this is
 * checked before it is parsed, because functions that walk a value recurse once a level.
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new JsonError(`nested over ${JSON_DEPTH_MAX} levels deep`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new JsonError('not JSON', { cause })
  }
}

/** The reason of a JsonError; another error is thrown on. */
export function jsonFault(error: unknown): string {
  if (error instanceof JsonError) return error.message
  throw error
}

const [QUOTE, BACKSLASH] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)]
const OPENING: ReadonlySet<number> = new Set(['[', '{'].map(one => one.charCodeAt(0)))
const CLOSING: ReadonlySet<number> = new Set([']', '}'].map(one => one.charCodeAt(0)))

/** True where lists and objects are nested over the limit; reads each character once at most. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) isInString = !isInString
    else if (isInString) at += code === BACKSLASH ? 1 : 0
    else if (OPENING.has(code)) depth += 1
    else if (CLOSING.has(code)) depth -= 1
    if (depth > JSON_DEPTH_MAX) return true
  }
  return false
}

/** Returns a value as JSON with the values from its third level on in one line each, as a table. */
export const formatJsonRows = (value: unknown): string =>
  `${JSON.stringify(value, null, 1)
    .replace(/\n {4,}/g, ' ')
    .replace(/\n {3}([}\]])/g, ' $1')}\n`
