/** A fault that published numbers had, and what was done about it. */
export type Erratum = {
  /** Day on which it was mended. */
  readonly date: string
  readonly what: string
  /** Which sessions show it, and until when. */
  readonly sessions: string
}

/** Faults of published numbers, newest first. An entry is never taken out. */
export const ERRATA: readonly Erratum[] = [
  {
    date: '2026-11-27',
    what: 'The measured book gave a flip, a regime and walls also where nobody knew the dealers’ positions, such as after open interest alone: the flip of the convention stood in their place.',
    sessions: 'all that were built before, until they are built again',
  },
  {
    date: '2026-11-27',
    what: 'The flip of the open-interest book had an interval, as if its convention could be uncertain.',
    sessions: 'all that were built before, until they are built again',
  },
  {
    date: '2026-11-26',
    what: 'Cancelled prints stayed in orders where a vendor’s sequence numbers wrap, run by channel or are shared by contracts.',
    sessions: 'those of such tapes that were built before, until they are built again',
  },
]
