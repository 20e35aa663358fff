/**
 * Thread that judges positions: a request is a dozen engine steps, each of which would have to wait
 * for the event loop that serves all calls.
 */

import type { PublishedManifest } from '../data/published/manifest.ts'
import { serveThread } from '../platform/pool/thread.ts'
import { openCases } from './cases.ts'
import type { AnyCase, AnyResult, Lookback, LookbackResult } from './judged.ts'
import { openReplays } from './replays.ts'
import { createVerifiedReader } from './verifiedReader.ts'

/** Cases of one session, a replay, or a request to open both engines. */
export type JudgeQuestion =
  | { readonly session: PublishedManifest; readonly cases: readonly AnyCase[] }
  | { readonly replay: Lookback }
  | { readonly isWarmed: true }

export type JudgeResult = AnyResult[] | LookbackResult | null

export default serveThread<JudgeQuestion, JudgeResult>(workerData => {
  const dataFolder = workerData as string
  const reading = createVerifiedReader(dataFolder)
  const cases = openCases(dataFolder, reading)
  const replays = openReplays(dataFolder, reading)
  return {
    respond: async (question, signal) => {
      if ('cases' in question) return cases.judge(question.session, question.cases)
      if ('replay' in question) return replays.replay(question.replay, signal)
      await Promise.all([cases.open(), replays.open()])
      return null
    },
    close: async () => {
      await Promise.all([cases.close(), replays.close()])
    },
  }
})
