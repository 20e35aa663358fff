import type { LabExpiry } from './session.ts'

/** The quotes of one option by state. Steps; none where there is no bid or no ask. */
export type OptionQuotes = {
  readonly bids: Uint16Array | Uint32Array
  readonly asks: Uint16Array | Uint32Array
  /** Seconds. */
  readonly ages: Uint8Array | Uint16Array | Uint32Array
}
export type LegType = 'C' | 'P'
type QuotesAt = (strikeIndex: number, type: LegType) => OptionQuotes

const readers = new WeakMap<LabExpiry, QuotesAt>()

/** Gives an expiry whose quotes lie in a file a way to read those of one option alone. */
export const registerQuoteReader = (expiry: LabExpiry, read: QuotesAt): void => {
  readers.set(expiry, read)
}

/** The quotes of the option at a place of the strikes. */
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
