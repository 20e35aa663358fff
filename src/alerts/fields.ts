import { ALERT_BOOKS } from './kinds.ts'

/**
 * What a field of the settings may be. What is sent is read by these rows; answers, the OpenAPI
 * file, docs/alerts.md and the command line are made of them.
 */

export type AlertField = {
  readonly name: string
  readonly meaning: string
  readonly type: 'number' | 'whole' | 'yes_no' | 'choice' | 'choices' | 'text' | 'minute'
  /** pt: index points; min: minutes; musd: $M; musd_pt: $M per index point. */
  readonly unit: 'pt' | 'min' | 'musd' | 'musd_pt' | 'days' | 'count' | 'ET' | null
  /** Where an account says nothing; null: none, and a rule then holds of any order. */
  readonly default: number | string | boolean | readonly string[] | null
  /** Whether it has to be given. */
  readonly isRequired?: true
  /** Of numbers and minutes; of a text how many characters. */
  readonly min?: number | string
  readonly max?: number | string
  /** Of choices; beside numbers, what may stand for one. */
  readonly values?: readonly string[]
  /** Other words for some of the values. */
  readonly synonyms?: Readonly<Record<string, string>>
  /** What is said of any other value, where a list of the good ones does not explain it. */
  readonly otherwise?: string
  /** Values with a refusal of their own, which says what to give. */
  readonly refusals?: Readonly<Record<string, string>>
  /** A good value, as it is sent. */
  readonly example: number | string | boolean | readonly string[]
}

export const BOOK = {
  name: 'book',
  meaning: 'whose levels: the measured book, or one made of volume or of open interest',
  type: 'choice',
  unit: null,
  default: 'measured',
  values: ALERT_BOOKS,
  synonyms: { vol: 'volume', oi: 'open_interest' },
  example: 'measured',
} as const satisfies AlertField

/** Points of the index. */
export const points = (name: string, meaning: string, row: Pointed) =>
  ({ name, meaning, type: 'number', unit: 'pt', example: 10, ...row }) as const
type Pointed = Pick<AlertField, 'default' | 'min' | 'max' | 'values'> & { example?: number }

/** How many decimals points of the index have. */
export const POINT_DECIMALS = 2

/** What a field takes, as a refusal says it behind "give". */
export function formatAdvice(field: AlertField): string {
  const { type, unit, min, max, values = [], example } = field
  const shown = JSON.stringify(example)
  const or = values.map(value => ` or ${JSON.stringify(value)}`).join('')
  const decimals = unit === 'pt' ? ` with at most ${POINT_DECIMALS} decimals` : ''
  switch (type) {
    case 'number':
      return `a number from ${min} to ${max}${decimals}${or}, such as ${shown}`
    case 'whole':
      return `a whole number from ${min} to ${max}, such as ${shown}`
    case 'yes_no':
      return 'true or false'
    case 'choice':
      return `one of ${values.join(', ')}, such as ${shown}`
    case 'choices':
      return `a list of ${values.join(', ')}, each at most once, such as ${shown}`
    case 'text':
      return `${min} to ${max} printable characters on one line, such as ${shown}`
    default:
      return `an ET minute from ${min} to ${max}, such as ${shown}`
  }
}
