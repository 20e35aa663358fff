import { toHalfHour } from './ladder.js'

/** @typedef {import('./curve.js').Curves} Curves */
/** @typedef {import('./ladder.js').Ladders} Ladders */

/**
 * Data the page loads at the first interaction: all curves, and ladders by the half hour. Failed
 * requests are repeated at the next interaction.
 * @param {HTMLElement} page
 * @param {() => void} onChange
 */
export function openLoads(page, onChange) {
  /** @type {Map<string, unknown>} */
  const loaded = new Map()
  /** @type {Set<string>} */
  const requested = new Set()
  /** @param {string | undefined} address */
  const load = address => {
    if (!address || requested.has(address)) return
    requested.add(address)
    fetch(address)
      .then(response => {
        if (!response.ok) throw new Error(`${address} is ${response.status}`)
        return response.json()
      })
      .then(json => {
        loaded.set(address, json)
        onChange()
      })
      .catch(() => requested.delete(address))
  }
  const { curves, ladders } = page.dataset
  const hasLadder = document.getElementById('ladder-picture') !== null
  /** @param {string} minute */
  const ofHalf = minute => (hasLadder ? `${ladders}&time=${toHalfHour(minute)}` : undefined)
  return {
    /**
     * Requests the data of a minute, and prefetches that of the next ones.
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
