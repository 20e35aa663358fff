import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type ConditionLetters = {
  /** Every letter of OPRA but the cancels. */
  readonly letters: readonly string[]
  readonly cancelLetters: readonly string[]
  /** Letters of a leg of a package of options. */
  readonly multiLegLetters: readonly string[]
}

/** The letters of OPRA's message types, by what they are. */
export function readConditions(): ConditionLetters {
  const file = join(import.meta.dirname, '../vectors/trade_conditions.json')
  const { conditions } = JSON.parse(readFileSync(file, 'utf8')) as { conditions: Condition[] }
  const listLetters = (is: (condition: Condition) => boolean) =>
    conditions.filter(is).map(condition => condition.letter)
  return {
    letters: listLetters(condition => !condition.cancel),
    cancelLetters: listLetters(condition => condition.cancel),
    multiLegLetters: listLetters(({ multi_leg, family }) => multi_leg && family !== 'stock'),
  }
}

type Condition = {
  readonly letter: string
  readonly family: string
  readonly cancel: boolean
  readonly multi_leg: boolean
}
