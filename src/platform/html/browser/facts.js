import { parseNumber } from './texts.js'

/**
 * Facts of each minute, read from the table of the page.
 * @typedef {object} Facts
 * @property {readonly string[]} minutes
 * @property {readonly (readonly string[])[]} rows In the order of `NAMES`.
 * @property {(name: string) => (number | null)[]} column
 * @property {readonly (readonly (number | null)[])[]} ends Both ends of the error bar.
 */

export const NAMES = [
  'minute',
  'spot',
  'flip',
  'bar',
  'call_wall',
  'put_wall',
  'net_gamma',
  'regime',
]

/**
 * Reads the facts; null when the page has no minutes.
 * @returns {Facts | null}
 */
export function readFacts() {
  /** @type {HTMLTableElement | null} */
  const table = document.querySelector('#minutes table')
  const body = table?.tBodies[0]
  if (!body) return null
  const rows = [...body.rows].map(row => [...row.cells].map(cell => cell.textContent ?? ''))
  const barIndex = NAMES.indexOf('bar')
  return {
    minutes: rows.map(row => row[0] ?? ''),
    rows,
    column: name => rows.map(row => parseNumber(row[NAMES.indexOf(name)] ?? '–')),
    ends: rows.map(row => {
      const [low = '–', high = '–'] = (row[barIndex] ?? '').split(' to ')
      return [parseNumber(low), parseNumber(high)]
    }),
  }
}
