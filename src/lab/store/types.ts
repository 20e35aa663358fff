import type { ChangeResponse, OneRequest } from '../../accounts/repeats.ts'

/** Stored data of LAB for an account, and its queries. */

export type IdeaStage = 'rule' | 'tested' | 'ready' | 'desk'

/** A current or earlier rule of an idea. */
export type IdeaVersion = {
  readonly version: number
  /** The previous version; null: none. */
  readonly parent: number | null
  /** JSON of the rule. */
  readonly spec: string
  readonly ruleHash: string
  readonly say: string
}

export type StoredIdea = {
  readonly id: string
  readonly name: string
  readonly stage: IdeaStage
  /** Null while it has no rule. */
  readonly current: IdeaVersion | null
  /** JSON of the draft while a question is open. */
  readonly draft: string | null
  /** The open slots. */
  readonly missing: readonly string[]
  /** Of a desk idea: true when it runs each minute, how charts draw it, where its alerts go. */
  readonly isOn: boolean
  readonly draw: 'off' | 'levels' | 'trades'
  readonly alert: 'off' | 'telegram' | 'email' | 'webhook'
}

/** A desk idea that is on: its rule runs each minute. */
export type DeskIdea = {
  readonly id: string
  readonly accountId: string
  readonly rule: Pick<IdeaVersion, 'spec' | 'ruleHash' | 'say'>
  readonly alert: StoredIdea['alert']
  readonly onSinceMs: number
}

export type IdeaMessage = {
  /** From 1 on. */
  readonly n: number
  readonly atMs: number
  readonly sender: 'you' | 'lab'
  readonly text: string
  readonly kind: string | null
  readonly version: number | null
  readonly ruleHash: string | null
  readonly missing: readonly string[] | null
  readonly errors: readonly string[] | null
}

/** Change that a message makes to an idea. */
export type IdeaChange = {
  /** Null: the idea is unchanged, or none is started. */
  readonly idea: {
    readonly name: string
    /** A new rule, `back` to the version before, or null: the rule stays. */
    readonly rule: Pick<IdeaVersion, 'spec' | 'ruleHash' | 'say'> | 'back' | null
    readonly draft: string | null
    readonly missing: readonly string[]
  } | null
  /** Messages in order; stored with the idea if there is one. */
  readonly messages: readonly Omit<IdeaMessage, 'n' | 'atMs' | 'version' | 'ruleHash'>[]
}

export type IdeaChat<Decision extends IdeaChange> = OneRequest & {
  /** Null starts an idea. */
  readonly ideaId: string | null
  /**
   * Decides the change of the idea; `before` is the rule that undo would go back to. Is called
   * outside of any transaction, and again when the idea changed in the meantime.
   */
  readonly decide: (
    idea: StoredIdea | null,
    before: IdeaVersion | null,
  ) => Decision | Promise<Decision>
  /** Formats the response; the idea is as written, null: none was started. */
  readonly formatResponse: (decision: Decision, idea: StoredIdea | null) => string
}

/** Credits of an account, whole numbers. */
export type CreditBalance = { readonly monthly: number; readonly purchased: number }

export type CreditAudit = {
  readonly lines: number
  readonly events: number
  /** Events whose lines do not sum to 0, as `account event ref`. */
  readonly unbalanced: readonly string[]
  /** Accounts with a negative balance. */
  readonly overdrawn: readonly string[]
}

/** Queries of the ideas and credits of LAB. */
export type LabStore = {
  /** Ideas that are on, of all accounts that hold the product at an instant. */
  readonly listDeskIdeas: (atMs: number) => Promise<DeskIdea[]>
  /** Ideas that are not deleted, oldest first. */
  readonly listIdeas: (accountId: string) => Promise<StoredIdea[]>
  /** Null when the account has no such idea, even if another one does. */
  readonly findIdea: (accountId: string, id: string) => Promise<StoredIdea | null>
  readonly listMessages: (ideaId: string) => Promise<IdeaMessage[]>
  /**
   * Processes a message, once however often it is repeated: the decision is written only if the
   * idea is unchanged. Any message on an idea returns it to the stage `rule`. `no_idea` when the
   * account has no such idea; null when the repeat's key came with another request. Fails with
   * `LabFull` before anything is decided, and with `LabBusy`.
   */
  readonly chat: <Decision extends IdeaChange>(
    chat: IdeaChat<Decision>,
  ) => Promise<ChangeResponse | 'no_idea' | null>
  /**
   * Balance of an account at an instant. The first call of an ET month expires the rest of last
   * month's credits and grants those of the plan; `monthly` is null without one.
   */
  readonly balance: (query: {
    accountId: string
    atMs: number
    monthly: number | null
  }) => Promise<CreditBalance>
  /** Adds bought credits once for each `ref`; false: added before, or no such account. */
  readonly addCredits: (added: {
    accountId: string
    credits: number
    ref: string
    atMs: number
  }) => Promise<'added' | 'known' | 'no_account'>
  readonly auditCredits: () => Promise<CreditAudit>
}

/** Maximum ideas of an account. */
export const IDEAS_MAX = 200
/** Maximum messages of an idea, both sides together. */
export const IDEA_MESSAGES_MAX = 1_000
