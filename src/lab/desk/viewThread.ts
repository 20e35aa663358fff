/**
 * The thread in which sessions are read and replayed for pictures: it takes a moment, which would
 * hold up every other call.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { answerOn } from '../../fair/thread.ts'
import type { PublishedManifest } from '../../published/manifest.ts'
import type { RuleSpec } from '../language/spec.ts'
import type { LabMarket } from '../market/session.ts'
import { furthestOf } from '../verdict/leg.ts'
import { readDesk } from './readDesk.ts'
import { type DeskView, sessionView } from './sessionView.ts'

export type ViewQuestion = {
  readonly manifest: PublishedManifest
  /** Null: the minutes alone. */
  readonly spec: RuleSpec | null
  /** The newest minute that may be told, a minute of the ET day. */
  readonly untilMinute: number
}

/** Sessions in memory, a few MB each. */
const MARKETS_KEPT = 4

if (parentPort !== null) {
  const dataFolder = workerData as string
  const markets = new LRUCache<string, LabMarket>({ max: MARKETS_KEPT })
  // one after the other: each may open an engine
  const turns = new PQueue({ concurrency: 1 })
  const keyOf = ({ manifest, spec }: ViewQuestion) =>
    `${manifest.session_date} ${manifest.revision} ${spec ? furthestOf(spec) : 0}`
  const marketOf = async (question: ViewQuestion): Promise<LabMarket | null> => {
    const { manifest, spec } = question
    const key = keyOf(question)
    const known = markets.get(key)
    if (known) return known
    const market = await readDesk(dataFolder, manifest, spec ? furthestOf(spec) : 0)
    if (market) markets.set(key, market)
    return market
  }
  answerOn<ViewQuestion, DeskView | null>(parentPort, {
    answer: question =>
      turns.add(async () => {
        try {
          const market = await marketOf(question)
          return market && sessionView(market, question.spec, question.untilMinute)
        } catch (error) {
          // what is read of it later was damaged: it is read anew the next time
          markets.delete(keyOf(question))
          throw error
        }
      }),
    close: async () => {
      await turns.onIdle()
    },
  })
}
