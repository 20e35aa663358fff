/** Gross premium from which an order enters a ledger, USD, where a build names no other. */
export const MIN_PREMIUM_USD = 100_000
