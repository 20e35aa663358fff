import { moveSpot, partOf, roughText, tableFiller } from './texts.js'

/**
 * @typedef {object} Curves
 * @property {readonly string[]} minutes
 * @property {number} from
 * @property {number} step
 * @property {readonly (readonly (number | null)[])[]} net
 */

const SVG = 'http://www.w3.org/2000/svg'

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
    const [rects, rows] = [/** @type {Element[]} */ ([]), /** @type {string[][]} */ ([])]
    for (let place = high; place >= low; place--) {
      const gamma = net[at]?.[place] ?? null
      if (gamma === null) continue
      const width = 50 * Math.min(1, Math.abs(gamma) / limit)
      const box = {
        x: `${gamma < 0 ? 50 - width : 50}%`,
        y: `${(100 * (high - place)) / count}%`,
        width: `${width}%`,
        height: `${85 / count}%`,
      }
      rects.push(rectOf({ ...box, class: gamma < 0 ? 'below-3' : 'above-3' }))
      if (gamma < 0) rects.push(rectOf({ ...box, fill: 'url(#hatch)' }))
      rows.push([(from + place * step).toLocaleString('en-US'), roughText(gamma)])
    }
    partOf('bars').replaceChildren(...rects)
    fill(rows)
    const minute = minutes[at] ?? ''
    partOf('curve-minute').textContent = minute
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

/** @param {Readonly<Record<string, string>>} attributes */
function rectOf(attributes) {
  const rect = document.createElementNS(SVG, 'rect')
  for (const [key, value] of Object.entries(attributes)) rect.setAttribute(key, value)
  return rect
}
