import type { StatedItem } from './items.ts'
import type { ComparedField, LevelRef } from './spec.ts'

/** Part of a rule that the words belong to, set by the last head of a clause. */
export type Mode = 'core' | 'when' | 'exit' | 'profit' | 'stop' | 'days'

/** Context of a phrase: the words before it. */
export type PhraseContext = {
  readonly mode: Mode
  /** Subject of the last condition: "and under the put wall", "or when positive". */
  readonly subject: ComparedField | 'spot' | null
  /** True when the word before opens a condition: if, and, unless. */
  readonly isHead: boolean
  /** True at the start of a clause. */
  readonly isStart: boolean
  /** The one level named so far, to which "it" may refer besides the price. */
  readonly level: LevelRef | null
}

// biome-ignore lint/suspicious/noExplicitAny: each phrase names the values it takes
export type Values = Readonly<Record<string, any>>

type Made = StatedItem | readonly StatedItem[] | null
type Make = (values: Values, context: PhraseContext) => Made

/** A line of the table: words with one meaning. */
export type Phrase = {
  readonly id: string
  /** Part of a rule it is about, as named in `read`. */
  readonly field: string
  readonly phrase: string
  /** Heads after which it applies. */
  readonly in?: readonly Mode[]
  /** The head that it is itself. */
  readonly head?: Mode
  readonly make: Make
}

/**
 * A line of the table as text: its id and its field, `>` with the head that it is and `@` with the
 * heads after which it applies; below that its words. Takes the meaning, or how it is made.
 */
export const phrase =
  (texts: TemplateStringsArray, ...values: readonly string[]) =>
  (meaning: Exclude<Made, null> | Make): Phrase => {
    const whole = texts.map((text, at) => text + (values[at] ?? '')).join('')
    const [, header = '', words = ''] = /^([^\n]*)\n(.*)$/s.exec(whole) ?? []
    const [id = '', field = '', ...signs] = header.split(' ')
    const modes = (sign: string) =>
      signs
        .find(one => one.startsWith(sign))
        ?.slice(1)
        .split(',') as Mode[] | undefined
    const [head] = modes('>') ?? []
    const within = modes('@')
    return {
      id,
      field,
      phrase: words,
      ...(head ? { head } : {}),
      ...(within ? { in: within } : {}),
      make: typeof meaning === 'function' ? meaning : () => meaning,
    }
  }
