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

/** A level to draw: a price, or a band between two around it. */
export type ChartLine = {
  readonly name: string
  readonly kind: keyof typeof LOOKS
  readonly price: number
  readonly low: number
  readonly high: number
}

/** How each kind of level looks: in NinjaTrader, Sierra Chart, thinkorswim and Bookmap. */
export const LOOKS = {
  flip: { planned: '@30 #Gold', sierra: 'gold', think: 'YELLOW', note: '#000000,#FFD700' },
  call: { planned: '@60 #Green', sierra: 'green', think: 'GREEN', note: '#FFFFFF,#008000' },
  put: { planned: '@60 #Red', sierra: 'red', think: 'RED', note: '#FFFFFF,#B22222' },
  range: { planned: '@40 #Gray', sierra: 'gray', think: 'GRAY', note: '#FFFFFF,#696969' },
  gex: { planned: '@20 #Blue', sierra: 'blue', think: 'CYAN', note: '#FFFFFF,#1E90FF' },
} as const

/** Lists what is drawn of a symbol; a level that is null is left out. */
export function listLines({ wire, reading }: Succeeded): ChartLine[] {
  const { flip, flip_lo, flip_hi } = wire
  const at = (
    name: string,
    kind: ChartLine['kind'],
    price: number | null,
    [low, high]: readonly (number | null)[] = [],
  ): ChartLine[] =>
    price === null ? [] : [{ name, kind, price, low: low ?? price, high: high ?? price }]
  return [
    ...at('Flip', 'flip', flip, [flip_lo, flip_hi]),
    ...at('Call wall', 'call', wire.call_wall),
    ...at('Put wall', 'put', wire.put_wall),
    ...at('EM low', 'range', reading.range.low),
    ...at('EM high', 'range', reading.range.high),
    ...(wire.gex ?? []).flatMap(({ strike }, index) => at(`GEX ${index + 1}`, 'gex', strike)),
  ]
}

/** A price as text: whole numbers without decimals; XSP is given to a thousandth. */
export function formatPrice(price: number, { reading }: Succeeded): string {
  const decimals = reading.symbol.kind === 'mini_index' ? 3 : 2
  return Number.isInteger(price) ? String(price) : price.toFixed(decimals)
}

/** Planned levels of one symbol: its day, then lines of `low high @opacity #colour "label"`. */
export function plannedText(one: Succeeded, day: SessionDate): string {
  const [year, month, date] = day.split('-')
  const rows = listLines(one).map(({ name, kind, low, high }) => {
    const band = `${formatPrice(low, one)} ${formatPrice(high, one)}`
    return `${band} ${LOOKS[kind].planned} "${name}"`
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
  const { flip_lo: low, flip_hi: high } = wire
  const interval = low === null || high === null ? null : [low, high].map(onTick)
  const ticks = interval ? Math.max(1, Math.round((interval[1]! - interval[0]!) / tick)) : 1
  const flip = interval ? `Flip ${interval.map(end => end.toFixed(2)).join('-')}` : 'Flip'
  return listLines({ wire, reading }).map(({ name: note, kind, price }) => {
    const [shown, diameter] = kind === 'flip' ? [flip, ticks] : [note, 1]
    return [name, text(price), shown, LOOKS[kind].note, 'left', String(diameter), 'TRUE']
  })
}
