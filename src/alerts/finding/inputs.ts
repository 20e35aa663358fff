import type { MinuteEt } from '../../core/market/calendar.ts'
import type { Book } from '../../data/published/books.ts'
import type { AlertBook } from '../kinds.ts'
import type { BookState, MinuteInput, SeenOrder } from '../rules/inputs.ts'
import type { MarketMinute, OrderRow, SessionMinutes, StateRow } from './minutes.ts'

/** Converts dataset rows to the inputs of the rules. */

/** Names of the books in the datasets, by their names in the settings. */
const BOOK_OF: Readonly<Record<AlertBook, Book>> = {
  measured: 'measured',
  volume: 'vol',
  open_interest: 'oi',
}

/** Inputs of the rules at a minute, and the version of each of its orders. */
export type MinuteFacts = {
  readonly input: MinuteInput
  readonly findRow: (order: SeenOrder) => OrderRow
  /** Earlier versions of the same order in this session, oldest first. */
  readonly earlier: (row: OrderRow) => readonly { readonly order: SeenOrder; readonly ms: number }[]
}

/** Converts a minute to the inputs of the rules. */
export function toMinuteFacts(minutes: SessionMinutes, minute: MarketMinute): MinuteFacts {
  const rows = new Map<SeenOrder, OrderRow>()
  const orders = minute.orders.map(row => {
    const order = seenOrder(minutes, row)
    rows.set(order, row)
    return order
  })
  const state = (book: AlertBook) => bookState(minute.minute, minute.books[BOOK_OF[book]])
  return {
    input: {
      day: minute.day,
      minute: minute.minute,
      books: {
        measured: state('measured'),
        volume: state('volume'),
        open_interest: state('open_interest'),
      },
      orders,
    },
    findRow: order => rows.get(order)!,
    earlier: row =>
      minutes
        .listVersions(row.order_id)
        .filter(one => one.revision_number < row.revision_number)
        .map(one => ({ order: seenOrder(minutes, one), ms: one.state_ms })),
  }
}

/** A state; all values are null when there is no row. */
function bookState(minute: MinuteEt, row: StateRow | null): BookState {
  return {
    minute,
    spot: row?.spot ?? null,
    flip: row?.flip ?? null,
    flipLo: row?.flip_lo ?? null,
    flipHi: row?.flip_hi ?? null,
    roots: row?.flip_roots ?? [],
    callWall: row?.call_wall ?? null,
    putWall: row?.put_wall ?? null,
    netGamma: row?.net_gamma_musd_per_point ?? null,
  }
}

function seenOrder({ findState }: SessionMinutes, row: OrderRow): SeenOrder {
  const then = findState(row.minute_et, 'measured')
  return {
    oid: row.order_id,
    t: row.minute_et,
    kind: row.structure,
    legs: row.legs_text,
    expiry: row.main_expiry,
    size: row.size,
    grossPremiumUsd: row.gross_premium_usd,
    netPremiumUsd: row.net_premium_usd,
    gamma: row.dealer_gamma_musd_per_point,
    confidence: row.fold_confidence,
    spot: row.spot,
    flip: row.flip,
    callWall: then?.call_wall ?? null,
    putWall: then?.put_wall ?? null,
  }
}
