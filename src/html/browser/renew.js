import { findPart } from './texts.js'

/** The page of a session that still runs renews itself, as its minutes are published. */

/** How often it is asked whether there is a newer minute. */
const POLL_MS = 15_000

/**
 * @typedef {object} Started
 * @property {() => boolean} isPlaying
 * @property {() => string | null} minute The one that is shown; null: the newest.
 * @property {() => string} newest
 * @property {() => void} end
 */

/**
 * Starts a page, and where its session runs renews it with every minute.
 * @param {HTMLElement} first
 * @param {(page: HTMLElement) => Started | null} start
 */
export function openRenewal(first, start) {
  let page = first
  let started = start(page)
  const { now } = page.dataset
  if (!now) return
  /** Whether there may be more to come. */
  const renew = async () => {
    const known = await fetch(now).then(response => (response.ok ? response.json() : null))
    // it is over, or open to this account no more: the link of the page says what there is
    if (typeof known?.minute !== 'string') return false
    if (known.minute === started?.newest()) return true
    const minute = started?.minute() ?? null
    const address = new URL(location.href)
    if (minute === null) address.searchParams.delete('t')
    else address.searchParams.set('t', minute)
    const text = await fetch(address).then(response => (response.ok ? response.text() : ''))
    const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('session')
    if (!fresh) return false
    // who plays, or went elsewhere meanwhile, is not disturbed
    if (started?.isPlaying() || (started?.minute() ?? null) !== minute) return true
    started?.end()
    const focusAgain = replace(page, fresh)
    page = fresh
    started = start(page)
    focusAgain()
    findPart('said').textContent = `${known.minute} is known.`
    announce()
    return true
  }
  announce()
  const poll = () => {
    setTimeout(async () => {
      // a page that nobody sees waits; what fails once is asked for again
      if (document.hidden || (await renew().catch(() => true))) poll()
    }, POLL_MS)
  }
  poll()
}

function announce() {
  const note = document.getElementById('renewing')
  if (note) note.textContent = '. This page renews itself.'
}

/**
 * Puts a page in the place of another, with the same parts open; answers what gives the keyboard
 * back to where it was.
 * @param {HTMLElement} page
 * @param {HTMLElement} fresh
 */
function replace(page, fresh) {
  const focused = document.activeElement
  const position = [...page.querySelectorAll('summary')].indexOf(
    /** @type {HTMLElement} */ (focused),
  )
  const parts = fresh.querySelectorAll('details')
  for (const [index, part] of page.querySelectorAll('details').entries()) {
    const other = parts[index]
    if (other) other.open = part.open
  }
  page.replaceWith(fresh)
  return () => {
    const again = focused?.id
      ? document.getElementById(focused.id)
      : fresh.querySelectorAll('summary')[position]
    again?.focus({ preventScroll: true })
  }
}
