/** Classes of true orders, by the way they trade. */
export type OrderClass =
  | 'single'
  | 'electronic'
  | 'auction'
  | 'floor'
  | 'cross'
  | 'late'
  | 'extended'
  | 'compression'

/** One leg of an order. */
export type TrueLeg = {
  readonly contract: number
  readonly ratio: number
  /** Side within the package: the pattern as the customer traded it. */
  readonly sign: -1 | 1
}

/** One true order. */
export type Parent = {
  readonly structure: string
  readonly hasCombo: boolean
  readonly orderClass: OrderClass
  /** False when neither side is the customer's alone: crosses and compression. */
  readonly hasSide: boolean
  /** True when the customer took the quote, false when the customer's resting order was hit. */
  readonly isInitiated: boolean
  /** Package units. */
  readonly size: number
  /** Cost of the pattern per unit, in cents, as `legs` are signed. */
  readonly netCents: number
  readonly legs: readonly TrueLeg[]
}

/** One print before it is numbered. */
export type Print = {
  readonly timeUs: number
  readonly contract: number
  readonly size: number
  readonly cents: number
  readonly letter: string
  readonly parent: number
  readonly leg: number
  /** Which part of the order it fills, from 1. */
  readonly fill: number
  /** Contracts shown at the price where the order waited there. */
  readonly shown?: number
}

/** All prints of a session in growing columns, in the order they were made. */
export type Tape = {
  readonly parents: Parent[]
  readonly add: (print: Print) => number
  readonly columns: () => TapeColumns
  readonly count: () => number
}

/** The first `count` entries of each column are prints. */
export type TapeColumns = {
  readonly count: number
  readonly timeUs: Float64Array
  readonly contract: Int32Array
  readonly size: Int32Array
  readonly cents: Int32Array
  /** Character code of the OPRA letter. */
  readonly letter: Uint8Array
  readonly parent: Int32Array
  /** Index in the parent's legs, from 0. */
  readonly leg: Int32Array
  readonly fill: Int32Array
  readonly shown: Int32Array
}

/** Creates a tape with an initial capacity of `capacity` prints. */
export function createTape(capacity: number): Tape {
  const columns = {
    timeUs: new Float64Array(capacity),
    contract: new Int32Array(capacity),
    size: new Int32Array(capacity),
    cents: new Int32Array(capacity),
    letter: new Uint8Array(capacity),
    parent: new Int32Array(capacity),
    leg: new Int32Array(capacity),
    fill: new Int32Array(capacity),
    shown: new Int32Array(capacity),
  }
  let count = 0
  return {
    parents: [],
    count: () => count,
    add: print => {
      if (count === capacity) throw new Error(`tape is full: ${capacity} prints`)
      columns.timeUs[count] = print.timeUs
      columns.contract[count] = print.contract
      columns.size[count] = print.size
      columns.cents[count] = print.cents
      columns.letter[count] = print.letter.charCodeAt(0)
      columns.parent[count] = print.parent
      columns.leg[count] = print.leg
      columns.fill[count] = print.fill
      columns.shown[count] = print.shown ?? 0
      return count++
    },
    columns: () => ({ count, ...columns }),
  }
}
