import { changesBetween, type RuleChange } from '../language/changes.ts'
import { type DialogReply, type IdeaSoFar, reply } from '../language/dialog.ts'
import type { Assumption } from '../language/draft.ts'
import type { QuestionRow } from '../language/questions.ts'
import type { ReadSpan } from '../language/read.ts'
import type { UnreadWord } from '../language/scan.ts'
import type { RuleSpec } from '../language/spec.ts'
import type { LabThread } from '../schema.ts'

type ThreadMessage = LabThread['messages'][number]

/** Parsed words of a message, and details of its reply besides the stored sentence. */
export type RereadMessage = {
  readonly read: readonly ReadSpan[]
  readonly unread: readonly UnreadWord[]
  readonly assumptions: readonly Assumption[]
  readonly changed: readonly RuleChange[]
  readonly missing: readonly QuestionRow[]
}

/** A message and its reply. */
export type Exchange = {
  readonly you: ThreadMessage
  readonly lab: ThreadMessage
  /** Null: read by other code, or too far after the last rule to be read again. */
  readonly reread: RereadMessage | null
}

/** Maximum number of messages to read again to restore the idea at the first one shown. */
const BEHIND_MAX = 20

/** End of the wanted exchanges, and the admission before each message is read. */
type RereadOptions = { readonly to?: number; readonly acquire: () => Promise<void> }

/**
 * Returns the exchanges of a thread from an index on, each with its parsed meaning. A thread stores
 * only the sentences; reading is deterministic, so they are read again.
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

/** Counts the exchanges of a thread. */
export const countExchanges = (messages: readonly ThreadMessage[]): number =>
  listExchanges(messages).length

type Pair = Pick<Exchange, 'you' | 'lab'>

const listExchanges = (messages: readonly ThreadMessage[]): Pair[] =>
  messages.flatMap((you, index) => {
    const lab = messages[index + 1]
    return you.from === 'you' && lab?.from === 'lab' ? { you, lab } : []
  })

/** Last index, not after `from`, at which the state of the idea is known. */
function startFor(all: readonly Pair[], from: number): number {
  for (let at = from; at > Math.max(0, from - BEHIND_MAX); at--) {
    if (all[at - 1]?.lab.kind === 'spec') return at
  }
  return from <= BEHIND_MAX ? 0 : from
}

/** Parses the idea from a reply that states a rule; undefined for other replies. */
function readIdea({ kind, text }: ThreadMessage): IdeaSoFar | undefined {
  // a rule in words parses to the same rule
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
  const { missing, unread, proposed } = replied
  const { assumptions = [], changed = [] } = proposed ?? {}
  return {
    reread: { ...nothing, missing, unread, assumptions, changed },
    next: withQuestion(replied, idea),
  }
}

function withQuestion(
  { draft, missing }: Extract<DialogReply, { kind: 'chat' }>,
  idea: IdeaSoFar | null,
): IdeaSoFar | null {
  if (!draft) return idea
  // round trip through JSON, as stored: drops undefined values
  const storedDraft = JSON.parse(JSON.stringify(draft)) as typeof draft
  return { spec: idea?.spec ?? null, draft: storedDraft, missing: missing.map(({ slot }) => slot) }
}
