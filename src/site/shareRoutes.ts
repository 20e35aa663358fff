import { wordsOf } from '../html/figures.ts'
import { type SharePicture, sharePicture } from '../html/sharePicture.ts'
import { ApiError } from '../http/error.ts'
import type { FoundOrders, OfferedLevels, ToldOrder } from '../http/offers.ts'
import { keptPage, sendPage } from '../http/page.ts'
import { readQuery } from '../http/query.ts'
import type { AccountDeps } from './accountDeps.ts'
import { notHere, offersOf, type SessionAnswer } from './sessionAnswers.ts'
import { dayText, halfDayClose } from './sessionParts.ts'
import type { SharePictures } from './share.ts'
import { factsOf, orderFacts } from './shareFacts.ts'

/** Pictures of finished sessions and of their orders, for where an address is shared. */

/** It changes only with a correction; whoever embeds it may be any page. */
const HEADERS = {
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
}

export const sendSessionPicture =
  (deps: Pick<AccountDeps, 'others'>, pictures: SharePictures): SessionAnswer =>
  async ({ wanted, isOpen }, req, res) => {
    readQuery(req, res, [])
    if (isOpen) throw notHere()
    const offers = offersOf(deps)
    const told = await offers.levels(wanted)
    const found = await offers.orders(wanted, FIRST)
    const content = await pictures.pngOf(sharePicture(ofSession(told, found)))
    await sendPage(req, res, keptPage({ content, contentType: 'image/png', headers: HEADERS }))
  }

export const sendOrderPicture =
  (deps: Pick<AccountDeps, 'others'>, pictures: SharePictures): SessionAnswer =>
  async ({ wanted, isOpen }, req, res) => {
    readQuery(req, res, [])
    if (isOpen) throw notHere()
    const offers = offersOf(deps)
    const { id } = req.params as { id: string }
    const offered = await offers.order(wanted, id)
    if (!offered) throw new ApiError('not_found', { message: `${wanted.day} has no such order.` })
    const told = await offers.levels(wanted)
    const content = await pictures.pngOf(sharePicture(ofOrder(told, offered.order)))
    await sendPage(req, res, keptPage({ content, contentType: 'image/png', headers: HEADERS }))
  }

const FIRST = {
  ...({ kind: null, side: null, exp: null, minPremium: null, sort: 'effect' } as const),
  ...{ start: 0, count: 1 },
}

function markOf({ simulated, tape }: OfferedLevels): string | null {
  const marks = [
    ...(simulated ? ['SIMULATED'] : []),
    ...(tape?.grade === 'bad' ? ['BAD TAPE'] : []),
  ]
  return marks.length === 0 ? null : marks.join(', ')
}

function noteOf({ tape }: OfferedLevels): string {
  const { grade } = tape ?? {}
  const trust = grade && grade !== 'good' ? `The tape is ${grade}.` : 'An estimate.'
  return `Index solid, flip dashed with its error bar; hatched: negative gamma. ${trust}`
}

const common = (told: OfferedLevels) => ({
  ...{ mark: markOf(told), note: noteOf(told) },
  ...{ minutes: told.minutes, levels: told.books.measured },
})

/** A session: where the index and the flip went. */
function ofSession(told: OfferedLevels, { total }: Pick<FoundOrders, 'total'>): SharePicture {
  return {
    ...common(told),
    title: `SPX ${dayText(told.day)}${halfDayClose(told.day) === null ? '' : ', half day'}`,
    facts: factsOf(told, total),
    at: null,
  }
}

const ofOrder = (told: OfferedLevels, order: ToldOrder): SharePicture => ({
  ...common(told),
  title: `${wordsOf(order.kind)} ${order.legs}`,
  facts: orderFacts(told.day, order),
  at: told.minutes.includes(order.t) ? told.minutes.indexOf(order.t) : null,
})
