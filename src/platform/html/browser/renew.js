import { findPart } from './texts.js'

/** Updates the page of a running session as its minutes are published. */

/** Interval of the polls for a newer minute. */
const POLL_MS = 15_000

/**
 * @typedef {object} Started
 * @property {() => boolean} isPlaying
 * @property {() => string | null} minute The shown minute; null: the newest.
 * @property {() => string} newest
 * @property {() => void} end
 */

/**
 * Starts a page, and updates it every minute while its session runs.
 * @param {HTMLElement} first
 * @param {(page: HTMLElement) => Started | null} start
 */
export function openRenewal(first, start) {
  let page = first
  let started = start(page)
  const { now } = page.dataset
  if (!now) return
  /** Returns true when there may be more to come. */
  const renew = async () => {
    const known = await fetch(now).then(response => (response.ok ? response.json() : null))
    // it is over, or no longer open to this account: the link on the page explains
    if (typeof known?.minute !== 'string') return false
    if (known.minute === started?.newest()) return true
    const minute = started?.minute() ?? null
    const address = new URL(location.href)
    if (minute === null) address.searchParams.delete('t')
    else address.searchParams.set('t', minute)
    const text = await fetch(address).then(response => (response.ok ? response.text() : ''))
    const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('session')
    if (!fresh) return false
    // a visitor who plays or moved meanwhile is not disturbed
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
      // a hidden page pauses; a failed request is repeated
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
 * Replaces a page by another, with the same parts open; returns a function that restores the focus.
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
