import { planAt } from '../accounts/products.ts'
import type { LabOffers } from '../platform/http/labOffers.ts'
import { type ChatDeps, chat, type LabRequester, state, thread } from './ask.ts'
import { vocabulary } from './language/vocabulary.ts'
import { parseChat } from './parseChat.ts'
import type { LabResult } from './result.ts'
import { parseAction, parseRun } from './runs/parseRuns.ts'
import { act, awaitRun, beginRun, type RunDeps } from './runs/queryRuns.ts'

/** LAB's queries offered to other areas, on behalf of an account. */
export function labOffers(deps: RunDeps & ChatDeps): LabOffers {
  const { accounts, nowMs } = deps
  const findRequester = async (accountId: string): Promise<LabRequester> => {
    const found = await accounts.findAccount(accountId)
    const plan = found ? planAt(found.products, 'lab', nowMs()) : null
    return { accountId, monthlyCredits: plan?.monthlyCredits ?? null }
  }
  return {
    labWords: () => {
      const { structures, slots, conditions, examples, limits } = vocabulary()
      return { structures, slots, conditions, examples, limits }
    },
    labState: async accountId => state(deps, await findRequester(accountId)),
    labChat: async (accountId, message) => {
      const requester = await findRequester(accountId)
      const reply = await chat(deps, requester, parseChat(JSON.stringify(message)))
      return {
        kind: reply.kind,
        say: reply.say,
        id: reply.kind === 'spec' ? reply.idea.id : (reply.id ?? null),
        missing: reply.kind === 'chat' ? reply.missing : [],
        unread: reply.kind === 'error' ? reply.unread.map(({ text }) => text) : [],
      }
    },
    labThread: async (accountId, id) =>
      (await thread(deps, await findRequester(accountId), id)).messages,
    labRun: async (accountId, run, signal) => {
      const requester = await findRequester(accountId)
      const begun = await beginRun(deps, requester, parseRun(JSON.stringify(run)), null)
      const ended = await awaitRun(deps, begun.run, { waitMs: null, signal })
      return { job: begun.run.id, isDone: ended !== null }
    },
    labResult: async (accountId, id) => {
      // fails with 404 when there is no such idea
      await thread(deps, await findRequester(accountId), id)
      const run =
        (await accounts.lab.findDone(accountId, id, 'quant')) ??
        (await accounts.lab.findDone(accountId, id, 'backtest'))
      if (!run) return null
      return JSON.parse((await accounts.lab.readResult(accountId, run.id))!) as LabResult
    },
    labAct: async (accountId, action) => {
      const requester = await findRequester(accountId)
      const { idea } = await act(deps, requester, parseAction(JSON.stringify(action)))
      return { stage: idea?.stage ?? null }
    },
  }
}
