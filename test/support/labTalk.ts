import { type DialogReply, type IdeaSoFar, reply } from '../../src/lab/language/dialog.ts'
import type { RuleSpec } from '../../src/lab/language/spec.ts'

/** Reply to each message of a talk about one idea; stored values go through JSON. */
export function talkThrough(messages: readonly string[]): DialogReply[] {
  let idea: IdeaSoFar | null = null
  const before: RuleSpec[] = []
  return messages.map(message => {
    const response = reply(message, idea)
    if (response.kind === 'spec') {
      if (idea?.spec) before.push(idea.spec)
      idea = { spec: response.spec, draft: null, missing: [] }
    } else if (response.kind === 'chat' && response.draft) {
      const draft = JSON.parse(JSON.stringify(response.draft))
      idea = { spec: idea?.spec ?? null, draft, missing: response.missing.map(({ slot }) => slot) }
    } else if (response.kind === 'undo' && idea) {
      const spec = idea.draft ? idea.spec : (before.pop() ?? idea.spec)
      idea = { spec, draft: null, missing: [] }
    }
    return response
  })
}
