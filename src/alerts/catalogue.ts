import { type AlertField, BOOK, points } from './fields.ts'
import { ALERT_BOOKS, type AlertBook, LEVEL_KINDS, type ListEntry, type ListType } from './kinds.ts'

/** Level events that an account can receive, and the parameters of an entry of its list. */

/** The only symbol with levels. */
export const SYMBOL = 'SPX'

const confirm = (states: number) =>
  ({
    name: 'confirm',
    meaning: 'how many minutes in a row it must hold',
    type: 'whole',
    unit: 'min',
    default: states,
    min: 1,
    max: 15,
    example: 3,
  }) as const satisfies AlertField

const WALLS = {
  name: 'walls',
  meaning: 'which walls',
  type: 'choices',
  unit: null,
  default: ['call_wall', 'put_wall'],
  values: ['call_wall', 'put_wall'],
  example: ['call_wall'],
} as const satisfies AlertField

export type ListTypeRow = {
  readonly type: ListType
  /** Condition under which it fires, in words. */
  readonly rule: string
  /** Books in which it is on by default. */
  readonly on_in: readonly AlertBook[]
  readonly parameters: readonly AlertField[]
}

export const LIST_ROWS: readonly ListTypeRow[] = [
  {
    type: 'flip_cross',
    rule:
      'the index is beyond the flip, on its other side, by `margin_points` or more for ' +
      '`confirm` minutes',
    on_in: ['measured'],
    parameters: [
      confirm(2),
      points(
        'margin_points',
        'how far beyond the flip; `auto` is an eighth of the width of its interval, 1 to 5 points; ' +
          '5 without one',
        { default: 'auto', min: 0, max: 50, values: ['auto'], example: 2 },
      ),
      {
        name: 'certain',
        meaning: 'only when the index is beyond the whole interval; in the book `measured` alone',
        type: 'yes_no',
        unit: null,
        default: false,
        example: true,
      },
    ],
  },
  {
    type: 'wall_break',
    rule:
      'the index is `margin_points` or more above the call wall, or below the put wall, for ' +
      '`confirm` minutes in which the wall stays where it is',
    on_in: ['measured'],
    parameters: [
      WALLS,
      confirm(2),
      points('margin_points', 'how far beyond the wall', { default: 1, min: 0, max: 20 }),
    ],
  },
  {
    type: 'regime_change',
    rule:
      "the dealers' net gamma has the other sign for `confirm` minutes, and is at least 5 % of " +
      "the day's largest so far",
    on_in: ['measured'],
    parameters: [confirm(2)],
  },
  {
    type: 'wall_move',
    rule:
      'a wall stands `min_points` or more from where it was last told, at the same strike for ' +
      '`confirm` minutes',
    on_in: [],
    parameters: [
      WALLS,
      confirm(5),
      points('min_points', 'the smallest move that counts', { default: 5, min: 5, max: 100 }),
    ],
  },
  {
    type: 'flip_move',
    rule:
      'the flip is `threshold_points` or more from where it was last told, for `confirm` ' +
      'minutes',
    on_in: [],
    parameters: [
      points('threshold_points', 'the smallest move that counts', {
        default: 10,
        min: 1,
        max: 200,
        example: 15,
      }),
      confirm(3),
    ],
  },
  {
    type: 'level_near',
    rule:
      'the index comes within `threshold_points` of a level; told again once it was twice as far ' +
      'away',
    on_in: [],
    parameters: [
      {
        name: 'levels',
        meaning: 'which levels',
        type: 'choices',
        unit: null,
        default: LEVEL_KINDS,
        values: LEVEL_KINDS,
        example: ['flip', 'put_wall'],
      },
      points('threshold_points', 'how near', { default: 5, min: 1, max: 50 }),
    ],
  },
]

/** Returns the parameters of a type. */
export const listRow = (type: ListType): ListTypeRow => LIST_ROWS.find(row => row.type === type)!

/** Fields of an entry before its parameters. */
export const ENTRY_FIELDS: readonly AlertField[] = [
  {
    name: 'type',
    meaning: 'which event',
    type: 'choice',
    unit: null,
    default: null,
    isRequired: true,
    values: LIST_ROWS.map(({ type }) => type),
    example: 'flip_cross',
  },
  BOOK,
  {
    name: 'symbol',
    meaning: 'the index',
    type: 'choice',
    unit: null,
    default: SYMBOL,
    values: [SYMBOL],
    otherwise: `only ${SYMBOL} has a book here, give "${SYMBOL}"`,
    example: SYMBOL,
  },
  {
    name: 'on',
    meaning: 'whether it is sent; where an account says nothing, as `on_in` of the type says',
    type: 'yes_no',
    unit: null,
    default: null,
    example: true,
  },
]

/** Default list: every type of every book. */
export const USUAL_LIST: readonly ListEntry[] = ALERT_BOOKS.flatMap(book =>
  LIST_ROWS.map(({ type, on_in, parameters }) => {
    const usual = parameters.map(({ name, default: value }) => [name, value] as const)
    const on = on_in.includes(book)
    return { type, book, symbol: SYMBOL, on, ...Object.fromEntries(usual) } as ListEntry
  }),
)
