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
export type Retold = {
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
  readonly retold: Retold | null
}

/** Messages that are read again to know what an idea was at the first that is shown. */
const BEHIND_MAX = 20

/** The first exchange that is not wanted, and the turn that each message is read in. */
type Retelling = { readonly to?: number; readonly turn: () => Promise<void> }

/**
 * The exchanges of a thread from one of them on, each with what was understood. A thread keeps the
 * sentences alone; the same message on the same idea is read in the same way, so it is read again.
 */
export async function retell(
  messages: readonly ThreadMessage[],
  from: number,
  { to, turn }: Retelling,
): Promise<Exchange[]> {
  const all = exchangesOf(messages)
  const start = startFor(all, from)
  const retold: Exchange[] = []
  let idea = start === 0 ? null : ideaOf(all[start - 1]!.lab)
  for (const exchange of all.slice(start, to)) {
    await turn()
    const told = idea === undefined ? null : readAgain(exchange, idea)
    idea = told ? told.next : ideaOf(exchange.lab)
    retold.push({ ...exchange, retold: told?.retold ?? null })
  }
  return retold.slice(from - start)
}

/** How many exchanges a thread has. */
export const countExchanges = (messages: readonly ThreadMessage[]): number =>
  exchangesOf(messages).length

type Pair = Pick<Exchange, 'you' | 'lab'>

const exchangesOf = (messages: readonly ThreadMessage[]): Pair[] =>
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
function ideaOf({ kind, text }: ThreadMessage): IdeaSoFar | undefined {
  // a rule in words is read as the same rule
  const read = kind === 'spec' ? reply(text, null) : null
  return read?.kind === 'spec' ? withRule(read.spec) : undefined
}

const withRule = (spec: RuleSpec): IdeaSoFar => ({ spec, draft: null, missing: [] })

type Again = { readonly retold: Retold; readonly next: IdeaSoFar | null | undefined }

function readAgain({ you, lab }: Pair, idea: IdeaSoFar | null): Again | null {
  const replied = reply(you.text, idea)
  const { read } = replied
  const nothing = { read, unread: [], assumptions: [], changed: [], missing: [] }
  if (replied.kind === 'undo') {
    const next = ideaOf(lab)
    const changed = idea?.spec && next?.spec ? changesBetween(idea.spec, next.spec) : []
    return { retold: { ...nothing, changed }, next: next ?? idea }
  }
  if (replied.say !== lab.text) return null
  if (replied.kind === 'error') {
    return { retold: { ...nothing, unread: replied.unread }, next: idea }
  }
  if (replied.kind === 'spec') {
    const { assumptions, changed, spec } = replied
    return { retold: { ...nothing, assumptions, changed }, next: withRule(spec) }
  }
  const { missing } = replied
  return { retold: { ...nothing, missing }, next: withQuestion(replied, idea) }
}

function withQuestion(
  { draft, missing }: Extract<DialogReply, { kind: 'chat' }>,
  idea: IdeaSoFar | null,
): IdeaSoFar | null {
  if (!draft) return idea
  // as it is kept: what has no value is not there
  const kept = JSON.parse(JSON.stringify(draft)) as typeof draft
  return { spec: idea?.spec ?? null, draft: kept, missing: missing.map(({ slot }) => slot) }
}
