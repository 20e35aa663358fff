import type { ChangeResponse, Repeat } from '../accounts/repeats.ts'
import { ApiError } from '../platform/http/error.ts'
import { labError } from './errors.ts'
import { changesBetween } from './language/changes.ts'
import { type DialogReply, type IdeaSoFar, reply } from './language/dialog.ts'
import { EMPTY_DRAFT, type RuleDraft } from './language/draft.ts'
import { MESSAGE_MAX } from './language/read.ts'
import { canonicalJson, ruleHash } from './language/spec.ts'
import type { LabVocabulary } from './language/vocabulary.ts'
import type { MessageAdmission } from './messageAdmission.ts'
import type { Model } from './model/client.ts'
import {
  ACCEPT_QUESTION,
  decideProposal,
  type ModelProposal,
  type ProposalDraft,
  proposeRule,
  readProposal,
  sayProposal,
  writeProposal,
} from './model/proposal.ts'
import type { ChatMessage } from './parseChat.ts'
import type { LabResult } from './result.ts'
import { noSuchIdea } from './runs/refusals.ts'
import type { ChatReply, LabState, LabThread } from './schema.ts'
import { LabBusy, LabFull } from './store/chat.ts'
import type { LabAccounts } from './store/store.ts'
import type { IdeaChange, IdeaVersion, StoredIdea } from './store/types.ts'
import { balanceWire, formatIdeaName, ideaWire, jobWire, messageWire, parseSpec } from './wire.ts'

/** Queries of LAB for programs acting for an account; each fails as the LAB API does. */
export type LabAsk = {
  /** The whole vocabulary of the language. */
  readonly readVocabulary: () => LabVocabulary
  /** Ideas, conveyor and credits of an account. */
  readonly readState: (accountId: string) => Promise<LabState>
  /** Takes a message. */
  readonly chat: (
    accountId: string,
    message: { readonly message: string; readonly id: string | null },
  ) => Promise<ChatReply>
  /** Messages on an idea, oldest first. */
  readonly readThread: (accountId: string, id: string) => Promise<LabThread['messages']>
  /**
   * Tests an idea for a credit, and waits until it ends or a signal aborts; then it still runs.
   * Fails also when the test failed.
   */
  readonly run: (
    accountId: string,
    run: { readonly id: string; readonly kind: 'backtest' | 'quant'; readonly drop?: string },
    signal: AbortSignal,
  ) => Promise<{ readonly job: string; readonly isDone: boolean }>
  /** The newest result of an idea, of its variants if it has any; null: not tested. */
  readonly readResult: (accountId: string, id: string) => Promise<LabResult | null>
  /** Puts an idea on the desk, drops, deletes or sets it. */
  readonly act: (
    accountId: string,
    action: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly stage: string | null }>
}

export type { LabResult }

export type LabDeps = {
  readonly accounts: LabAccounts
  readonly nowMs: () => number
  /** Language model that proposes rules for what was not understood; absent or null: none. */
  readonly model?: Model | null
}

export type ChatDeps = LabDeps & { readonly admission: MessageAdmission }

/** The calling account and the monthly credits of its plan; null without a monthly allowance. */
export type LabRequester = { readonly accountId: string; readonly monthlyCredits: number | null }

/**
 * Replies to a message and stores the result on its idea. Fails with 402 for an account without
 * credits, 404 for an idea it does not own, and 429 for too many messages.
 */
export async function chat(
  deps: ChatDeps,
  requester: LabRequester,
  input: ChatMessage,
): Promise<ChatReply> {
  const { taken } = await chatOnce(deps, requester, input, null)
  return JSON.parse(taken!.response) as ChatReply
}

/** Outcome of a message, with the headers that state how many messages the account has left. */
type Counted = {
  readonly taken: ChangeResponse | null
  readonly headers: Record<string, string>
}

/**
 * Like `chat`, with a JSON response: a message repeated with its idempotency key is processed once.
 * Null when the key was used for another message. The message is counted and parsed only after
 * admission, and outside of any transaction. Fails as `chat` does.
 */
export async function chatOnce(
  deps: ChatDeps,
  requester: LabRequester,
  { message, id = null }: ChatMessage,
  repeat: Repeat | null,
): Promise<Counted> {
  const { accounts, nowMs, admission, model = null } = deps
  const { accountId } = requester
  const { total } = await balance(deps, requester)
  if (total <= 0) throw labError('no_credits', {})
  let counted: Record<string, string> | null = null
  const decideWhenAdmitted = async (idea: StoredIdea | null, before: IdeaVersion | null) => {
    counted ??= await admission.count(accountId)
    await admission.begin(accountId)
    const proposed = readProposal(idea?.draft ?? null)
    const decision = proposed && decideProposal(message)
    if (decision) return onProposal(decision, message, proposed, idea!)
    const stored = idea && proposed ? { ...idea, ...proposed.base } : idea
    const decided = decide(message, stored, before)
    return model ? ((await propose(model, message, stored, decided)) ?? decided) : decided
  }
  const taken = await admission.queue(accountId, () =>
    refusing(() =>
      accounts.lab.chat({
        accountId,
        ideaId: id,
        atMs: nowMs(),
        repeat,
        decide: decideWhenAdmitted,
        formatResponse: (decision, idea) => JSON.stringify(toChatReply(decision, idea)),
      }),
    ),
  )
  if (taken === 'no_idea') throw noSuchIdea(id!)
  return { taken, headers: counted ?? {} }
}

/** Returns the messages of an idea. Fails with 404 for an idea the account does not own. */
export async function thread(
  { accounts }: LabDeps,
  { accountId }: LabRequester,
  id: string,
): Promise<LabThread> {
  const idea = await accounts.lab.findIdea(accountId, id)
  if (!idea) throw noSuchIdea(id)
  return { id, messages: (await accounts.lab.listMessages(id)).map(messageWire) }
}

/** Returns the ideas of an account, its idea on the conveyor, and its credits. */
export async function state(deps: LabDeps, requester: LabRequester): Promise<LabState> {
  const { lab } = deps.accounts
  const { accountId } = requester
  const [ideas, done, { holder, run }] = await Promise.all([
    lab.listIdeas(accountId),
    lab.listDone(accountId),
    lab.conveyor(accountId),
  ])
  return {
    ideas: ideas.map(idea => ideaWire(idea, done)),
    conveyor: holder,
    balance: await balance(deps, requester),
    ...(run ? { job: jobWire(run) } : {}),
  }
}

async function balance({ accounts, nowMs }: LabDeps, { accountId, monthlyCredits }: LabRequester) {
  const query = { accountId, atMs: nowMs(), monthly: monthlyCredits }
  return balanceWire(await accounts.lab.balance(query))
}

/** Translates a refusal by the store into the API's error. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof LabFull) throw labError('invalid', { message: error.message })
    if (!(error instanceof LabBusy)) throw error
    const headers = { 'retry-after': '1' }
    throw new ApiError('unavailable', { message: error.message, headers })
  }
}

const soFar = ({ current, draft, missing }: StoredIdea): IdeaSoFar => ({
  spec: current ? parseSpec(current) : null,
  draft: draft === null ? null : (JSON.parse(draft) as RuleDraft),
  missing,
})

type Decided = IdeaChange & {
  readonly reply: DialogReply
  /** Changes that an undo reverted. */
  readonly changed: Extract<ChatReply, { kind: 'spec' }>['changed'] | null
  /** Rule that a model proposes; absent or null: none. */
  readonly proposal?: ModelProposal | null
}

/** Decides how a message changes an idea, and the reply. */
function decide(message: string, stored: StoredIdea | null, before: IdeaVersion | null): Decided {
  const idea = stored ? soFar(stored) : null
  const replied = reply(message, idea)
  if (replied.kind === 'undo') return undone(replied, message, stored, before)
  const messages = buildMessages(message, replied)
  const same = { reply: replied, changed: null, messages: messages }
  if (replied.kind === 'spec') {
    const { spec, say } = replied
    const rule = { spec: canonicalJson(spec), ruleHash: ruleHash(spec), say }
    return { ...same, idea: { name: formatIdeaName(spec), rule, draft: null, missing: [] } }
  }
  if (replied.kind === 'error' || replied.draft === null) return { ...same, idea: null }
  const name = idea?.spec ? formatIdeaName(idea.spec) : `Unfinished: ${message.slice(0, 60)}`
  const missing = replied.missing.map(({ slot }) => slot)
  const draft = JSON.stringify(replied.draft)
  return { ...same, idea: { name, rule: null, draft, missing } }
}

/** Proposal of a model for a message that was not understood; null: the decision stays. */
async function propose(
  model: Model,
  message: string,
  stored: StoredIdea | null,
  decided: Decided,
): Promise<Decided | null> {
  const { reply: plain } = decided
  // what the language refuses, such as other markets, no model allows
  if ((plain.kind !== 'error' && plain.kind !== 'chat') || plain.unread.length === 0) return null
  if (plain.kind === 'chat' && plain.proposed) return null
  const errors = plain.kind === 'error' ? plain.errors : []
  if (!errors.every(error => error.startsWith('not understood'))) return null
  const before = stored?.current ? parseSpec(stored.current) : null
  const outcome = await proposeRule(model, message, { plain, before })
  if (!outcome) return null
  if (outcome.refused !== null) {
    const all = [...errors, outcome.refused]
    const { read, unread } = plain
    const say = `Not a rule: ${all.join('; ')}.`
    const refused = { kind: 'error' as const, read, unread, errors: all, say }
    return { ...decided, idea: null, reply: refused, messages: buildMessages(message, refused) }
  }
  const { proposal } = outcome
  const say = sayProposal(proposal)
  const missing = [ACCEPT_QUESTION]
  const asking = { kind: 'chat' as const, say, missing, draft: null, read: [], unread: [] }
  const base = { draft: stored?.draft ?? null, missing: stored?.missing ?? [] }
  const name = before ? formatIdeaName(before) : `Unfinished: ${message.slice(0, 60)}`
  return {
    ...decided,
    reply: asking,
    proposal,
    messages: buildMessages(message, asking),
    idea: {
      name,
      rule: null,
      draft: writeProposal({ proposal, base }),
      missing: missing.map(({ slot }) => slot),
    },
  }
}

/** Takes a proposed rule, or goes back to the idea as it was before. */
function onProposal(
  decision: 'yes' | 'no',
  message: string,
  { proposal, base }: ProposalDraft,
  { current }: StoredIdea,
): Decided {
  const { spec, say, changed, dropped } = proposal
  const read = [{ from: 0, to: message.length, field: 'words' }]
  if (decision === 'no') {
    const back = { kind: 'chat' as const, say: 'Then say it in other words.', missing: [], read }
    const replied = { ...back, draft: null, unread: [] }
    const name = current ? formatIdeaName(parseSpec(current)) : 'Unfinished'
    const draft = base.draft ?? (current ? null : JSON.stringify(EMPTY_DRAFT))
    const idea = { name, rule: null, draft, missing: [...base.missing] }
    return { reply: replied, changed: null, messages: buildMessages(message, replied), idea }
  }
  const left = dropped.map(({ text }) => text).join(' ')
  const taken = { field: 'words', value: left, why: 'left out, as accepted' }
  const assumptions = left === '' ? [] : [taken]
  const replied = { kind: 'spec' as const, spec, say, assumptions, changed, read }
  const rule = { spec: canonicalJson(spec), ruleHash: ruleHash(spec), say }
  const idea = { name: formatIdeaName(spec), rule, draft: null, missing: [] }
  return { reply: replied, changed: null, messages: buildMessages(message, replied), idea }
}

/** Drops an open question first; without one, restores the previous version of the rule. */
function undone(
  replied: DialogReply,
  message: string,
  stored: StoredIdea | null,
  before: IdeaVersion | null,
): Decided {
  const current = stored?.current ?? null
  const isOpen = stored?.draft !== null && stored?.draft !== undefined
  const target = isOpen ? current : before
  if (!target || !current) {
    const errors = ['there is nothing to undo']
    const nothing = {
      kind: 'error' as const,
      say: 'Not done: there is nothing to undo.',
      errors,
      unread: [],
      read: replied.read,
    }
    return { reply: nothing, changed: null, idea: null, messages: buildMessages(message, nothing) }
  }
  const spec = parseSpec(target)
  const back = {
    kind: 'spec' as const,
    spec,
    say: target.say,
    assumptions: [],
    read: replied.read,
    changed: changesBetween(parseSpec(current), spec),
  }
  return {
    reply: back,
    changed: back.changed,
    idea: { name: formatIdeaName(spec), rule: isOpen ? null : 'back', draft: null, missing: [] },
    messages: buildMessages(message, back),
  }
}

function buildMessages(message: string, replied: DialogReply): IdeaChange['messages'] {
  const none = { kind: null, missing: null, errors: null }
  const missing = replied.kind === 'chat' ? replied.missing.map(({ slot }) => slot) : null
  const errors = replied.kind === 'error' ? replied.errors : null
  return [
    { ...none, sender: 'you', text: message.slice(0, MESSAGE_MAX) },
    { sender: 'lab', text: replied.say, kind: replied.kind, missing, errors },
  ]
}

function toChatReply(
  { reply: replied, changed, proposal = null }: Decided,
  idea: StoredIdea | null,
): ChatReply {
  const { say } = replied
  const shared = { say, read: [...replied.read] }
  const named = idea ? { id: idea.id } : {}
  if (replied.kind === 'spec') {
    const { id, name, current } = idea!
    return {
      kind: 'spec',
      idea: { id, name, spec: replied.spec },
      ...shared,
      version: current!.version,
      rule_hash: current!.ruleHash,
      assumptions: [...replied.assumptions],
      changed: [...(changed ?? replied.changed)],
    }
  }
  if (replied.kind === 'error') {
    const { errors, unread } = replied
    return { kind: 'error', ...shared, ...named, errors: [...errors], unread: [...unread] }
  }
  const missing = replied.kind === 'chat' ? replied.missing : []
  const rows = missing.map(({ options, ...row }) => ({
    ...row,
    ...(options ? { options: [...options] } : {}),
  }))
  const { unread = [], proposed } = replied.kind === 'chat' ? replied : {}
  const own = proposed && {
    spec: proposed.spec,
    say: proposed.say,
    assumptions: [...proposed.assumptions],
    changed: [...proposed.changed],
  }
  const offered = proposal ? toProposalWire(proposal) : own
  return {
    kind: 'chat',
    ...shared,
    ...named,
    missing: rows,
    unread: [...(proposal?.dropped ?? unread)],
    ...(offered ? { proposal: offered } : {}),
  }
}

const toProposalWire = ({ spec, say, meanings, changed }: ModelProposal) => ({
  spec,
  say,
  assumptions: meanings.map(({ words, means }) => ({
    field: 'words',
    value: words,
    why: `read by the model as ${means}`,
  })),
  changed: [...changed],
})
