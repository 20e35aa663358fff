import type { SessionLevels } from '../archive/ask.ts'
import type { FoundOrders } from '../orders/ask.ts'
import type { WireOrder } from '../orders/schema.ts'
import { spellOut } from '../platform/html/figures.ts'
import { ApiError } from '../platform/http/error.ts'
import { createCachedPage, sendPage } from '../platform/http/page.ts'
import { readQuery } from '../platform/http/query.ts'
import { dayText, halfDayClose } from './sessionParts.ts'
import { notHere, type SessionResponder, type SiteAsks } from './sessionResponders.ts'
import type { SharePictures } from './share.ts'
import { formatFacts, isUnknownAllDay, orderFacts } from './shareFacts.ts'
import { type SharePicture, sharePicture } from './sharePicture.ts'

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
