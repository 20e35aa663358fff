import type { StatedItem } from './items.ts'
import type { ComparedField, LevelRef } from './spec.ts'

/** Where in a rule the words stand: what the last head of a clause was. */
export type Mode = 'core' | 'when' | 'exit' | 'profit' | 'stop' | 'days'

/** What a phrase may know of what stands before it. */
export type PhraseContext = {
  readonly mode: Mode
  /** What the last condition was about: "and under the put wall", "or when positive". */
  readonly subject: ComparedField | 'spot' | null
  /** Whether the word before opens a condition: if, and, unless. */
  readonly isHead: boolean
  /** A clause begins here. */
  readonly isStart: boolean
  /** The one level that was named so far: what "it" is beside the price. */
  readonly level: LevelRef | null
}

// biome-ignore lint/suspicious/noExplicitAny: each phrase names the values it takes
export type Values = Readonly<Record<string, any>>

/** One line of the table: words that are read as one thing. */
export type Phrase = {
  readonly id: string
  /** Which part of a rule it is about, as `read` names it. */
  readonly field: string
  readonly phrase: string
  /** Only behind these heads. */
  readonly in?: readonly Mode[]
  /** Which head it is itself. */
  readonly head?: Mode
  readonly make: (
    values: Values,
    context: PhraseContext,
  ) => StatedItem | readonly StatedItem[] | null
}
