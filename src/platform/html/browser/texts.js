/** Numbers as the page formats them, and elements. */

/**
 * Parses a number of the page, which may have an error; null for a dash.
 * @param {string} text
 */
export function parseNumber(text) {
  const [number = ''] = text.split(' ± ')
  const value = Number(number.replaceAll(',', '').replace('−', '-'))
  return text === '–' || Number.isNaN(value) ? null : value
}

/**
 * Formats a value with three significant digits, as the server does.
 * @param {number | null | undefined} value
 */
export function roughText(value) {
  if (value === null || value === undefined) return '–'
  const size = Math.abs(value)
  if (size === 0) return '0'
  if (size < 1) return value.toPrecision(3).replace('-', '−')
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return value.toLocaleString('en-US', decimals).replace('-', '−')
}

/** @param {number} value */
export const roundToTenth = value => Math.round(value * 10) / 10

/**
 * Creates an element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Readonly<Record<string, string | number>>} attributes
 * @param {string} text
 */
export function make(name, attributes, text = '') {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.textContent = text
  return element
}

/**
 * Finds an element of the page; fails without one.
 * @param {string} id
 */
export function findPart(id) {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}

/**
 * Fills the rows of a table only while it is open: a closed one is filled when it is opened.
 * @param {string} id
 * @param {AbortSignal} signal
 */
export function tableFiller(id, signal) {
  const details = document.getElementById(id)?.closest('details')
  /** @type {(() => readonly (readonly string[])[]) | null} */
  let rows = null
  const fill = () => {
    const body = document.querySelector(`#${id} tbody`)
    if (!rows || !details?.open || !body) return
    body.replaceChildren(
      ...rows().map(texts => {
        const row = document.createElement('tr')
        row.append(...texts.map(text => make('td', { class: 'number' }, text)))
        return row
      }),
    )
    rows = null
  }
  details?.addEventListener('toggle', fill, { signal })
  /** @param {() => readonly (readonly string[])[]} now */
  return now => {
    rows = now
    fill()
  }
}

/**
 * Moves the line of the index in a picture; hides it when the index is unknown.
 * @param {string} id
 * @param {number | null} spot
 * @param {{ low: number, high: number }} scale
 */
export function moveSpot(id, spot, { low, high }) {
  const line = findPart(id)
  line.setAttribute('visibility', spot === null ? 'hidden' : 'visible')
  if (spot === null) return
  const y = `${(100 * (high - spot)) / (high - low)}%`
  line.setAttribute('y1', y)
  line.setAttribute('y2', y)
}
