import { isExpected } from '../platform/http/errors/catalogue.ts'
import { unreadFiles } from '../platform/http/unavailable.ts'
import type { AccountDeps } from './accountDeps.ts'
import type { Glance } from './home.ts'
import { findSessionOffers } from './sessionResponders.ts'

/** The newest finished session; null when there is none, or the files cannot be read now. */
export async function newestSession(deps: Pick<AccountDeps, 'others'>): Promise<Glance | null> {
  try {
    const { sessions, levels } = findSessionOffers(deps)
    const session = (await sessions()).at(-1)
    if (!session) return null
    const { day, reason } = session
    return { session, levels: reason === null ? await levels({ day, mayBeOpen: false }) : null }
  } catch (error) {
    // the home page works without data
    if (isExpected(error) || unreadFiles(error)) return null
    throw error
  }
}
