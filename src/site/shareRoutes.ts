import type { BookLevels, SessionLevels } from '../archive/ask.ts'
import type { FoundOrders } from '../orders/ask.ts'
import type { WireOrder } from '../orders/schema.ts'
import { countText, spellOut } from '../platform/html/figures.ts'
import { SHARE_HEIGHT, SHARE_WIDTH } from '../platform/html/layout.ts'
import { markNegative } from '../platform/html/levelsPicture.ts'
import {
  bandPath,
  computeRange,
  computeTicks,
  createScale,
  findRuns,
  linePath,
  type Scale,
  SIDE,
} from '../platform/html/scale.ts'
import { EMPTY, type Html, html } from '../platform/html/template.ts'
import { ApiError } from '../platform/http/error.ts'
import { createCachedPage, sendPage } from '../platform/http/page.ts'
import { readQuery } from '../platform/http/query.ts'
import { dayText, halfDayClose } from './sessionParts.ts'
import { notHere, type SessionResponder, type SiteAsks } from './sessionResponders.ts'
import type { SharePictures } from './share.ts'
import { formatFacts, isUnknownAllDay, orderFacts } from './shareFacts.ts'

/** Preview picture of a page where its address is shared: title, facts, the day. */

type SharePicture = {
  readonly title: string
  /** A line of facts below it. */
  readonly facts: string
  /** A word that must not be missed, such as SIMULATED; null: none. */
  readonly mark: string | null
  /** Footer. */
  readonly note: string
  readonly minutes: readonly string[]
  readonly levels: BookLevels
  /** The marked minute, an index of those; null: none. */
  readonly at: number | null
}

const LEFT = 44
/** Width left of the chart for index points: six letters and a comma. */
const AXIS = 76
const BOX = { x: LEFT + AXIS, y: 218, width: SHARE_WIDTH - 2 * LEFT - AXIS, height: 310 }
/** Approximate width of a letter of the fonts, as a share of its height. */
const LETTER_WIDTH = 0.66
const TITLE = { largest: 54, smallest: 30 }
const FACTS_MAX = 84
const NOTE_MAX = 96

/** The picture as SVG, in the colours of the light page. */
export function sharePicture(picture: SharePicture): string {
  const { title, facts, mark, note, minutes, levels, at } = picture
  const textWidth = SHARE_WIDTH - 2 * LEFT
  const fitting = Math.floor(textWidth / (LETTER_WIDTH * Math.max(1, title.length)))
  const size = Math.max(TITLE.smallest, Math.min(TITLE.largest, fitting))
  const shown = cut(title, Math.floor(textWidth / (LETTER_WIDTH * size)))
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_WIDTH}"
height="${SHARE_HEIGHT}" font-family="DejaVu Sans">
<rect width="100%" height="100%" fill="#fff"/>
<rect width="100%" height="10" fill="#0b57d0"/>
<text x="${LEFT}" y="62" font-size="26" font-weight="bold" fill="#545d68">Tapefold</text>
${mark !== null && drawMark(mark)}
<text x="${LEFT}" y="132" font-size="${size}" font-weight="bold" fill="#1b1f24">${shown}</text>
<text x="${LEFT}" y="184" font-size="25" fill="#1b1f24">${cut(facts, FACTS_MAX)}</text>
${drawChart(minutes, levels, at)}
<text x="${LEFT}" y="604" font-size="22" fill="#545d68">${cut(note, NOTE_MAX)}</text>
</svg>`.toString()
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`

const drawMark = (mark: string): Html => {
  const width = 22 * mark.length + 30
  const x = SHARE_WIDTH - LEFT - width
  return html`<rect x="${x}" y="30" width="${width}" height="48" rx="6" fill="#fdecc4"
stroke="#6b4700" stroke-width="2"/><text x="${x + width / 2}" y="64" font-size="28"
font-weight="bold" text-anchor="middle" fill="#6b4700">${mark}</text>`
}

/** Positions of index points and minutes in the box, in pixels of the picture. */
function placed({ minutes, low, high, x, y }: Scale): Scale {
  return {
    minutes,
    low,
    high,
    x: index => Math.round(BOX.x + (BOX.width * x(index)) / SIDE),
    y: points => Math.round(BOX.y + (BOX.height * y(points)) / SIDE),
  }
}

function drawChart(minutes: readonly string[], levels: BookLevels, at: number | null): Html {
  const { spot, flip, flip_lo, flip_hi } = levels
  const range = computeRange([spot, flip, flip_lo, flip_hi])
  if (!range || minutes.length < 2) return EMPTY
  const plain = createScale(minutes, range.low, range.high)
  const scale = placed(plain)
  const { x, y } = scale
  const hatched = findRuns(markNegative(levels))
  const hours = minutes.flatMap((minute, index) =>
    minute.endsWith(':00') ? [{ minute, index }] : [],
  )
  return html`<defs><pattern id="hatch" width="9" height="9" patternUnits="userSpaceOnUse"
patternTransform="rotate(45)"><path d="M0 0V9" stroke="#d5d8dc" stroke-width="3"/></pattern></defs>
${hatched.map(
  ({ from, to }) => html`<rect x="${x(from)}" y="${BOX.y}" width="${x(to) - x(from) + 2}"
height="${BOX.height}" fill="url(#hatch)"/>`,
)}
${computeTicks(plain.low, plain.high).map(
  points => html`<path d="M${BOX.x} ${y(points)}h${BOX.width}" stroke="#d9dde2"/>`,
)}
<path d="${bandPath(flip_lo, flip_hi, scale)}" fill="#8a3ffc" fill-opacity="0.18"/>
<path d="${linePath(flip, scale)}" fill="none" stroke="#8a3ffc" stroke-width="4"
stroke-dasharray="12 8"/>
<path d="${linePath(spot, scale)}" fill="none" stroke="#1b1f24" stroke-width="4"/>
${
  at !== null &&
  html`<path d="M${x(at)} ${BOX.y}v${BOX.height}" stroke="#0b57d0" stroke-width="3"/>`
}
<rect x="${BOX.x}" y="${BOX.y}" width="${BOX.width}" height="${BOX.height}" fill="none"
stroke="#d9dde2"/>
<g font-size="18" fill="#545d68">
${computeTicks(plain.low, plain.high).map(
  points =>
    html`<text x="${BOX.x - 10}" y="${y(points) + 6}" text-anchor="end">${countText(
      points,
    )}</text>`,
)}
${hours.map(
  ({ minute, index }) => html`<text x="${x(index)}" y="${BOX.y + BOX.height + 22}"
text-anchor="middle">${minute}</text>`,
)}</g>`
}

/** Preview pictures of finished sessions and their orders, for shared addresses. */

/** Changes only with a correction; pages of any origin may embed it. */
const HEADERS = {
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
}

export const sendSessionPicture =
  (asks: SiteAsks, pictures: SharePictures): SessionResponder =>
  async ({ wanted, isOpen }, req, res) => {
    readQuery(req, res, [])
    if (isOpen) throw notHere()
    const sessionLevels = await asks.archive.readLevels(wanted)
    const found = await asks.orders.findOrders(wanted, FIRST)
    const content = await pictures.renderPng(sharePicture(ofSession(sessionLevels, found)))
    await sendPage(
      req,
      res,
      createCachedPage({ content, contentType: 'image/png', headers: HEADERS }),
    )
  }

export const sendOrderPicture =
  (asks: SiteAsks, pictures: SharePictures): SessionResponder =>
  async ({ wanted, isOpen }, req, res) => {
    readQuery(req, res, [])
    if (isOpen) throw notHere()
    const { id } = req.params as { id: string }
    const found = await asks.orders.findOrder(wanted, id)
    if (!found) throw new ApiError('not_found', { message: `${wanted.day} has no such order.` })
    const sessionLevels = await asks.archive.readLevels(wanted)
    const content = await pictures.renderPng(sharePicture(ofOrder(sessionLevels, found.order)))
    await sendPage(
      req,
      res,
      createCachedPage({ content, contentType: 'image/png', headers: HEADERS }),
    )
  }

const FIRST = {
  ...({ kind: null, side: null, exp: null, minPremium: null, sort: 'effect' } as const),
  start: 0,
  count: 1,
}

function describeMark({ simulated, tape }: SessionLevels): string | null {
  const marks = [
    ...(simulated ? ['SIMULATED'] : []),
    ...(tape?.grade === 'bad' ? ['BAD TAPE'] : []),
  ]
  return marks.length === 0 ? null : marks.join(', ')
}

function describeNote(sessionLevels: SessionLevels): string {
  const { grade } = sessionLevels.tape ?? {}
  const trust = grade && grade !== 'good' ? `The tape is ${grade}.` : 'An estimate.'
  // within the length of a note: what is not known comes first
  if (isUnknownAllDay(sessionLevels))
    return `Dealers’ positions unknown: no flip is named. ${trust}`
  return `Index solid, flip dashed with its error bar; hatched: negative gamma. ${trust}`
}

const common = (sessionLevels: SessionLevels) => ({
  mark: describeMark(sessionLevels),
  note: describeNote(sessionLevels),
  minutes: sessionLevels.minutes,
  levels: sessionLevels.books.measured,
})

/** A session: the movement of the index and the flip. */
function ofSession(
  sessionLevels: SessionLevels,
  { total }: Pick<FoundOrders, 'total'>,
): SharePicture {
  return {
    ...common(sessionLevels),
    title: `SPX ${dayText(sessionLevels.day)}${halfDayClose(sessionLevels.day) === null ? '' : ', half day'}`,
    facts: formatFacts(sessionLevels, total),
    at: null,
  }
}

const ofOrder = (sessionLevels: SessionLevels, order: WireOrder): SharePicture => ({
  ...common(sessionLevels),
  title: `${spellOut(order.kind)} ${order.legs}`,
  facts: orderFacts(sessionLevels.day, order),
  at: sessionLevels.minutes.includes(order.t) ? sessionLevels.minutes.indexOf(order.t) : null,
})
