import { moveSpot, partOf, roughText, tableFiller, tenthOf } from './texts.js'

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
    const tall = tenthOf(850 / count)
    const paths = { above: '', below: '' }
    for (let place = high; place >= low; place--) {
      const gamma = net[at]?.[place] ?? null
      if (gamma === null) continue
      const reach = tenthOf(500 * Math.max(-1, Math.min(1, gamma / limit)))
      const y = tenthOf((1000 * (high - place)) / count)
      paths[gamma < 0 ? 'below' : 'above'] += `M500 ${y}h${reach}v${tall}h${-reach}Z`
    }
    partOf('curve-above').setAttribute('d', paths.above)
    for (const id of ['curve-below', 'curve-hatch']) partOf(id).setAttribute('d', paths.below)
    fill(() => {
      const places = Array.from({ length: count }, (_, index) => high - index)
      return places.flatMap(place => {
        const gamma = net[at]?.[place] ?? null
        const point = (from + place * step).toLocaleString('en-US')
        return gamma === null ? [] : [[point, roughText(gamma)]]
      })
    })
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
