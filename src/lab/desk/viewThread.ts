/**
 * Thread that reads and replays sessions for pictures: the work takes long enough to block every
 * other request.
 */

import { LRUCache } from 'lru-cache'
import type { PublishedManifest } from '../../data/published/manifest.ts'
import { serveThread } from '../../platform/pool/thread.ts'
import type { RuleSpec } from '../language/spec.ts'
import type { LabMarket } from '../market/session.ts'
import { findFurthestDte } from '../verdict/leg.ts'
import { readRunningMarket } from './readDesk.ts'
import { type LabSessionView, sessionView } from './sessionView.ts'

export type ViewQuestion = {
  readonly manifest: PublishedManifest
  /** Null: the minutes alone. */
  readonly spec: RuleSpec | null
  /** Newest minute that may be shown, a minute of the ET day. */
  readonly untilMinute: number
}

/** Sessions cached in memory, a few MB each. */
const CACHED_MARKETS_MAX = 4

export default serveThread<ViewQuestion, LabSessionView | null>(dataFolder => {
  const markets = new LRUCache<string, LabMarket>({ max: CACHED_MARKETS_MAX })
  const buildKey = ({ manifest, spec }: ViewQuestion) =>
    `${manifest.session_date} ${manifest.revision} ${spec ? findFurthestDte(spec) : 0}`
  const readCachedMarket = async (question: ViewQuestion): Promise<LabMarket | null> => {
    const { manifest, spec } = question
    const key = buildKey(question)
    const known = markets.get(key)
    if (known) return known
    const dte = spec ? findFurthestDte(spec) : 0
    const market = await readRunningMarket(dataFolder as string, manifest, dte)
    if (market) markets.set(key, market)
    return market
  }
  return {
    respond: async question => {
      try {
        const market = await readCachedMarket(question)
        return market && sessionView(market, question.spec, question.untilMinute)
      } catch (error) {
        // a later read found damage: the session is read again on the next request
        markets.delete(buildKey(question))
        throw error
      }
    },
  }
})
