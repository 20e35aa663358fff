import type { Repeat } from '../../accounts/repeats.ts'
import type { IdeaStage, IdeaVersion, StoredIdea } from './types.ts'

/** Stored runs of LAB, and their queries. */

export type RunKind = 'backtest' | 'quant' | 'struct'
export type RunState = 'queued' | 'running' | 'done' | 'failed'

/** Runs that may wait for the engine, of all accounts and of one. */
export const WAITING_MAX = 32
export const WAITING_OF_ACCOUNT_MAX = 8
/** Maximum starts of a run: one more if the server that computed it died. */
export const RUN_ATTEMPTS_MAX = 2
/** Lease of a worker without a heartbeat. */
export const RUN_LEASE_MS = 30_000

/** Number of tests of an idea, and of all of its family; the run itself counts. */
export type Lineage = {
  readonly versions: number
  /** Computed rules, variants included. */
  readonly trials: number
  /** Rules judged on the sealed sessions. */
  readonly looks: number
  readonly familyTrials: number
  readonly familyLooks: number
}

/** Kind of sessions: published by a market, or simulated. */
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
  /** Kind of sessions of those two; null: none yet, or not recorded. */
  readonly sealedKind: SessionKind | null
  readonly progress: { readonly done: number; readonly total: number }
  readonly error: string | null
  /** True when the engine refused the rule. */
  readonly isRefusal: boolean
  readonly isRefunded: boolean
  readonly worker: string | null
  readonly attempts: number
  /** Newest sealed session; null: none is, or it is not done. */
  readonly sealedTo: string | null
  readonly createdAtMs: number
  readonly endedAtMs: number | null
  /** Of the file of its trades; null until it is done. */
  readonly tradesSha256: string | null
  /** JSON of the few figures that lists show; null until it is done. */
  readonly summary: string | null
}

/** Request for a run: of an idea, or of a rule alone. */
export type RunStart = {
  readonly accountId: string
  readonly atMs: number
  readonly repeat: Repeat | null
  /** JSON. */
  readonly assume: string
  /** True when two rules, as JSON, are of one family: looks at them count together. */
  readonly areRelated: (spec: string, other: string) => boolean
} & (
  | {
      readonly kind: 'backtest' | 'quant'
      readonly ideaId: string
      /** Idea to drop first when it holds the conveyor; null or absent: none. */
      readonly drop?: string | null
    }
  | { readonly kind: 'struct'; readonly rule: RunRule }
)

/** Reason why an idea cannot be changed: another one, or its own job, holds the conveyor. */
export type ConveyorHeld = {
  readonly kind: 'held'
  readonly holder: string
  readonly job: string | null
}
export type OutOfOrder = { readonly kind: 'out_of_order'; readonly stage: IdeaStage }

/** Reason why a run is not started. */
export type StartRefused =
  | ConveyorHeld
  | OutOfOrder
  /** `full`: too many wait. */
  | { readonly kind: 'no_credits' | 'no_idea' | 'no_rule' | 'full' }

export type RunStarted =
  /** `replayed`: the same request started it earlier. */
  | { readonly kind: 'started' | 'replayed'; readonly run: StoredRun }
  | StartRefused
  /** The key of the request came with another one. */
  | { readonly kind: 'reused' }

/** All that a run found, for the time when its sealed sessions are opened. */
export type SealedRun = {
  /** Newest sealed session. */
  readonly to: string
  /** JSON of the whole result. */
  readonly whole: string
  /** Key of the file with all of its trades, hex. */
  readonly tradesKey: string
}

export type RunEnd =
  | {
      readonly state: 'done'
      readonly result: string
      readonly summary: string
      readonly tradesSha256: string
      readonly variants: number
      /** Fixed for good by the first test; null where there is no sealed part. */
      readonly holdoutFrom: string | null
      readonly testedTo: string
      readonly testedKind: SessionKind
      /** Null: nothing is sealed. */
      readonly sealed: SealedRun | null
    }
  | { readonly state: 'failed'; readonly error: string; readonly isRefusal: boolean }

/** Settings of a desk idea: none changes the rule. */
export type IdeaSettings = Pick<StoredIdea, 'isOn' | 'draw' | 'alert'>

export type IdeaAction =
  | 'desk'
  | 'drop'
  | 'delete'
  | { readonly set: Partial<IdeaSettings> }
  /** Opens the sealed sessions of a desk idea; the newest session that anyone may know of by now. */
  | { readonly open: string }

export type IdeaChanged =
  /** Null: it is deleted. */
  | { readonly kind: 'changed'; readonly idea: StoredIdea | null }
  | { readonly kind: 'no_idea' }
  | ConveyorHeld
  | OutOfOrder

export type LabRunStore = {
  /** Changes stage, conveyor, credit and run in one transaction, or changes nothing. */
  readonly startRun: (start: RunStart) => Promise<RunStarted>
  /** Gives a worker the longest-waiting run, of the accounts with the fewest in progress. */
  readonly claimRun: (claim: {
    worker: string
    atMs: number
    /** The only run to claim; default: any. */
    only?: string | undefined
  }) => Promise<StoredRun | null>
  /** Renews the lease; false when the run has ended, or another worker holds it. */
  readonly extendLease: (lease: {
    id: string
    worker: string
    atMs: number
    progress: { readonly done: number; readonly total: number }
  }) => Promise<boolean>
  /** Releases a run: it is started once more, or fails. */
  readonly leaveRun: (left: { id: string; worker: string }) => Promise<void>
  /**
   * Ends a run with its stage, and with a refund when it failed; the first caller wins. Returns the
   * run as it is now, which another caller may have ended; null when there is no such run. A given
   * worker ends it only while it holds the run.
   */
  readonly endRun: (ended: {
    id: string
    worker: string | null
    atMs: number
    end: RunEnd
  }) => Promise<StoredRun | null>
  /** Runs that are queued or running. */
  readonly openRuns: () => Promise<StoredRun[]>
  /** Runs whose workers died as often as allowed. */
  readonly lapsedRuns: (atMs: number) => Promise<StoredRun[]>
  /** Null when the account has no such run, even if another one does. */
  readonly findRun: (accountId: string, id: string) => Promise<StoredRun | null>
  /** The newest completed run of an idea of a kind. */
  readonly findDone: (
    accountId: string,
    ideaId: string,
    kind: 'backtest' | 'quant',
  ) => Promise<StoredRun | null>
  /**
   * JSON of a run's result; null until it is done. The whole one once its idea is on the desk and
   * its sealed sessions are opened.
   */
  readonly readResult: (accountId: string, id: string) => Promise<string | null>
  /** Key of the file with all trades of a run, hex; null while some are sealed, or none ever were. */
  readonly findTradesKey: (accountId: string, id: string) => Promise<string | null>
  /** Rules that an account computed without an idea, newest first: one page, and the total. */
  readonly listStructs: (
    accountId: string,
    some: { readonly start: number; readonly count: number },
  ) => Promise<{ readonly total: number; readonly runs: StoredRun[] }>
  /** Completed runs of the current rules of an account's ideas, newest first. */
  readonly listDone: (accountId: string) => Promise<StoredRun[]>
  /** Holder of the conveyor, and the open run of an idea. */
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
