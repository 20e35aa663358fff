import type { SessionDate } from '../core/market/calendar.ts'
import type { SymbolLevels } from './ask.ts'
import type { WireLevels } from './wire.ts'

/** Levels as lines of text for charting programs. */

export const TEXT_STYLES = ['pairs', 'mq', 'lines', 'sierra', 'thinkscript'] as const

export type TextStyle = (typeof TEXT_STYLES)[number]

/** Styles whose text is a file of one symbol. */
export const FILE_STYLES: readonly string[] = ['lines', 'sierra', 'thinkscript']

/** Labels of a style; the second is the one that parsers of other programs expect. */
const LABELS = {
  pairs: {
    callWall: 'Call Wall',
    putWall: 'Put Wall',
    flip: 'Flip',
    flipLow: 'Flip Low',
    flipHigh: 'Flip High',
    low: 'EM Low',
    high: 'EM High',
  },
  mq: {
    callWall: 'Call Resistance',
    putWall: 'Put Support',
    flip: 'HVL',
    flipLow: 'Flip Low',
    flipHigh: 'Flip High',
    low: '1D Min',
    high: '1D Max',
  },
} as const

export type Succeeded = Extract<SymbolLevels, { readonly wire: WireLevels }>

/** One line per symbol: `$SYM: label, price, …`; nulls are left out. */
export const pairsText = (symbols: readonly Succeeded[], style: 'pairs' | 'mq'): string =>
  symbols.map(one => `$${one.wire.sym}: ${listPairs(one, style).flat().join(', ')}\n`).join('')

function listPairs({ wire, reading }: Succeeded, style: 'pairs' | 'mq'): (string | number)[][] {
  const label = LABELS[style]
  const levels: [string, number | null][] = [
    [label.callWall, wire.call_wall],
    [label.putWall, wire.put_wall],
    [label.flip, wire.flip],
    // without a flip the stretch is no interval of one
    [label.flipLow, wire.flip && wire.flip_lo],
    [label.flipHigh, wire.flip && wire.flip_hi],
    [label.low, reading.range.low],
    [label.high, reading.range.high],
    ...(wire.gex ?? []).map(({ strike }, index): [string, number] => [`GEX ${index + 1}`, strike]),
  ]
  return levels.flatMap(([name, price]) => (price === null ? [] : [[name, price]]))
}

/** A level to draw: a price, or a band between two. */
export type ChartLine = {
  readonly name: string
  readonly kind: 'flip' | 'call' | 'put' | 'range' | 'gex'
  readonly low: number
  readonly high: number
}

/** Lists what is drawn of a symbol; a level that is null is left out. */
export function listLines({ wire, reading }: Succeeded): ChartLine[] {
  const { low, high } = reading.range
  const at = (name: string, kind: ChartLine['kind'], price: number | null): ChartLine[] =>
    price === null ? [] : [{ name, kind, low: price, high: price }]
  const { flip } = wire
  return [
    ...(flip === null
      ? []
      : [
          {
            ...at('Flip', 'flip', flip)[0]!,
            low: wire.flip_lo ?? flip,
            high: wire.flip_hi ?? flip,
          },
        ]),
    ...at('Call wall', 'call', wire.call_wall),
    ...at('Put wall', 'put', wire.put_wall),
    ...at('EM low', 'range', low),
    ...at('EM high', 'range', high),
    ...(wire.gex ?? []).flatMap(({ strike }, index) => at(`GEX ${index + 1}`, 'gex', strike)),
  ]
}

/** A price as text: whole numbers without decimals; XSP is given to a thousandth. */
export function formatPrice(price: number, { reading }: Succeeded): string {
  const decimals = reading.symbol.kind === 'mini_index' ? 3 : 2
  return Number.isInteger(price) ? String(price) : price.toFixed(decimals)
}

const LOOKS: Readonly<Record<ChartLine['kind'], string>> = {
  flip: '@30 #Gold',
  call: '@60 #Green',
  put: '@60 #Red',
  range: '@40 #Gray',
  gex: '@20 #Blue',
}

/** Planned levels of one symbol: its day, then lines of `low high @opacity #colour "label"`. */
export function plannedText(one: Succeeded, day: SessionDate): string {
  const [year, month, date] = day.split('-')
  const rows = listLines(one).map(({ name, kind, low, high }) => {
    const band = `${formatPrice(low, one)} ${formatPrice(high, one)}`
    return `${band} ${LOOKS[kind]} "${name}"`
  })
  return [`${month}/${date}/${year}`, ...rows].map(line => `${line}\n`).join('')
}

const NOTES = [
  'Symbol',
  'Price Level',
  'Note',
  'Foreground Color',
  'Background Color',
  'Text Alignment',
  'Diameter',
  'Draw Note Price Horizontal Line',
]

export type NotesOptions = {
  /** The data source that symbols are mapped from: the first row of the file. */
  readonly map: string | null
  /** Name of each symbol in the notes, in the order of the symbols. */
  readonly as: readonly string[]
}

/**
 * Bookmap notes: one row per level, prices on the tick, the flip as wide as its confidence
 * interval.
 */
export function notesCsv(symbols: readonly SymbolLevels[], { map, as }: NotesOptions): string {
  const rows = symbols.flatMap((one, index) =>
    'wire' in one ? listNotes(one, as[index] || one.wire.sym) : [],
  )
  const first =
    map === null || map === '' ? [] : [[`#automap ${map}`, ...new Array(NOTES.length - 1).fill('')]]
  return [...first, NOTES, ...rows].map(cells => `${cells.join(',')}\r\n`).join('')
}

function listNotes({ wire, reading }: Succeeded, name: string): string[][] {
  const { tick } = reading.symbol
  const onTick = (price: number) => Math.round(price / tick) * tick
  const text = (price: number) => String(Number(onTick(price).toFixed(2)))
  const row = (price: number | null, note: string, look: readonly [string, string, number]) => {
    if (price === null) return []
    const [front, back, diameter] = look
    return [[name, text(price), note, front, back, 'left', String(diameter), 'TRUE']]
  }
  const interval =
    wire.flip_lo === null || wire.flip_hi === null ? null : [wire.flip_lo, wire.flip_hi]
  const ticks = interval ? Math.round((onTick(interval[1]!) - onTick(interval[0]!)) / tick) : 1
  const flip = interval ? `Flip ${interval.map(end => onTick(end).toFixed(2)).join('-')}` : 'Flip'
  const { low, high } = reading.range
  return [
    ...row(wire.flip, flip, ['#000000', '#FFD700', Math.max(1, ticks)]),
    ...row(wire.call_wall, 'Call wall', ['#FFFFFF', '#008000', 1]),
    ...row(wire.put_wall, 'Put wall', ['#FFFFFF', '#B22222', 1]),
    ...row(low, 'EM low', ['#FFFFFF', '#696969', 1]),
    ...row(high, 'EM high', ['#FFFFFF', '#696969', 1]),
    ...(wire.gex ?? []).flatMap(({ strike }, index) =>
      row(strike, `GEX ${index + 1}`, ['#FFFFFF', '#1E90FF', 1]),
    ),
  ]
}
