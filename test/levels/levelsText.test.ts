// The forms of text, taken apart again by parsers that share nothing with the writer.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SymbolLevels } from '../../src/levels/ask.ts'
import { sierraText, thinkscriptText } from '../../src/levels/chartTexts.ts'
import { notesCsv, pairsText, plannedText } from '../../src/levels/levelsText.ts'
import { type LevelReading, priceRule } from '../../src/levels/reading.ts'
import { parseSymbol } from '../../src/levels/symbols.ts'
import { wireLevels } from '../../src/levels/wire.ts'
import { runs } from '../support/runs.ts'

const SEED = 20261126

type Good = Extract<SymbolLevels, { readonly reading: LevelReading }>

const points = fc.option(
  fc.double({ min: 1000, max: 9999, noNaN: true, noDefaultInfinity: true }),
  { freq: 4 },
)
const strike = fc.integer({ min: 200, max: 1900 }).map(step => step * 5)

/** Levels of any symbol, with nulls wherever there may be one. */
const reported: fc.Arbitrary<Good> = fc
  .record({
    sym: fc.constantFrom('SPX', 'XSP', 'ES', 'MESZ6'),
    basis: fc.double({ min: -50, max: 90, noNaN: true }),
    row: fc.record({ spot: points, flip: points, flip_lo: points, flip_hi: points }),
    walls: fc.record({ call_wall: fc.option(strike), put_wall: fc.option(strike) }),
    range: fc.record({ low: points, high: points }),
    strikes: fc.uniqueArray(strike, { maxLength: 30 }),
  })
  .map(({ sym, basis, row, walls, range, strikes }) => {
    const symbol = parseSymbol(sym)
    const future = symbol.kind === 'future' ? { contract: 'ESZ6', basis } : null
    const toPrice = priceRule(symbol, future)
    const reading = {
      symbol,
      book: 'measured',
      future,
      toPrice,
      toMove: toPrice,
      row: { ...row, ...walls, flip_roots: [] } as never,
      range: { low: toPrice(range.low), high: toPrice(range.high) },
    } as LevelReading
    const some = strikes.map((_, index) => 1 + index)
    const ladder = { strikes: strikes.toSorted((a, b) => a - b), calls: some, puts: some }
    return { reading, wire: wireLevels(reading, { ladder, reason: null }, strikes.length) }
  })

/** Label and price of every level that is not null, in the order of the text. */
function listLevels({ wire, reading }: Good): [string, number][] {
  const { low, high } = reading.range
  const named: [string, number | null][] = [
    ['Call Wall', wire.call_wall],
    ['Put Wall', wire.put_wall],
    ['Flip', wire.flip],
    // the ends of a stretch without a flip are no levels
    ['Flip Low', wire.flip && wire.flip_lo],
    ['Flip High', wire.flip && wire.flip_hi],
    ['EM Low', low],
    ['EM High', high],
    ...wire.gex!.map(
      ({ strike: price }, index) => [`GEX ${index + 1}`, price] as [string, number | null],
    ),
  ]
  return named.filter((one): one is [string, number] => one[1] !== null)
}

/** A line at a time, a character at a time: `$SYM: label, price, label, price`. */
function parsePairs(text: string): Map<string, [string, number][]> {
  const symbols = new Map<string, [string, number][]>()
  for (const line of text.split('\n').slice(0, -1)) {
    const colon = line.indexOf(':')
    const words: string[] = []
    let word = ''
    for (const letter of line.slice(colon + 1)) {
      if (letter === ',') {
        words.push(word.trim())
        word = ''
      } else word += letter
    }
    if (word.trim() !== '') words.push(word.trim())
    const pairs: [string, number][] = []
    while (words.length > 0) pairs.push([words.shift()!, Number.parseFloat(words.shift()!)])
    symbols.set(line.slice(1, colon), pairs)
  }
  return symbols
}

const OTHER_LABELS: Readonly<Record<string, string>> = {
  'Call Resistance': 'Call Wall',
  'Put Support': 'Put Wall',
  HVL: 'Flip',
  '1D Min': 'EM Low',
  '1D Max': 'EM High',
}

const bySymbol = { selector: (one: Good) => one.wire.sym, minLength: 1, maxLength: 4 }

test('pairs, and the same with other labels, are read back as what was written', () => {
  fc.assert(
    fc.property(fc.uniqueArray(reported, bySymbol), all => {
      const expected = new Map(all.map(one => [one.wire.sym, listLevels(one)]))
      expect(parsePairs(pairsText(all, 'pairs'))).toEqual(expected)
      const other = [...parsePairs(pairsText(all, 'mq'))].map(([sym, pairs]) => {
        return [sym, pairs.map(([label, price]) => [OTHER_LABELS[label] ?? label, price])] as const
      })
      expect(new Map(other)).toEqual(expected)
    }),
    { seed: SEED, numRuns: runs(400) },
  )
})

/** `low high @opacity #colour "label"`, by a pattern. */
function parseLines(text: string) {
  const [day, ...lines] = text.trimEnd().split('\n')
  const ranges = lines.map(line => {
    const parts = /^(\d+(?:\.\d+)?) (\d+(?:\.\d+)?) @(\d+) #([A-Z][a-z]+) "([^"]+)"$/.exec(line)
    expect(parts, line).not.toBeNull()
    return { low: Number(parts![1]), high: Number(parts![2]), label: parts![5]! }
  })
  return { day, zones: ranges }
}

test('planned levels are read back: the flip as wide as its error bar, all others as lines', () => {
  fc.assert(
    fc.property(reported, one => {
      const { day, zones: ranges } = parseLines(plannedText(one, '2026-10-15'))
      expect(day).toBe('10/15/2026')
      const { wire } = one
      const names: Record<string, string> = { 'Call Wall': 'Call wall', 'Put Wall': 'Put wall' }
      const lines = listLevels(one)
        .filter(([label]) => !label.startsWith('Flip'))
        .map(([label, price]) => {
          const shown = label.replace('EM Low', 'EM low').replace('EM High', 'EM high')
          return { low: price, high: price, label: names[label] ?? shown }
        })
      const low = wire.flip_lo ?? wire.flip
      const high = wire.flip_hi ?? wire.flip
      const flip = wire.flip === null ? [] : [{ low, high, label: 'Flip' }]
      expect(ranges).toEqual([...flip, ...lines])
    }),
    { seed: SEED, numRuns: runs(400) },
  )
})

test('a whole price is written without decimals, another one with all of them', () => {
  const text = (sym: string, price: number) => {
    const wire = { sym, flip: price, flip_lo: null, flip_hi: null, call_wall: null, put_wall: null }
    const reading = { symbol: parseSymbol(sym), range: { low: null, high: null } }
    return plannedText({ wire, reading } as never, '2026-10-15').split('\n')[1]
  }
  expect(text('SPX', 6000)).toBe('6000 6000 @30 #Gold "Flip"')
  expect(text('SPX', 6007.1)).toBe('6007.10 6007.10 @30 #Gold "Flip"')
  expect(text('XSP', 600.715)).toBe('600.715 600.715 @30 #Gold "Flip"')
})

/** Rows of CSV by the states of RFC 4180, quotes included. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === ',' && !isQuoted) {
      rows.at(-1)!.push(cell)
      cell = ''
    } else if (letter === '\r' && text[at + 1] === '\n' && !isQuoted) {
      rows.at(-1)!.push(cell)
      cell = ''
      at++
      rows.push([])
    } else cell += letter
  }
  return rows.slice(0, -1)
}

const isOnTick = (price: number, tick: number) =>
  Math.abs(price / tick - Math.round(price / tick)) < 1e-6

test('notes of Bookmap are read back: on the tick, the flip as many ticks wide as its bar', () => {
  const name = fc.constantFrom('/ESZ6:XCME', 'SPX@CBOE', 'ES.FUT')
  fc.assert(
    fc.property(fc.uniqueArray(reported, bySymbol), fc.option(name), name, (all, map, first) => {
      const rows = parseCsv(notesCsv(all, { map, as: [first] }))
      if (map !== null) expect(rows.shift()).toEqual([`#automap ${map}`, ...Array(7).fill('')])
      const head = rows.shift()!
      expect([head[0], head[1], head[6], head.length]).toEqual([
        'Symbol',
        'Price Level',
        'Diameter',
        8,
      ])
      const expected = all.flatMap((one, index) =>
        listLevels(one)
          .filter(([label]) => !/^Flip (Low|High)$/.test(label))
          .map(([label, price]) => ({
            one,
            label,
            price,
            sym: index === 0 ? first : one.wire.sym,
          })),
      )
      expect(rows).toHaveLength(expected.length)
      // the flip stands first among its symbol's rows here, behind the walls in the other forms
      const key = (sym: string, price: number) => `${sym} ${price.toFixed(2)}`
      const wanted = expected.map(({ one, price, sym }) => {
        const { tick } = one.reading.symbol
        return key(sym, Math.round(price / tick) * tick)
      })
      expect(rows.map(row => key(row[0]!, Number(row[1]))).sort()).toEqual(wanted.sort())
      for (const row of rows) {
        const one = all.find((each, index) => row[0] === (index === 0 ? first : each.wire.sym))!
        expect(isOnTick(Number(row[1]), one.reading.symbol.tick)).toBe(true)
        expect(row.slice(5, 6).concat(row[7]!)).toEqual(['left', 'TRUE'])
        const threshold = /^Flip ([\d.]+)-([\d.]+)$/.exec(row[2]!)
        if (!threshold) continue
        const ticks = (Number(threshold[2]) - Number(threshold[1])) / one.reading.symbol.tick
        expect(Number(row[6])).toBe(Math.max(1, Math.round(ticks)))
      }
    }),
    { seed: SEED, numRuns: runs(400) },
  )
})

test('the examples of the page are what is written', () => {
  const ladder = { strikes: [6000], calls: [401.2], puts: [-912.7] }
  const row = {
    spot: 5902.19,
    flip: 5995.93,
    flip_lo: 5985.32,
    flip_hi: 6007.1,
    flip_roots: [5995.93],
    call_wall: 6000,
    put_wall: 6000,
    measured_share: 0.149,
  }
  const of = (sym: string, basis: number): Good => {
    const symbol = parseSymbol(sym)
    const future = symbol.kind === 'future' ? { contract: 'ESZ6', basis } : null
    const findPrice = priceRule(symbol, future)
    const range = { low: 5937.53, high: 6045.19 }
    const reading = { symbol, future, toPrice: findPrice, toMove: findPrice, row, range } as never
    return { reading, wire: wireLevels(reading, { ladder, reason: null }, 1) }
  }
  expect(pairsText([of('SPX', 0)], 'pairs')).toBe(
    '$SPX: Call Wall, 6000, Put Wall, 6000, Flip, 5995.93, Flip Low, 5985.32, Flip High, 6007.1, ' +
      'EM Low, 5937.53, EM High, 6045.19, GEX 1, 6000\n',
  )
  const [, flip, wall] = plannedText(of('SPX', 0), '2026-10-15').split('\n')
  expect([flip, wall]).toEqual([
    '5985.32 6007.10 @30 #Gold "Flip"',
    '6000 6000 @60 #Green "Call wall"',
  ])
  const notes = notesCsv([of('ESZ6', 12.25)], { map: 'DXFEED', as: ['/ESZ6:XCME'] })
  expect(notes.split('\r\n')[2]).toBe(
    '/ESZ6:XCME,6008.25,Flip 5997.50-6019.25,#000000,#FFD700,left,87,TRUE',
  )
})

/** A level of a file: its name, and the prices that bound it. */
type Drawn = { readonly name: string; readonly low: number; readonly high: number }

/** The same as the planned levels, which are read back above. */
const listDrawn = (one: Good): Drawn[] =>
  parseLines(plannedText(one, '2026-10-15')).zones.map(({ label: name, low, high }) => ({
    name,
    low,
    high,
  }))

const COLORS = 'red green blue white black purple pink yellow gold brown cyan gray'.split(' ')

/**
 * Rows as the importers of Sierra Chart take them apart: the first and the last quote are cut off,
 * and what stands between the other quotes and commas are cells; empty ones do not exist.
 */
function parseSierra(text: string): Drawn[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map(row => {
      const cells = row.slice(1, -1).split(/[",]+/)
      expect(cells, row).toHaveLength(7)
      const [low, second, name, color, style, width, alignment] = cells as string[]
      expect(COLORS).toContain(color)
      expect([style, width, alignment].join(' ')).toMatch(/^[0-4] [1-9] [12]$/)
      // 0 is no second price
      const high = Number(second) === 0 ? low : second
      return { name: name!, low: Number(low), high: Number(high) }
    })
}

test('rows for Sierra Chart are read back as the planned levels', () => {
  fc.assert(
    fc.property(reported, one => {
      expect(parseSierra(sierraText(one))).toEqual(listDrawn(one))
    }),
    { seed: SEED, numRuns: runs(400) },
  )
})

/** Statements that a study may have, each by the words of its reference. */
const STATEMENTS = [
  /^declare upper$/,
  /^input show_names = yes$/,
  /^def is_last_bar = !IsNaN\(close\) and IsNaN\(close\[-1\]\)$/,
  /^plot (?<plot>[A-Z]\w*) = (?<price>\d+(?:\.\d+)?)$/,
  /^(?<colored>\w+)\.SetDefaultColor\(Color\.(?:YELLOW|GREEN|RED|GRAY|CYAN)\)$/,
  /^(?<styled>\w+)\.SetStyle\(Curve\.(?:FIRM|SHORT_DASH)\)$/,
  /^(?<hidden>\w+)\.HideBubble\(\)$/,
  /^AddCloud\((?<lower>\w+), (?<upper>\w+), Color\.\w+, Color\.\w+\)$/,
  /^AddChartBubble\(show_names and is_last_bar, (?<at>[\d.]+), "(?<name>[^"]+)", Color\.\w+, yes\)$/,
]

/** A study as its statements: every plot is set up once, and a level ends with its bubble. */
function parseThinkscript(text: string): Drawn[] {
  const [head, ...lines] = text.trimEnd().split('\n')
  expect(head).toMatch(/^# Tapefold levels of \w+, known at 2026-10-15 11:14 ET\./)
  const drawn: Drawn[] = []
  let plots = new Map<string, number>()
  const setUp: string[] = []
  for (const line of lines.filter(each => !each.startsWith('#'))) {
    expect(line.endsWith(';'), line).toBe(true)
    const statement = line.slice(0, -1)
    const match = STATEMENTS.flatMap(pattern => pattern.exec(statement) ?? [])
    const groups = STATEMENTS.map(pattern => pattern.exec(statement)).find(Boolean)?.groups
    expect(match.length, line).toBeGreaterThan(0)
    const { plot, price, colored, styled, hidden, lower, upper, at, name } = groups ?? {}
    if (plot !== undefined) plots.set(plot, Number(price))
    for (const used of [colored, styled, hidden, lower, upper]) {
      if (used !== undefined) expect([...plots.keys()], line).toContain(used)
    }
    for (const used of [colored, styled, hidden]) if (used !== undefined) setUp.push(used)
    if (name === undefined) continue
    const prices = [...plots.values()]
    expect(Number(at)).toBe(Math.max(...prices))
    expect(setUp).toHaveLength(3 * plots.size)
    drawn.push({ name, low: Math.min(...prices), high: Math.max(...prices) })
    plots = new Map()
    setUp.length = 0
  }
  expect(plots.size).toBe(0)
  return drawn
}

test('studies of thinkorswim are read back as the planned levels, no name twice', () => {
  fc.assert(
    fc.property(reported, one => {
      const text = thinkscriptText(one, { day: '2026-10-15', minute: '11:14' })
      // a band whose ends were swapped would not be the same
      const expected = listDrawn(one).map(({ name, low, high }) => {
        return { name, low: Math.min(low, high), high: Math.max(low, high) }
      })
      if (listDrawn(one).every(({ low, high }) => low <= high)) {
        expect(parseThinkscript(text)).toEqual(expected)
      }
      const names = [...text.matchAll(/^plot (\w+)/gm)].map(([, name]) => name)
      expect(new Set(names).size).toBe(names.length)
      if (expected.length === 0) expect(text).toContain('# no level is known')
    }),
    { seed: SEED, numRuns: runs(400) },
  )
})
