import { findPart, moveSpot, roughText, roundToTenth, tableFiller } from './texts.js'

/**
 * @typedef {object} Curves
 * @property {readonly string[]} minutes
 * @property {number} from
 * @property {number} step
 * @property {readonly (readonly (number | null)[])[]} net
 */

/**
 * Draws the curve of a minute as the server does.
 * @param {AbortSignal} signal
 */
export function curveDrawer(signal) {
  const fill = tableFiller('curve-table', signal)
  const picture = document.getElementById('curve-picture')
  /**
   * @param {Curves} curves
   * @param {number} at
   * @param {number | null} spot
   */
  return (curves, at, spot) => {
    if (!picture) return
    const { minutes, from, step, net } = curves
    const [low, high] = [Number(picture.dataset.first), Number(picture.dataset.last)]
    const limit = Number(picture.dataset.limit)
    const count = high - low + 1
    const tall = roundToTenth(850 / count)
    const paths = { above: '', below: '' }
    for (let level = high; level >= low; level--) {
      const gamma = net[at]?.[level] ?? null
      if (gamma === null) continue
      const extent = roundToTenth(500 * Math.max(-1, Math.min(1, gamma / limit)))
      const y = roundToTenth((1000 * (high - level)) / count)
      paths[gamma < 0 ? 'below' : 'above'] += `M500 ${y}h${extent}v${tall}h${-extent}Z`
    }
    findPart('curve-above').setAttribute('d', paths.above)
    for (const id of ['curve-below', 'curve-hatch']) findPart(id).setAttribute('d', paths.below)
    fill(() => {
      const levels = Array.from({ length: count }, (_, index) => high - index)
      return levels.flatMap(level => {
        const gamma = net[at]?.[level] ?? null
        const point = (from + level * step).toLocaleString('en-US')
        return gamma === null ? [] : [[point, roughText(gamma)]]
      })
    })
    const minute = minutes[at] ?? ''
    findPart('curve-minute').textContent = minute
    picture.setAttribute(
      'aria-label',
      `Net gamma over the index at ${minute}; the table below has each point.`,
    )
    moveSpot('curve-spot', spot, {
      low: from + (low - 0.5) * step,
      high: from + (high + 0.5) * step,
    })
  }
}
