import type { IdeaStage, IdeaVersion, StoredIdea } from './labTypes.ts'
import type { Repeat } from './repeats.ts'

/** What is kept of the runs of LAB, and what can be asked of them. */

export type RunKind = 'backtest' | 'quant' | 'struct'
export type RunState = 'queued' | 'running' | 'done' | 'failed'

/** Runs that may wait for the engine, of all accounts and of one. */
export const WAITING_MAX = 32
export const WAITING_OF_ACCOUNT_MAX = 8
/** How often a run is begun: once more where the server that computed it died. */
export const RUN_ATTEMPTS_MAX = 2
/** How long a worker has a run without a sign of life. */
export const RUN_LEASE_MS = 30_000

/** How often an idea, and all of its family, were tried; the run itself counts. */
export type Lineage = {
  readonly versions: number
  /** Rules that were computed, variants too. */
  readonly trials: number
  /** Rules that were judged on the sealed sessions. */
  readonly looks: number
  readonly familyTrials: number
  readonly familyLooks: number
}

/** What sessions are: published of a market, or made up. */
export type SessionKind = 'real' | 'simulated'

export type RunRule = Pick<IdeaVersion, 'spec' | 'ruleHash' | 'say'>

export type StoredRun = {
  readonly id: string
  readonly accountId: string
  readonly ideaId: string | null
  readonly kind: RunKind
  readonly state: RunState
  readonly rule: RunRule
  /** JSON. */
  readonly assume: string
  readonly lineage: Lineage
  readonly holdoutFrom: string | null
  readonly firstTestedTo: string | null
  /** Which sessions those two are of; null: none yet, or nobody noted it. */
  readonly sealedKind: SessionKind | null
  readonly progress: { readonly done: number; readonly total: number }
  readonly error: string | null
  /** Whether the engine refused the rule. */
  readonly isRefusal: boolean
  readonly isRefunded: boolean
  readonly worker: string | null
  readonly attempts: number
  readonly createdAtMs: number
  readonly endedAtMs: number | null
  /** Of the file of its trades; null until it is done. */
  readonly tradesSha256: string | null
  /** JSON of the few figures that lists show; null until it is done. */
  readonly summary: string | null
}

/** A run that is asked for: of an idea, or of a rule alone. */
export type RunStart = {
  readonly accountId: string
  readonly atMs: number
  readonly repeat: Repeat | null
  /** JSON. */
  readonly assume: string
  /** What the trades of a rule are, by its JSON: of one leg or of two. */
  readonly listFamilies: (spec: string) => readonly [string, ...string[]]
} & (
  | { readonly kind: 'backtest' | 'quant'; readonly ideaId: string }
  | { readonly kind: 'struct'; readonly rule: RunRule }
)

/** Why an idea cannot be changed: another one, or its own job, holds the conveyor. */
export type ConveyorHeld = {
  readonly kind: 'held'
  readonly holder: string
  readonly job: string | null
}
export type OutOfOrder = { readonly kind: 'out_of_order'; readonly stage: IdeaStage }

export type RunStarted =
  /** `replayed`: the same request began it earlier. */
  | { readonly kind: 'started' | 'replayed'; readonly run: StoredRun }
  | ConveyorHeld
  | OutOfOrder
  /** `full`: too many wait; `reused`: the key of the request came with another one. */
  | { readonly kind: 'no_credits' | 'no_idea' | 'no_rule' | 'full' | 'reused' }

export type RunEnd =
  | {
      readonly state: 'done'
      readonly result: string
      readonly summary: string
      readonly tradesSha256: string
      readonly variants: number
      /** What the first test fixes for good; null where there is no sealed part. */
      readonly holdoutFrom: string | null
      readonly testedTo: string
      readonly testedKind: SessionKind
    }
  | { readonly state: 'failed'; readonly error: string; readonly isRefusal: boolean }

/** What is done to an idea of the desk: nothing of it changes the rule. */
export type IdeaSettings = Pick<StoredIdea, 'isOn' | 'draw' | 'alert'>

export type IdeaAction = 'desk' | 'drop' | 'delete' | { readonly set: Partial<IdeaSettings> }

export type IdeaChanged =
  /** Null: it is deleted. */
  | { readonly kind: 'changed'; readonly idea: StoredIdea | null }
  | { readonly kind: 'no_idea' }
  | ConveyorHeld
  | OutOfOrder

export type LabRunStore = {
  /** Takes stage, conveyor, a credit and the run in one transaction, or changes nothing. */
  readonly startRun: (start: RunStart) => Promise<RunStarted>
  /** Gives a worker the run that waits longest, of the accounts with the fewest under way. */
  readonly claimRun: (claim: {
    worker: string
    atMs: number
    /** The only run that it takes; left out, any. */
    only?: string | undefined
  }) => Promise<StoredRun | null>
  /** Prolongs the lease; false where the run has ended, or is another worker's by now. */
  readonly extendLease: (lease: {
    id: string
    worker: string
    atMs: number
    progress: { readonly done: number; readonly total: number }
  }) => Promise<boolean>
  /** Gives a run back: it is begun once more, or fails. */
  readonly leaveRun: (left: { id: string; worker: string }) => Promise<void>
  /**
   * Ends a run with its stage, and with its refund where it failed: once, by who is first. Answers
   * what it is now, which others may have said; null where there is no such run. A worker that is
   * given ends it only while the run is its own.
   */
  readonly endRun: (ended: {
    id: string
    worker: string | null
    atMs: number
    end: RunEnd
  }) => Promise<StoredRun | null>
  /** Runs that are queued or running. */
  readonly openRuns: () => Promise<StoredRun[]>
  /** Runs whose workers died as often as they may. */
  readonly lapsedRuns: (atMs: number) => Promise<StoredRun[]>
  /** Null where the account has no such run, whoever else has. */
  readonly findRun: (accountId: string, id: string) => Promise<StoredRun | null>
  /** The newest run of an idea of a kind that is done. */
  readonly findDone: (
    accountId: string,
    ideaId: string,
    kind: 'backtest' | 'quant',
  ) => Promise<StoredRun | null>
  /** JSON of what a run answered; null until it is done. */
  readonly readResult: (accountId: string, id: string) => Promise<string | null>
  /** Rules that an account computed by themselves, newest first: some of them, and how many. */
  readonly listStructs: (
    accountId: string,
    some: { readonly start: number; readonly count: number },
  ) => Promise<{ readonly total: number; readonly runs: StoredRun[] }>
  /** Runs that are done of the rules that the ideas of an account have now, newest first. */
  readonly listDone: (accountId: string) => Promise<StoredRun[]>
  /** Who holds the conveyor, and the run of an idea that is under way. */
  readonly conveyor: (
    accountId: string,
  ) => Promise<{ readonly holder: string | null; readonly run: StoredRun | null }>
  readonly changeIdea: (change: {
    accountId: string
    ideaId: string
    action: IdeaAction
    atMs: number
  }) => Promise<IdeaChanged>
}
