import { changesBetween, type RuleChange } from '../language/changes.ts'
import { type DialogReply, type IdeaSoFar, reply } from '../language/dialog.ts'
import type { Assumption } from '../language/draft.ts'
import type { QuestionRow } from '../language/questions.ts'
import type { ReadSpan } from '../language/read.ts'
import type { UnreadWord } from '../language/scan.ts'
import type { RuleSpec } from '../language/spec.ts'
import type { LabThread } from '../schema.ts'

type ThreadMessage = LabThread['messages'][number]

/** What a message was read as, and what was said of it beside the sentence that is kept. */
export type RereadMessage = {
  readonly read: readonly ReadSpan[]
  readonly unread: readonly UnreadWord[]
  readonly assumptions: readonly Assumption[]
  readonly changed: readonly RuleChange[]
  readonly missing: readonly QuestionRow[]
}

/** A message and its answer. */
export type Exchange = {
  readonly you: ThreadMessage
  readonly lab: ThreadMessage
  /** Null: read by other code, or too far behind the last rule to be read again. */
  readonly reread: RereadMessage | null
}

/** Messages that are read again to know what an idea was at the first that is shown. */
const BEHIND_MAX = 20

/** The first exchange that is not wanted, and the turn that each message is read in. */
type RereadOptions = { readonly to?: number; readonly acquire: () => Promise<void> }

/**
 * The exchanges of a thread from one of them on, each with what was understood. A thread keeps the
 * sentences alone; the same message on the same idea is read in the same way, so it is read again.
 */
export async function rereadExchanges(
  messages: readonly ThreadMessage[],
  from: number,
  { to, acquire }: RereadOptions,
): Promise<Exchange[]> {
  const all = listExchanges(messages)
  const start = startFor(all, from)
  const reread: Exchange[] = []
  let idea = start === 0 ? null : readIdea(all[start - 1]!.lab)
  for (const exchange of all.slice(start, to)) {
    await acquire()
    const result = idea === undefined ? null : readAgain(exchange, idea)
    idea = result ? result.next : readIdea(exchange.lab)
    reread.push({ ...exchange, reread: result?.reread ?? null })
  }
  return reread.slice(from - start)
}

/** How many exchanges a thread has. */
export const countExchanges = (messages: readonly ThreadMessage[]): number =>
  listExchanges(messages).length

type Pair = Pick<Exchange, 'you' | 'lab'>

const listExchanges = (messages: readonly ThreadMessage[]): Pair[] =>
  messages.flatMap((you, index) => {
    const lab = messages[index + 1]
    return you.from === 'you' && lab?.from === 'lab' ? { you, lab } : []
  })

/** The last place, not after `from`, at which it is known what the idea was. */
function startFor(all: readonly Pair[], from: number): number {
  for (let at = from; at > Math.max(0, from - BEHIND_MAX); at--) {
    if (all[at - 1]?.lab.kind === 'spec') return at
  }
  return from <= BEHIND_MAX ? 0 : from
}

/** The idea behind an answer that is a rule; undefined: the answer does not say. */
function readIdea({ kind, text }: ThreadMessage): IdeaSoFar | undefined {
  // a rule in words is read as the same rule
  const read = kind === 'spec' ? reply(text, null) : null
  return read?.kind === 'spec' ? withRule(read.spec) : undefined
}

const withRule = (spec: RuleSpec): IdeaSoFar => ({ spec, draft: null, missing: [] })

type Again = { readonly reread: RereadMessage; readonly next: IdeaSoFar | null | undefined }

function readAgain({ you, lab }: Pair, idea: IdeaSoFar | null): Again | null {
  const replied = reply(you.text, idea)
  const { read } = replied
  const nothing = { read, unread: [], assumptions: [], changed: [], missing: [] }
  if (replied.kind === 'undo') {
    const next = readIdea(lab)
    const changed = idea?.spec && next?.spec ? changesBetween(idea.spec, next.spec) : []
    return { reread: { ...nothing, changed }, next: next ?? idea }
  }
  if (replied.say !== lab.text) return null
  if (replied.kind === 'error') {
    return { reread: { ...nothing, unread: replied.unread }, next: idea }
  }
  if (replied.kind === 'spec') {
    const { assumptions, changed, spec } = replied
    return { reread: { ...nothing, assumptions, changed }, next: withRule(spec) }
  }
  const { missing } = replied
  return { reread: { ...nothing, missing }, next: withQuestion(replied, idea) }
}

function withQuestion(
  { draft, missing }: Extract<DialogReply, { kind: 'chat' }>,
  idea: IdeaSoFar | null,
): IdeaSoFar | null {
  if (!draft) return idea
  // as it is kept: what has no value is not there
  const storedDraft = JSON.parse(JSON.stringify(draft)) as typeof draft
  return { spec: idea?.spec ?? null, draft: storedDraft, missing: missing.map(({ slot }) => slot) }
}
