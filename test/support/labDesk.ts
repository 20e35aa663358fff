// Published sessions whose index moves, and monitored ideas that are tested on them.

import { instantMs, neighbourSession } from '../../src/core/market/calendar.ts'
import type { LabMarket } from '../../src/lab/market/session.ts'
import { AREAS } from '../../src/server/areas.ts'
import type { ServerOptions } from '../../src/server/main.ts'
import { plainMid, session } from '../lab/engine/market.ts'
import { publishMarket, publishRunning } from '../lab/market/publish.ts'
import { type LabSite, startLabSite } from './labPages.ts'

/** The sessions: to the evening before the clock of tests, and that of its day. */
export const DESK_DAYS = ['2026-10-12', '2026-10-13', '2026-10-14'] as const

const STRIKES = Array.from({ length: 41 }, (_, index) => 5900 + 5 * index)

/** The index of a day by state: up and down within 30 points. */
export const spotAt = (day: number, state: number): number =>
  Math.round(100 * (6000 + 4 * day + 25 * Math.sin(state / 55) + state / 40)) / 100

/** Quoted on each side of a mid that moves with the index, for contracts of two expiries. */
export function deskMarket(days: readonly string[] = DESK_DAYS): LabMarket {
  const sessions = days.map((date, day) => {
    const spot = (state: number) => spotAt(day, state)
    const quote = ({ state, strike, type }: { state: number; strike: number; type: 'C' | 'P' }) => {
      const mid = plainMid(strike, type, spot(state))
      return { bid: mid - 0.1, ask: mid + 0.1 }
    }
    const next = neighbourSession(date, 1).date
    return session({
      date,
      columns: {
        spot,
        // known from 09:46 on, and gone for ten minutes
        flip: state =>
          state < 15 || (state >= 100 && state < 110) ? Number.NaN : 5990 + state / 50,
        putWall: state => (state < 200 ? 6005 : 5980),
      },
      expiries: [date, next].map(expiry => ({ expiry, strikes: STRIKES, quote, forward: spot })),
      settlement: spot(389),
    })
  })
  return { kind: 'simulated', sessions, leftOut: [], hash: 'ab' }
}

export type DeskSite = LabSite & {
  /** A monitored idea that draws; returns its page. */
  readonly deskIdea: (message: string, draw: string) => Promise<{ id: string; path: string }>
  /** Publishes the session of a day as it is known at a minute, at which it then is. */
  readonly runTo: (day: string, minute: string) => Promise<void>
}

/** A server whose engine is that of the product, on published sessions. */
export async function startDeskSite(
  options: Partial<ServerOptions> = {},
  days: readonly string[] = DESK_DAYS,
): Promise<DeskSite> {
  const site = await startLabSite({ areas: AREAS, ...options })
  await publishMarket(site.api.dataFolder, deskMarket(days))
  const deskIdea: DeskSite['deskIdea'] = async (message, draw) => {
    const idea = await site.begin(message)
    for (const kind of ['backtest', 'quant'] as const) {
      const { location } = await site.post('run', { id: idea.id, kind })
      await site.account.untilDone(location!.split('job=')[1]!)
    }
    await site.account.act({ id: idea.id, action: 'desk' })
    await site.account.act({ id: idea.id, action: 'set', on: true, draw, alert: 'off' })
    return idea
  }
  const runTo: DeskSite['runTo'] = async (day, minute) => {
    const running = deskMarket([...days, day]).sessions.at(-1)!
    await publishRunning(site.api.dataFolder, running, minute)
    site.api.clock.atMs = instantMs(day, minute) + 5_000
  }
  return { ...site, deskIdea, runTo }
}
