import { halfHourOf } from './ladder.js'

/** @typedef {import('./curve.js').Curves} Curves */
/** @typedef {import('./ladder.js').Ladders} Ladders */

/**
 * What the page loads when it is first touched: all curves, and ladders by the half hour. What
 * does not come is asked for again at the next touch.
 * @param {HTMLElement} page
 * @param {() => void} onNews
 */
export function openLoads(page, onNews) {
  /** @type {Map<string, unknown>} */
  const loaded = new Map()
  /** @type {Set<string>} */
  const asked = new Set()
  /** @param {string | undefined} address */
  const load = address => {
    if (!address || asked.has(address)) return
    asked.add(address)
    fetch(address)
      .then(answer => {
        if (!answer.ok) throw new Error(`${address} is ${answer.status}`)
        return answer.json()
      })
      .then(json => {
        loaded.set(address, json)
        onNews()
      })
      .catch(() => asked.delete(address))
  }
  const { curves, ladders } = page.dataset
  const hasLadder = document.getElementById('ladder-picture') !== null
  /** @param {string} minute */
  const ofHalf = minute => (hasLadder ? `${ladders}&time=${halfHourOf(minute)}` : undefined)
  return {
    /**
     * Asks for what a minute needs, and for what the next ones will.
     * @param {string} minute
     * @param {string} next
     */
    want: (minute, next) => {
      load(curves)
      load(ofHalf(minute))
      load(ofHalf(next))
    },
    curves: () => /** @type {Curves | undefined} */ (loaded.get(curves ?? '')),
    /** @param {string} minute */
    ladders: minute => /** @type {Ladders | undefined} */ (loaded.get(ofHalf(minute) ?? '')),
  }
}
