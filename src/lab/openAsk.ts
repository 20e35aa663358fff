import { planAt } from '../accounts/products.ts'
import { type ChatDeps, chat, type LabAsk, type LabRequester, state, thread } from './ask.ts'
import { vocabulary } from './language/vocabulary.ts'
import { parseChat } from './parseChat.ts'
import type { LabResult } from './result.ts'
import { parseAction, parseRun } from './runs/parseRuns.ts'
import { act, awaitRun, beginRun, type RunDeps } from './runs/queryRuns.ts'

/** LAB's queries for other areas, on behalf of an account. */
export function openLabAsk(deps: RunDeps & ChatDeps): LabAsk {
  const { accounts, nowMs } = deps
  const findRequester = async (accountId: string): Promise<LabRequester> => {
    const found = await accounts.findAccount(accountId)
    const plan = found ? planAt(found.products, 'lab', nowMs()) : null
    return { accountId, monthlyCredits: plan?.monthlyCredits ?? null }
  }
  return {
    readVocabulary: vocabulary,
    readState: async accountId => state(deps, await findRequester(accountId)),
    chat: async (accountId, message) =>
      chat(deps, await findRequester(accountId), parseChat(JSON.stringify(message))),
    readThread: async (accountId, id) =>
      (await thread(deps, await findRequester(accountId), id)).messages,
    run: async (accountId, run, signal) => {
      const requester = await findRequester(accountId)
      const begun = await beginRun(deps, requester, parseRun(JSON.stringify(run)), null)
      const ended = await awaitRun(deps, begun.run, { waitMs: null, signal })
      return { job: begun.run.id, isDone: ended !== null }
    },
    readResult: async (accountId, id) => {
      // fails with 404 when there is no such idea
      await thread(deps, await findRequester(accountId), id)
      const run =
        (await accounts.lab.findDone(accountId, id, 'quant')) ??
        (await accounts.lab.findDone(accountId, id, 'backtest'))
      if (!run) return null
      return JSON.parse((await accounts.lab.readResult(accountId, run.id))!) as LabResult
    },
    act: async (accountId, action) => {
      const requester = await findRequester(accountId)
      const { idea } = await act(deps, requester, parseAction(JSON.stringify(action)))
      return { stage: idea?.stage ?? null }
    },
  }
}
