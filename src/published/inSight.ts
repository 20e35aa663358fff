import type { Catalog } from './catalog.ts'

/** The catalog, or, where it can be asked for nothing but its problems, one without sessions. */
export function catalogInSight(catalog: Catalog): { catalog: Catalog; isBlind: boolean } {
  try {
    catalog.sessions()
    return { catalog, isBlind: false }
  } catch {
    const nothing = { sessions: () => [], find: () => null, newest: () => null }
    return { catalog: { ...catalog, ...nothing, unreadable: () => [] }, isBlind: true }
  }
}
