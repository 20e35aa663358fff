import { findPart, moveSpot, roughText, roundToTenth, tableFiller } from './texts.js'

/**
 * The ladders of one half hour.
 * @typedef {object} Ladders
 * @property {readonly string[]} minutes
 * @property {readonly number[] | null} strikes
 * @property {readonly (readonly (number | null)[])[]} calls
 * @property {readonly (readonly (number | null)[])[]} puts
 */

/** @param {string} minute */
export const toHalfHour = minute => `${minute.slice(0, 3)}${minute.slice(3) < '30' ? '00' : '30'}`

/**
 * Draws the ladder of a minute as the server does.
 * @param {AbortSignal} signal
 */
export function ladderDrawer(signal) {
  const fill = tableFiller('ladder-table', signal)
  const picture = document.getElementById('ladder-picture')
  /**
   * @param {Ladders} ladders
   * @param {string} minute
   * @param {number | null} spot
   */
  return (ladders, minute, spot) => {
    const at = ladders.minutes.indexOf(minute)
    if (!picture || at < 0 || !ladders.strikes) return
    const { low, high, thick, limit } = Object.fromEntries(
      ['low', 'high', 'thick', 'limit'].map(name => [name, Number(picture.dataset[name])]),
    )
    const scale = /** @type {Scale} */ ({ low, high, thick, limit })
    const sides = [ladders.calls[at] ?? [], ladders.puts[at] ?? []]
    const { above, below } = barPaths(ladders.strikes, sides, scale)
    findPart('ladder-above').setAttribute('d', above)
    findPart('ladder-below').setAttribute('d', below)
    const { strikes } = ladders
    fill(() => {
      const rows = strikes.flatMap((strike, index) => {
        const gammas = sides.map(list => list[index] ?? null)
        if (gammas.every(gamma => gamma === null)) return []
        return [[strike.toLocaleString('en-US'), ...gammas.map(roughText)]]
      })
      return rows.reverse()
    })
    findPart('ladder-minute').textContent = minute
    picture.setAttribute(
      'aria-label',
      `Gamma by strike at ${minute}; the table below has each strike.`,
    )
    moveSpot('ladder-spot', spot, scale)
  }
}

/** @typedef {{ low: number, high: number, thick: number, limit: number }} Scale */

/**
 * @param {readonly number[]} strikes
 * @param {readonly (readonly (number | null)[])[]} sides
 * @param {Scale} scale
 */
function barPaths(strikes, sides, { low, high, thick, limit }) {
  const paths = { above: '', below: '' }
  const height = roundToTenth((1000 * thick) / (high - low))
  for (const [index, strike] of strikes.entries()) {
    const top = roundToTenth((1000 * (high - strike - thick / 2)) / (high - low))
    for (const [side, list] of sides.entries()) {
      const gamma = list[index] ?? null
      if (gamma === null || gamma === 0) continue
      const width = roundToTenth(500 * Math.min(1, Math.abs(gamma) / limit))
      const way = side === 0 ? -width : width
      paths[gamma < 0 ? 'below' : 'above'] += `M500 ${top}h${way}v${height}h${-way}Z`
    }
  }
  return paths
}
