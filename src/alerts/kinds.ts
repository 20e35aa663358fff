/** Types of an account's alert settings. */

export const ALERT_BOOKS = ['measured', 'volume', 'open_interest'] as const
export type AlertBook = (typeof ALERT_BOOKS)[number]

export const LEVEL_KINDS = ['flip', 'call_wall', 'put_wall'] as const
export type LevelKind = (typeof LEVEL_KINDS)[number]

/** Level events that an entry of the list can select. */
export const LIST_TYPES = [
  'flip_cross',
  'wall_break',
  'regime_change',
  'wall_move',
  'flip_move',
  'level_near',
] as const
export type ListType = (typeof LIST_TYPES)[number]

/** A complete entry of the list, with every parameter of its type. */
export type EntryParams = {
  readonly flip_cross: {
    readonly confirm: number
    readonly margin_points: number | 'auto'
    readonly certain: boolean
  }
  readonly wall_break: {
    readonly walls: readonly ('call_wall' | 'put_wall')[]
    readonly confirm: number
    readonly margin_points: number
  }
  readonly regime_change: { readonly confirm: number }
  readonly wall_move: {
    readonly walls: readonly ('call_wall' | 'put_wall')[]
    readonly confirm: number
    readonly min_points: number
  }
  readonly flip_move: { readonly threshold_points: number; readonly confirm: number }
  readonly level_near: { readonly levels: readonly LevelKind[]; readonly threshold_points: number }
}

export type ListEntry = {
  [Type in ListType]: {
    readonly type: Type
    readonly book: AlertBook
    readonly symbol: 'SPX'
    readonly on: boolean
  } & EntryParams[Type]
}[ListType]

export type Direction = 'any' | 'above' | 'below'

/** A line at a price, or at an offset from a level. */
export type AlertLine = {
  /** `l_` and 12 characters of base 62. */
  readonly id: string
  readonly mode: 'once' | 'repeat'
  readonly direction: Direction
  readonly note: string | null
} & (
  | { readonly kind: 'price'; readonly price: number }
  | {
      readonly kind: 'level'
      readonly level: LevelKind
      readonly book: AlertBook
      /** Index points from the level, -100 to 100. */
      readonly offset: number
    }
)

/** Orders that an account wants to receive; an undefined condition matches any order. */
export type OrderRule = {
  /** `r_` and 12 characters of base 62. */
  readonly id: string
  readonly name: string
  readonly on: boolean
  readonly kinds?: readonly string[]
  /** $M, of the gross premium. */
  readonly min_premium?: number
  readonly min_net?: number
  readonly min_size?: number
  readonly gamma?: 'adds' | 'removes'
  /** $M per index point, absolute. */
  readonly min_gamma?: number
  readonly dte_min?: number
  readonly dte_max?: number
  /** Index points between the index of the order's minute and the flip. */
  readonly flip_within?: number
  readonly flip_is?: 'over' | 'under'
  readonly wall?: 'call_wall' | 'put_wall' | 'any'
  readonly wall_within?: number
  /** ET minutes, both included. */
  readonly from_t?: string
  readonly to_t?: string
  readonly min_confidence?: number
}
