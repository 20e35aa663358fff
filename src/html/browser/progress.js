/** The page of an idea renews how far its test is, and itself when the test is over. */

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
      // what fails once is asked for again; a page that nobody sees waits
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
