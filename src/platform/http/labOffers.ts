/**
 * Queries that LAB serves to programs acting for an account, by contract: values in, values out.
 */
export type LabOffers = {
  /** The whole vocabulary of the language, without the phrases themselves. */
  readonly labWords: () => OfferedLabWords
  /** Ideas, conveyor and credits of an account. */
  readonly labState: (accountId: string) => Promise<OfferedLabState>
  /** Takes a message; fails as the LAB API does. */
  readonly labChat: (
    accountId: string,
    message: { readonly message: string; readonly id: string | null },
  ) => Promise<OfferedLabReply>
  /** Messages on an idea, oldest first; fails as the LAB API does. */
  readonly labThread: (accountId: string, id: string) => Promise<readonly OfferedLabMessage[]>
  /**
   * Tests an idea for a credit, and waits until it ends or a signal aborts; then it still runs.
   * Fails as the LAB API does, also when the test failed.
   */
  readonly labRun: (
    accountId: string,
    run: { readonly id: string; readonly kind: OfferedLabKind },
    signal: AbortSignal,
  ) => Promise<{ readonly job: string; readonly isDone: boolean }>
  /** The newest result of an idea, of its variants if it has any; null: not tested. */
  readonly labResult: (accountId: string, id: string) => Promise<OfferedLabResult | null>
  /** Puts an idea on the desk, drops, deletes or sets it; fails as the LAB API does. */
  readonly labAct: (
    accountId: string,
    action: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly stage: string | null }>
}

export type OfferedLabKind = 'backtest' | 'quant'

export type OfferedLabWords = {
  readonly structures: readonly Readonly<Record<string, unknown>>[]
  readonly slots: readonly Readonly<Record<string, unknown>>[]
  readonly conditions: readonly Readonly<Record<string, unknown>>[]
  readonly examples: readonly string[]
  readonly limits: Readonly<Record<string, number>>
}

export type OfferedLabState = {
  readonly ideas: readonly {
    readonly id: string
    readonly name: string
    readonly stage: string
    readonly missing?: readonly string[] | undefined
  }[]
  readonly conveyor: string | null
  readonly balance: { readonly monthly: number; readonly purchased: number; readonly total: number }
}

export type OfferedLabReply = {
  readonly kind: 'spec' | 'chat' | 'error'
  readonly say: string
  /** Null: no idea was stored. */
  readonly id: string | null
  readonly missing: readonly { readonly slot: string; readonly ask: string }[]
  readonly unread: readonly string[]
}

export type OfferedLabMessage = {
  readonly n: number
  readonly at: string
  readonly from: 'you' | 'lab'
  readonly text: string
}

/** In the format of the LAB API. */
export type OfferedLabResult = {
  readonly kind: string
  readonly job: string
  readonly say: string
  readonly says: readonly string[]
  readonly data: { readonly kind: string; readonly from: string; readonly to: string }
  readonly legs: readonly {
    readonly title: string
    readonly eras: Readonly<Record<string, unknown>>
    readonly verdict: {
      readonly interesting: boolean
      readonly sentence: string
      readonly gates: readonly unknown[]
    } | null
  }[]
  readonly optimize?:
    | {
        readonly axes: readonly { readonly field: string }[]
        readonly variants: readonly object[]
        readonly says: readonly string[]
      }
    | undefined
}
