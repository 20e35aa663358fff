// Ideas and ends of runs, for tests that compute nothing.

import type { RunEnd } from '../../src/lab/store/runTypes.ts'
import type { IdeaChange, IdeaChat, LabStore, StoredIdea } from '../../src/lab/store/types.ts'
import type { ServerStore } from '../../src/server/accountStore.ts'

export const FAILED: RunEnd = { state: 'failed', error: 'it broke.', isRefusal: false }

/** A run that found nothing in particular. */
export const doneEnd = (more: Partial<Extract<RunEnd, { state: 'done' }>> = {}): RunEnd => ({
  state: 'done',
  result: '{"legs":[]}',
  summary: '{}',
  tradesSha256: 'f'.repeat(64),
  variants: 1,
  holdoutFrom: '2026-06-01',
  testedTo: '2026-09-30',
  testedKind: 'simulated',
  sealed: null,
  ...more,
})

/** Sends a message that changes an idea as decided; null when the account has no such idea. */
export async function sendMessage(
  { chat }: Pick<LabStore, 'chat'>,
  message: Omit<IdeaChat<IdeaChange>, 'repeat' | 'formatResponse'>,
): Promise<{ readonly idea: StoredIdea | null } | null> {
  const formatResponse = (_: IdeaChange, idea: StoredIdea | null) => JSON.stringify({ idea })
  const taken = await chat({ ...message, repeat: null, formatResponse })
  return taken === 'no_idea' ? null : JSON.parse(taken!.response)
}

/** Stores an idea whose rule is a name, or that has none yet; returns its id. */
export async function keepIdea(
  store: ServerStore,
  accountId: string,
  name: string | null,
  ideaId: string | null = null,
): Promise<string> {
  // a name that is JSON is a whole rule
  const spec = name?.startsWith('{') ? name : `{"v":"${name}"}`
  const rule = name === null ? null : { spec, ruleHash: name, say: name }
  const idea = { name: name ?? 'open', rule, draft: name === null ? '{}' : null, missing: [] }
  const text = { sender: 'you', text: 'x', kind: null, missing: null, errors: null } as const
  const decide = () => ({ idea, messages: [text] })
  return (await sendMessage(store.lab, { accountId, ideaId, atMs: 1, decide }))!.idea!.id
}
