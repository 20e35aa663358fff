/** The page of an idea renews how far its test is, and itself when the test is over. */

const ASKED_EVERY_MS = 1_000

/**
 * @param {HTMLElement} box
 * @param {string} address
 */
export function openProgress(box, address) {
  const bar = box.querySelector('progress')
  const says = box.querySelector('#job-says')
  const ask = () => {
    setTimeout(async () => {
      // what fails once is asked for again; a page that nobody sees waits
      const known = document.hidden ? null : await read(address).catch(() => null)
      if (known?.is_running === false) return location.reload()
      if (known && bar && says) {
        if (known.total > 0) {
          bar.max = known.total
          bar.value = known.done
        }
        if (says.textContent !== known.says) says.textContent = known.says
      }
      ask()
    }, ASKED_EVERY_MS)
  }
  ask()
}

/**
 * @param {string} address
 * @returns {Promise<{ is_running: boolean, says: string, done: number, total: number } | null>}
 */
async function read(address) {
  const answer = await fetch(address)
  return answer.ok ? await answer.json() : null
}
