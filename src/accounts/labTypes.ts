import type { ChangeResponse, Repeat } from './repeats.ts'

/** What is kept of LAB for an account, and what can be asked of it. */

export type IdeaStage = 'rule' | 'tested' | 'ready' | 'desk'

/** A rule that an idea is or was. */
export type IdeaVersion = {
  readonly version: number
  /** The version before; null: there is none. */
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
  /** JSON of what is understood while a question is open. */
  readonly draft: string | null
  /** The slots that are open. */
  readonly missing: readonly string[]
  /** Of the desk: whether it runs each minute, what charts draw of it, where it is told. */
  readonly isOn: boolean
  readonly draw: 'off' | 'levels' | 'trades'
  readonly alert: 'off' | 'telegram' | 'email' | 'webhook'
}

/** An idea of the desk that is on: its rule runs each minute. */
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

/** What a message makes of an idea. */
export type IdeaChange = {
  /** Null: the idea is as it was, or none is begun. */
  readonly idea: {
    readonly name: string
    /** A new rule, `back` to the version before, or null: the rule stays. */
    readonly rule: Pick<IdeaVersion, 'spec' | 'ruleHash' | 'say'> | 'back' | null
    readonly draft: string | null
    readonly missing: readonly string[]
  } | null
  /** What was said, in order; kept with the idea where there is one. */
  readonly messages: readonly Omit<IdeaMessage, 'n' | 'atMs' | 'version' | 'ruleHash'>[]
}

export type IdeaChat<Decision extends IdeaChange> = {
  readonly accountId: string
  /** Null begins an idea. */
  readonly ideaId: string | null
  readonly atMs: number
  /**
   * Decides what becomes of the idea; `before` is the rule that undo would go back to. Is called
   * outside of any transaction, and again when the idea changed in the meantime.
   */
  readonly decide: (
    idea: StoredIdea | null,
    before: IdeaVersion | null,
  ) => Decision | Promise<Decision>
}

/** Credits of an account, whole numbers. */
export type CreditBalance = { readonly monthly: number; readonly purchased: number }

export type CreditAudit = {
  readonly lines: number
  readonly events: number
  /** Events whose lines do not sum to 0, as `account event ref`. */
  readonly unbalanced: readonly string[]
  /** Accounts that have less than nothing. */
  readonly overdrawn: readonly string[]
}

/** What can be asked of the ideas and credits of LAB. */
export type LabStore = {
  /** The ideas that are on, of all accounts that hold the product at an instant. */
  readonly listDeskIdeas: (atMs: number) => Promise<DeskIdea[]>
  /** Ideas that are not deleted, oldest first. */
  readonly listIdeas: (accountId: string) => Promise<StoredIdea[]>
  /** Null when the account has no such idea, whoever else has. */
  readonly findIdea: (accountId: string, id: string) => Promise<StoredIdea | null>
  readonly listMessages: (ideaId: string) => Promise<IdeaMessage[]>
  /**
   * Takes a message: what is decided on an idea is written only where the idea is as it was. Any
   * message on an idea puts it back to the stage `rule`. Null where the account has no such idea.
   * Fails with `LabFull` before anything is decided, and with `LabBusy`.
   */
  readonly chat: <Decision extends IdeaChange>(
    chat: IdeaChat<Decision>,
  ) => Promise<{ readonly decision: Decision; readonly idea: StoredIdea | null } | null>
  /**
   * Takes a message as `chat` does, once however often it is sent: the same request has the same
   * answer. `reused` where its key came with another request before.
   */
  readonly chatOnce: <Decision extends IdeaChange>(
    chat: IdeaChat<Decision> & {
      readonly repeat: Repeat
      readonly formatResponse: (decision: Decision, idea: StoredIdea | null) => string
    },
  ) => Promise<ChangeResponse | 'reused' | null>
  /**
   * What an account has at an instant. The first call of an ET month ends what is left of the last
   * one's credits and gives those of the plan; `monthly` is null without one.
   */
  readonly balance: (query: {
    accountId: string
    atMs: number
    monthly: number | null
  }) => Promise<CreditBalance>
  /** Adds bought credits once for each `ref`; false: they were added before, or no such account. */
  readonly addCredits: (added: {
    accountId: string
    credits: number
    ref: string
    atMs: number
  }) => Promise<'added' | 'known' | 'no_account'>
  readonly auditCredits: () => Promise<CreditAudit>
}

/** Ideas that an account may keep. */
export const IDEAS_MAX = 200
/** Messages that an idea keeps, of both sides. */
export const IDEA_MESSAGES_MAX = 1_000
