// Runs in a page: finds texts that lie on each other, are cut, leave the window or are covered.

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
/**
 * A line of a text: `box` is where its letters stand, `seen` is the part of it that is not clipped.
 * @typedef {{ text: string, owner: object, element: Element, box: Box, seen: Box | null }} Shown
 */

/** Pixels in both directions by which two texts overlap before anyone sees it. */
const LEAST = 2
/** Of the height of a line, the part in which letters stand. */
const LETTERS = 0.8
/** Pixels between the points of a line that are looked at. */
const STEP = 2

// biome-ignore lint/correctness/noUnusedVariables: `textFaults.ts` calls it
function findTextFaults() {
  const texts = [...pageTexts(), ...drawnTexts()]
  const pairs = overlaps(texts)
  const paired = new Set(pairs.flatMap(({ one, other }) => [one, other]))
  return [
    ...texts.flatMap(cutFaults),
    ...pairs.map(({ one, other, by }) => `${quoted(one)} and ${quoted(other)} overlap by ${by}`),
    ...texts.flatMap(windowFaults),
    // one that overlaps another is reported once
    ...texts.filter(shown => !paired.has(shown)).flatMap(coverFaults),
    ...lineFaults(texts),
    ...texts.flatMap(frameFaults),
    ...[...document.querySelectorAll('input')].flatMap(inputFaults),
  ]
}

/** Texts of the page and of its pictures. @returns {Shown[]} */
function pageTexts() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  /** @type {Shown[]} */
  const texts = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = (node.textContent ?? '').replace(/\s+/g, ' ').trim()
    if (!element || text === '' || !isVisible(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue
      const air = ((1 - LETTERS) / 2) * rect.height
      const box = { ...plain(rect), top: rect.top + air, bottom: rect.bottom - air }
      texts.push({ text, owner: node, element, box, seen: clipped(element, box) })
    }
  }
  return texts
}

/** @param {Element} element */
const isVisible = element =>
  element.closest('script, style, select, textarea, noscript') === null &&
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
  !isForMachines(element) &&
  !isFoldedAway(element)

/** True for parts of a closed section of the page next to its summary. @param {Element} element */
function isFoldedAway(element) {
  const part = element.closest('details:not([open])')
  return part !== null && !part.querySelector('summary')?.contains(element)
}

/** True where an element is there for a screen reader alone. @param {Element} element */
function isForMachines(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement) {
    if (getComputedStyle(at).clipPath === 'inset(50%)') return true
  }
  return false
}

/** Texts of charts: `canvasTexts.js` records them. @returns {Shown[]} */
function drawnTexts() {
  const { canvasTexts } = /** @type {Recording} */ (window)
  return [...document.querySelectorAll('canvas')].filter(isVisible).flatMap(canvas => {
    const rect = canvas.getBoundingClientRect()
    const scale = rect.width / (canvas.width || 1)
    return (canvasTexts?.(canvas) ?? []).map(({ text, box }) => {
      const place = {
        left: rect.left + scale * box.left,
        right: rect.left + scale * box.right,
        top: rect.top + scale * box.top,
        bottom: rect.top + scale * box.bottom,
      }
      const seen = intersection(place, plain(rect))
      return { text, owner: {}, element: canvas, box: place, seen: seen && clipped(canvas, seen) }
    })
  })
}

/** @param {DOMRect} rect @returns {Box} */
const plain = ({ left, top, right, bottom }) => ({ left, top, right, bottom })

/** @param {Box} one @param {Box} other @returns {Box | null} */
function intersection(one, other) {
  const left = Math.max(one.left, other.left)
  const right = Math.min(one.right, other.right)
  const top = Math.max(one.top, other.top)
  const bottom = Math.min(one.bottom, other.bottom)
  return left < right && top < bottom ? { left, right, top, bottom } : null
}

/**
 * The ancestors that clip an element: those around its containing block.
 * @param {Element} element
 * @returns {Element[]}
 */
function clippers(element) {
  /** @type {Element[]} */
  const found = []
  let { position } = getComputedStyle(element)
  if (clips(element)) found.push(element)
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (position === 'fixed') break
    const style = getComputedStyle(at)
    if (position === 'absolute' && style.position === 'static') continue
    if (at !== document.body && at !== document.documentElement && clips(at)) found.push(at)
    position = style.position
  }
  return found
}

/** @param {Element} element */
function clips(element) {
  const { overflowX, display } = getComputedStyle(element)
  const hasBox = element instanceof SVGElement || !['inline', 'contents'].includes(display)
  return overflowX !== 'visible' && hasBox
}

/** @param {Element} element @returns {Box} */
function inner(element) {
  const rect = element.getBoundingClientRect()
  if (element instanceof SVGElement && element.ownerSVGElement) return plain(rect)
  const left = rect.left + element.clientLeft
  const top = rect.top + element.clientTop
  // a picture without a layout of its own, and an inline box, have no inner size
  const [width, height] = [element.clientWidth || rect.width, element.clientHeight || rect.height]
  return { left, top, right: left + width, bottom: top + height }
}

/** Part of a box that is not clipped. @param {Element} element @param {Box} box @returns {Box | null} */
function clipped(element, box) {
  let seen = /** @type {Box | null} */ (box)
  for (const at of clippers(element)) seen = seen && intersection(seen, inner(at))
  return seen
}

/** @param {Box} box */
const size = ({ left, right, top, bottom }) =>
  `${Math.round(right - left)}x${Math.round(bottom - top)}`

/** @param {Shown} shown */
const quoted = ({ text }) => `"${text.length > 40 ? `${text.slice(0, 39)}…` : text}"`

/** @param {Shown} shown */
function cutFaults(shown) {
  const { element, box } = shown
  const canvas = element instanceof HTMLCanvasElement ? [element] : []
  for (const at of [...canvas, ...clippers(element)]) {
    const { overflowX } = getComputedStyle(at)
    // what scrolls can be read
    if (overflowX === 'auto' || overflowX === 'scroll') return []
    const rest = intersection(box, at === element && canvas.length > 0 ? edges(at) : inner(at))
    const isWhole =
      rest &&
      rest.left - box.left < LEAST &&
      box.right - rest.right < LEAST &&
      rest.top - box.top < LEAST &&
      box.bottom - rest.bottom < LEAST
    if (!isWhole)
      return [`${quoted(shown)} is cut by <${at.localName} class="${describeClass(at)}">`]
  }
  return []
}

/** @param {Element} element */
const edges = element => plain(element.getBoundingClientRect())

/** @param {Element} element */
const describeClass = element => element.getAttribute('class') ?? ''

/** Pairs of texts that lie on each other. @param {readonly Shown[]} texts */
function overlaps(texts) {
  const sorted = texts
    .flatMap(shown => (shown.seen ? [{ shown, seen: shown.seen }] : []))
    .sort((one, other) => one.seen.top - other.seen.top)
  /** @type {{ one: Shown, other: Shown, by: string }[]} */
  const pairs = []
  for (const [index, one] of sorted.entries()) {
    for (const other of sorted.slice(index + 1)) {
      if (other.seen.top >= one.seen.bottom) break
      const both = intersection(one.seen, other.seen)
      if (!both || one.shown.owner === other.shown.owner) continue
      if (both.right - both.left <= LEAST || both.bottom - both.top <= LEAST) continue
      pairs.push({ one: one.shown, other: other.shown, by: size(both) })
    }
  }
  return pairs
}

/** @param {Shown} shown */
function windowFaults(shown) {
  const { seen, box } = shown
  if (!seen || box.bottom + scrollY < 0) return []
  const over = Math.max(-seen.left, seen.right - document.documentElement.clientWidth)
  return over > 1 ? [`${quoted(shown)} leaves the window by ${Math.round(over)}`] : []
}

/** Elements painted over a text. @param {Shown} shown */
function coverFaults(shown) {
  const { seen, element } = shown
  if (!seen || element instanceof HTMLCanvasElement) return []
  const [x, y] = [(seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2]
  const top = document.elementFromPoint(x, y)
  if (!top || top.contains(element) || element.contains(top)) return []
  // the letters of a word that is marked inside of it
  if (top.closest('a, button, label') === element.closest('a, button, label, *')) return []
  return [`${quoted(shown)} is covered by <${top.localName} class="${describeClass(top)}">`]
}

/** Lines of a picture that run through its texts. @param {readonly Shown[]} texts */
function lineFaults(texts) {
  const pictures = Map.groupBy(
    texts.filter(({ element, seen }) => seen && element instanceof SVGElement),
    ({ element }) => element.closest('svg.picture') ?? element.closest('svg'),
  )
  return [...pictures].flatMap(([picture, own]) => {
    const lines = [...(picture?.querySelectorAll('path, line, polyline') ?? [])].filter(isLine)
    return lines.flatMap(line => {
      const points = listPoints(/** @type {SVGGeometryElement} */ (line))
      const struck = own.filter(({ seen }) => seen && points.some(point => isInside(point, seen)))
      return struck.map(shown => `a line "${describeClass(line)}" runs through ${quoted(shown)}`)
    })
  })
}

/** Texts that stick out of their picture at the left or right; others it cuts. @param {Shown} shown */
function frameFaults(shown) {
  const picture = shown.element.closest('svg.picture')
  if (!picture || clips(picture)) return []
  const { left, right } = picture.getBoundingClientRect()
  const by = Math.max(left - shown.box.left, shown.box.right - right)
  return by > 1 ? [`${quoted(shown)} sticks out of its picture by ${Math.round(by)}`] : []
}

/** True for what is drawn as a line; the faint lines of a scale may run behind a text. */
function isLine(/** @type {Element} */ element) {
  if (!(element instanceof SVGGeometryElement) || element.closest('.grid, defs')) return false
  if (!element.checkVisibility({ visibilityProperty: true })) return false
  const { stroke, strokeWidth, fill } = getComputedStyle(element)
  const isFilled = fill !== 'none' && element.localName !== 'line'
  return stroke !== 'none' && Number.parseFloat(strokeWidth) > 0 && !isFilled
}

/** Points of a line on the screen. @param {SVGGeometryElement} line */
function listPoints(line) {
  const matrix = line.getScreenCTM()
  const length = line.getTotalLength()
  if (!matrix || length === 0) return []
  const scale = Math.max(Math.hypot(matrix.a, matrix.b), Math.hypot(matrix.c, matrix.d))
  const count = Math.ceil((length * scale) / STEP)
  return Array.from({ length: count + 1 }, (_, index) =>
    line.getPointAtLength((length * index) / count).matrixTransform(matrix),
  )
}

/** @param {DOMPoint} point @param {Box} box */
const isInside = ({ x, y }, { left, right, top, bottom }) =>
  x > left + 1 && x < right - 1 && y > top + 1 && y < bottom - 1

/** @param {HTMLInputElement} input */
function inputFaults(input) {
  if (!isVisible(input) || input.scrollWidth <= input.clientWidth + 1) return []
  return [`the field ${input.name || input.id} cuts "${input.value || input.placeholder}"`]
}
