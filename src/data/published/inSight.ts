import type { Catalog } from './catalog.ts'

/** Returns the catalog, or one without sessions when only its problems can be read. */
export function catalogInSight(catalog: Catalog): { catalog: Catalog; isBlind: boolean } {
  try {
    catalog.sessions()
    return { catalog, isBlind: false }
  } catch {
    const replayed = {
      sessions: () => [],
      finished: () => [],
      find: () => null,
      newest: () => null,
    }
    return { catalog: { ...catalog, ...replayed, replayed, unreadable: () => [] }, isBlind: true }
  }
}
