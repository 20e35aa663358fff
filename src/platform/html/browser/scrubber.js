import { findPart, make } from './texts.js'

/** @typedef {import('./facts.js').Facts} Facts */

/** Playback speed: six minutes of the session per second. */
const PLAY_EVERY_MS = 160

/**
 * @typedef {object} Moves
 * @property {(index: number, how?: { isAnnounced?: boolean }) => void} show
 * @property {() => void} touch
 * @property {() => number} at
 */

/**
 * A slider with a play button, and the handlers of keys and the form.
 * @param {Facts} facts
 * @param {Moves} moves
 * @param {AbortSignal} signal
 */
export function openScrubber({ minutes }, { show, touch, at }, signal) {
  const last = minutes.length - 1
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer
  const play = make('button', { type: 'button', class: 'plain', id: 'play' }, 'Play')
  const range = make('input', {
    type: 'range',
    id: 'range',
    min: 0,
    max: last,
    step: 1,
    'aria-label': 'Minute',
  })
  document.querySelector('.scrubber')?.replaceChildren(play, range)
  const stop = () => {
    clearInterval(timer)
    timer = undefined
    play.textContent = 'Play'
  }
  const on = { signal }
  range.addEventListener('focus', touch, on)
  range.addEventListener('pointerdown', touch, on)
  range.addEventListener('input', () => show(Number(range.value)), on)
  range.addEventListener(
    'keydown',
    event => {
      const steps = { PageUp: 15, PageDown: -15 }[event.key]
      if (steps === undefined) return
      event.preventDefault()
      show(at() + steps)
    },
    on,
  )
  play.addEventListener(
    'click',
    () => {
      if (timer !== undefined) {
        stop()
        return show(at())
      }
      if (at() === last) show(0)
      play.textContent = 'Stop'
      timer = setInterval(() => {
        const isLast = at() + 1 >= last
        if (isLast) stop()
        show(at() + 1, { isAnnounced: isLast })
      }, PLAY_EVERY_MS)
    },
    on,
  )
  const form = /** @type {HTMLFormElement} */ (document.querySelector('form.minute'))
  const input = /** @type {HTMLInputElement} */ (findPart('scrubber').querySelector('input'))
  form.addEventListener(
    'submit',
    event => {
      const index = minutes.indexOf(input.value)
      // the server explains an unknown minute
      if (index < 0) return
      event.preventDefault()
      show(index)
    },
    on,
  )
  return {
    isPlaying: () => timer !== undefined,
    stop,
    /** @param {number} index @param {string} text */
    set: (index, text) => {
      range.value = String(index)
      input.value = minutes[index] ?? ''
      range.setAttribute('aria-valuetext', text)
    },
  }
}
