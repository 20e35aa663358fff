import { ALERT_BOOKS } from './kinds.ts'

/**
 * Definition of a field of the settings. Input is parsed by these rows; responses, the OpenAPI
 * file, docs/alerts.md and the command line are built from them.
 */

export type AlertField = {
  readonly name: string
  readonly meaning: string
  readonly type: 'number' | 'whole' | 'yes_no' | 'choice' | 'choices' | 'text' | 'minute'
  /** pt: index points; min: minutes; musd: $M; musd_pt: $M per index point. */
  readonly unit: 'pt' | 'min' | 'musd' | 'musd_pt' | 'days' | 'count' | 'ET' | null
  /** Default; null: none, and a rule then matches any order. */
  readonly default: number | string | boolean | readonly string[] | null
  /** True when the field is required. */
  readonly isRequired?: true
  /** Limits of numbers and minutes; of a text, its length in characters. */
  readonly min?: number | string
  readonly max?: number | string
  /** Allowed choices; for a number, words that may replace it. */
  readonly values?: readonly string[]
  /** Aliases of some values. */
  readonly synonyms?: Readonly<Record<string, string>>
  /** Reason for refusing any other value, when a list of the valid ones does not explain it. */
  readonly otherwise?: string
  /** Values with a refusal of their own, which suggests a replacement. */
  readonly refusals?: Readonly<Record<string, string>>
  /** A valid value, as it is sent. */
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

/** Fields in index points. */
export const points = (name: string, meaning: string, row: Pointed) =>
  ({ name, meaning, type: 'number', unit: 'pt', example: 10, ...row }) as const
type Pointed = Pick<AlertField, 'default' | 'min' | 'max' | 'values'> & { example?: number }

/** Decimals of index points. */
export const POINT_DECIMALS = 2

/** Allowed values of a field, as a refusal lists them after "give". */
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
