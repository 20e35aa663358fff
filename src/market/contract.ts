/** Words about listed contracts that hold for every vendor. */

/** Roots that are settled on the opening prices of their expiry date; every other root is PM. */
const AM_SETTLED_ROOTS = new Set(['SPX', 'VIX', 'VIXW', 'NDX', 'RUT', 'DJX'])

/** Which product a root belongs to, where the two names differ. */
const SYMBOL_OF_ROOT: Readonly<Record<string, string>> = { SPXW: 'SPX', VIXW: 'VIX', NDXP: 'NDX' }

/** How a root is settled. Source: Cboe contract specifications (domain.md A5). */
export const settlementOf = (root: string): 'AM' | 'PM' =>
  AM_SETTLED_ROOTS.has(root) ? 'AM' : 'PM'

/** The product of a root: SPXW and SPX are both SPX. */
export const symbolOf = (root: string): string => SYMBOL_OF_ROOT[root] ?? root
