/**
 * Rows as CSV of RFC 4180. A null is an empty field, an empty text is `""`, a list or an object is
 * its JSON. Each line ends with `end`.
 */
export const csvText = (rows: readonly (readonly unknown[])[], end: '\r\n' | '\n'): string =>
  rows.map(fields => `${fields.map(csvField).join(',')}${end}`).join('')

function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || NEEDS_QUOTES.test(text) ? csvQuoted(text) : text
}

const NEEDS_QUOTES = /[",\r\n]/

/** A field in quotes, whatever it holds. */
export const csvQuoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
