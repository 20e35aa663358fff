import { openChart } from './chart.js'
import { curveDrawer } from './curve.js'
import { NAMES, readFacts } from './facts.js'
import { ladderDrawer } from './ladder.js'
import { openLoads } from './loads.js'
import { openRenewal } from './renew.js'
import { openScrubber } from './scrubber.js'
import { findPart, parseNumber } from './texts.js'

/** Enhances the page of a session. It shows the same without scripts. */

/** Delay before the address is updated: browsers refuse a hundred changes in a few seconds. */
const SAVED_AFTER_MS = 150
/** Time before the end of a half hour at which the next one is loaded. */
const AHEAD_MINUTES = 8

/** @typedef {import('./facts.js').Facts} Facts */

/**
 * Starts the page; null when it has no minutes.
 * @param {HTMLElement} page
 */
export function startSession(page) {
  const facts = readFacts()
  const input = /** @type {HTMLInputElement | null} */ (document.querySelector('#scrubber input'))
  if (!facts || !input) return null
  const { minutes, rows } = facts
  const last = minutes.length - 1
  const ending = new AbortController()
  const { signal } = ending
  const [drawCurve, drawLadder] = [curveDrawer(signal), ladderDrawer(signal)]
  let at = Math.max(0, minutes.indexOf(input.value))
  let isDrawing = false

  const draw = () => {
    isDrawing = false
    const minute = minutes[at] ?? ''
    const spot = parseNumber(rows[at]?.[1] ?? '–')
    const [curves, ladders] = [loads.curves(), loads.ladders(minute)]
    if (curves?.minutes[at] === minute) drawCurve(curves, at, spot)
    if (ladders) drawLadder(ladders, minute, spot)
  }
  const drawSoon = () => {
    if (isDrawing) return
    isDrawing = true
    requestAnimationFrame(draw)
  }
  const loads = openLoads(page, drawSoon)
  const touch = () => {
    const next = minutes[Math.min(last, at + AHEAD_MINUTES)] ?? ''
    loads.want(minutes[at] ?? '', next)
  }
  /** @param {number} to @param {{ isAnnounced?: boolean }} how */
  const show = (to, { isAnnounced: isSpoken = true } = {}) => {
    at = Math.min(last, Math.max(0, to))
    showFacts(rows[at] ?? [])
    scrubber.set(at, formatSpoken(rows[at] ?? []))
    const x = `${(100 * at) / Math.max(1, last)}%`
    for (const mark of document.querySelectorAll('.mark')) {
      for (const name of ['x1', 'x2']) mark.setAttribute(name, x)
    }
    chart?.mark(at)
    touch()
    drawSoon()
    if (isSpoken) findPart('said').textContent = formatSentence(rows[at] ?? [])
    saveMinute(minutes[at] ?? '')
  }
  const scrubber = openScrubber(facts, { show, touch, at: () => at }, signal)
  const chart = openChart(facts, to => show(to), signal)
  scrubber.set(at, formatSpoken(rows[at] ?? []))
  chart?.mark(at)
  return {
    isPlaying: scrubber.isPlaying,
    /** The shown minute; null: the newest. */
    minute: () => (at === last ? null : (minutes[at] ?? null)),
    newest: () => minutes[last] ?? '',
    end: () => {
      scrubber.stop()
      ending.abort()
    },
  }
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let keeping

/** @param {string} minute */
function saveMinute(minute) {
  clearTimeout(keeping)
  keeping = setTimeout(() => {
    const address = new URL(location.href)
    address.searchParams.set('t', minute)
    history.replaceState(null, '', address)
  }, SAVED_AFTER_MS)
}

/** @param {readonly string[]} row */
function showFacts(row) {
  for (const [index, name] of NAMES.entries()) {
    const cell = document.querySelector(`#now dd[data-name="${name}"]`)
    if (cell) cell.textContent = row[index] ?? ''
  }
}

/** @param {readonly string[]} row */
const formatSpoken = ([minute, spot, flip]) => `${minute}, index ${spot}, flip ${flip}`

/** @param {readonly string[]} row */
function formatSentence([minute, spot, flip, error, call, put, gamma, regime]) {
  const flipText = flip === '–' ? 'no flip' : `flip ${flip}, from ${error}`
  const levels = `index ${spot}, ${flipText}, call wall ${call}, put wall ${put}`
  return `${minute}: ${levels}, net gamma ${gamma} million a point, ${regime}.`
}

const start = document.getElementById('session')
if (start) openRenewal(start, startSession)
