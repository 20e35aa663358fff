/** Reasons why a level of a minute is unknown, in words. */

/** Reason of a minute whose book rests on open interest of which nobody knows the dealers' side. */
export const INVENTORY_UNKNOWN = 'inventory_unknown'

/** The convention of open interest, book 'oi', in short: how dealers stand in its calls and puts. */
export const CONVENTION = 'calls +, puts −'

/**
 * Sessions of carried flow after which the flip of a book that began with open interest can mostly
 * be named.
 */
export const SESSIONS_CARRIED_ENOUGH = 60

const WORDS: Readonly<Record<string, string>> = {
  [INVENTORY_UNKNOWN]: "the dealers' positions are not known",
  no_bound: 'the flip may be at any level that was tried',
  no_root: 'net gamma is zero at none of the levels that were tried',
  empty_book: 'the dealers hold nothing that has gamma',
  no_forward: 'too little of the book could be priced',
  no_spot: 'no index value is known',
  no_calls: 'the dealers hold no calls',
  no_puts: 'the dealers hold no puts',
}

/** Returns a reason in words; one without words of its own, with spaces: `too early`. */
export const describeReason = (reason: string): string =>
  WORDS[reason] ?? reason.replaceAll('_', ' ')
