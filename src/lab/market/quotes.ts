import type { LabExpiry } from './session.ts'

/** Quotes of one option by state, in steps; no price without both a bid and an ask. */
export type OptionQuotes = {
  readonly bids: Uint16Array | Uint32Array
  readonly asks: Uint16Array | Uint32Array
  /** Seconds. */
  readonly ages: Uint8Array | Uint16Array | Uint32Array
}
export type LegType = 'C' | 'P'
type QuotesAt = (strikeIndex: number, type: LegType) => OptionQuotes

const readers = new WeakMap<LabExpiry, QuotesAt>()

/** Registers a reader of single options for an expiry whose quotes are in a file. */
export const registerQuoteReader = (expiry: LabExpiry, read: QuotesAt): void => {
  readers.set(expiry, read)
}

/** Returns the quotes of the option at a strike index. */
export function readOptionQuotes(
  expiry: LabExpiry,
  strikeIndex: number,
  type: LegType,
): OptionQuotes {
  const read = readers.get(expiry)
  if (read) return read(strikeIndex, type)
  const count = expiry.strikes.length
  const column = <T extends Uint8Array | Uint32Array>(plane: T, into: T): T => {
    for (let state = 0; state < into.length; state++)
      into[state] = plane[state * count + strikeIndex]!
    return into
  }
  const states = expiry.forward.length
  const [bids, asks, ages] =
    type === 'P'
      ? [expiry.putBid, expiry.putAsk, expiry.putAge]
      : [expiry.callBid, expiry.callAsk, expiry.callAge]
  return {
    bids: column(bids, new Uint32Array(states)),
    asks: column(asks, new Uint32Array(states)),
    ages: column(ages, new Uint8Array(states)),
  }
}
