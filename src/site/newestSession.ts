import { isExpected } from '../platform/http/errors/catalogue.ts'
import { unreadFiles } from '../platform/http/unavailable.ts'
import type { Glance } from './home.ts'
import type { SiteAsks } from './sessionResponders.ts'

/** The newest finished session; null when there is none, or the files cannot be read now. */
export async function newestSession({ archive }: SiteAsks): Promise<Glance | null> {
  try {
    const session = (await archive.listSessions()).at(-1)
    if (!session) return null
    const { day, reason } = session
    const wanted = { day, mayBeOpen: false }
    return { session, levels: reason === null ? await archive.readLevels(wanted) : null }
  } catch (error) {
    // the home page works without data
    if (isExpected(error) || unreadFiles(error)) return null
    throw error
  }
}
