/** Updates the progress of a test on the page of its idea, and reloads the page when it is over. */

const POLL_MS = 1_000

/**
 * @param {HTMLElement} box
 * @param {string} address
 */
export function openProgress(box, address) {
  const progressBar = box.querySelector('progress')
  const says = box.querySelector('#job-says')
  const poll = () => {
    setTimeout(async () => {
      // a failed request is repeated; a hidden page pauses
      const known = document.hidden ? null : await read(address).catch(() => null)
      if (known?.is_running === false) return location.reload()
      if (known && progressBar && says) {
        if (known.total > 0) {
          progressBar.max = known.total
          progressBar.value = known.done
        }
        if (says.textContent !== known.says) says.textContent = known.says
      }
      poll()
    }, POLL_MS)
  }
  poll()
}

/**
 * @param {string} address
 * @returns {Promise<{ is_running: boolean, says: string, done: number, total: number } | null>}
 */
async function read(address) {
  const response = await fetch(address)
  return response.ok ? await response.json() : null
}
