import {
  Bool,
  type Data,
  Field,
  Float64,
  Int8,
  Int32,
  List,
  makeData,
  Struct,
  Utf8,
} from 'apache-arrow'

/**
 * Columns of Arrow tables. Fills their buffers a column at a time: the library's builders append
 * one value at a time and take several times as long.
 */

/** Texts, or nulls. */
export function texts(values: (string | null)[]): Data {
  const data = Buffer.from(values.join(''))
  const valueOffsets = computeOffsets(values, value =>
    value === null ? 0 : Buffer.byteLength(value),
  )
  const length = values.length
  return makeData({ type: new Utf8(), length, ...computeNulls(values), valueOffsets, data })
}

/** Doubles, or nulls. */
export function doubles(values: (number | null)[]): Data {
  const data = Float64Array.from(values as number[])
  return makeData({ type: new Float64(), length: values.length, ...computeNulls(values), data })
}

/** 32-bit integers, or nulls. */
export function integers(values: (number | null)[]): Data {
  const data = Int32Array.from(values as number[])
  return makeData({ type: new Int32(), length: values.length, ...computeNulls(values), data })
}

/** Makes lists of a type; `toData` builds the concatenated data of all items. */
export function lists<Item>(type: Utf8 | Struct, toData: (items: Item[]) => Data) {
  const list = new List(new Field('item', type, true))
  return (values: Item[][]): Data => {
    const valueOffsets = computeOffsets(values, items => items.length)
    const child = toData(values.flat() as Item[]) as never
    return makeData({ type: list, length: values.length, nullCount: 0, valueOffsets, child })
  }
}

/** 8-bit integers, none of them null. */
export const signs = (values: readonly number[]): Data =>
  makeData({ type: new Int8(), data: Int8Array.from(values) })

/** Booleans, or nulls. */
export function truths(values: (boolean | null)[]): Data {
  const data = new Uint8Array(Math.ceil(values.length / BITS_OF_A_BLOCK) * BYTES_OF_A_BLOCK)
  for (const [index, value] of values.entries()) if (value) data[index >> 3]! |= 1 << (index & 7)
  return makeData({ type: new Bool(), length: values.length, ...computeNulls(values), data })
}

/** Builders of the data of each field of a record. */
export type Columns = Readonly<Record<string, (values: never[]) => Data>>

/** Returns the type of such records, by calling each column with no values. */
export const recordType = (columns: Columns): Struct =>
  new Struct(Object.entries(columns).map(([name, make]) => new Field(name, make([]).type, true)))

/** Records, none of them null. */
export const records =
  (columns: Columns) =>
  (values: Readonly<Record<string, unknown>>[]): Data =>
    makeData({
      type: recordType(columns),
      length: values.length,
      nullCount: 0,
      children: Object.entries(columns).map(([name, make]) =>
        make(values.map(value => value[name]) as never[]),
      ),
    })

/** Offset at which each value begins, then the end of the last one. */
function computeOffsets<Value>(values: readonly Value[], readLength: (value: Value) => number) {
  const offsets = new Int32Array(values.length + 1)
  let end = 0
  for (const [index, value] of values.entries()) {
    end += readLength(value)
    offsets[index + 1] = end
  }
  return offsets
}

/** The library pads validity bitmaps to whole 64 bytes. */
const BITS_OF_A_BLOCK = 512
const BYTES_OF_A_BLOCK = 64

/** Validity bitmap of the values; empty when none is null. */
function computeNulls(values: readonly unknown[]): { nullCount: number; nullBitmap?: Uint8Array } {
  const nullBitmap = new Uint8Array(Math.ceil(values.length / BITS_OF_A_BLOCK) * BYTES_OF_A_BLOCK)
  let nullCount = 0
  for (const [index, value] of values.entries()) {
    if (value === null) nullCount++
    else nullBitmap[index >> 3]! |= 1 << (index & 7)
  }
  return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap }
}
