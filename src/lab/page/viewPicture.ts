import { counted } from '../../core/text/counts.ts'
import { pointsText } from '../../platform/html/figures.ts'
import { inside, levelLines, marker, minutesPicture } from '../../platform/html/minutesPicture.ts'
import {
  computeRange,
  createScale,
  linePath,
  percent,
  type Scale,
  SIDE,
  stepPath,
} from '../../platform/html/scale.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { LabSessionView, ViewedTime, ViewedTrade } from '../desk/sessionView.ts'
import type { LevelRef } from '../language/spec.ts'
import { optionText } from './texts.ts'

/** Picture of a session with a rule's trades: the index, levels, strikes from entry to exit. */

export type DrawnView = {
  readonly id: string
  readonly view: LabSessionView
  /** Levels to draw. */
  readonly levels: readonly LevelRef[]
  /** Trades to draw, each by its number. */
  readonly trades: readonly NumberedTrade[]
  /** True to extend strikes to the newest minute, also after the exit. */
  readonly isToTheEnd: boolean
}

export type NumberedTrade = { readonly number: number; readonly trade: ViewedTrade }

/** Style and name of each level. */
export const LEVEL_LOOKS: Readonly<Record<LevelRef, { look: string; name: string }>> = {
  flip: { look: 'flip', name: 'flip' },
  call_wall: { look: 'wall-call', name: 'call wall' },
  put_wall: { look: 'wall-put', name: 'put wall' },
}

/** Distance from the index up to which strikes and levels are drawn, relative to its range. */
const MARGIN_RATIO = 1.5
const MARGIN_MIN_POINTS = 40
/** Maximum number of trades with vertical lines at entry and exit; more would look like a fence. */
const LINES_MAX = 3

/** Draws the picture; null when no index value is known. */
export function viewPicture(drawn: DrawnView): Html | null {
  const { id, view, levels, trades } = drawn
  const scale = scaleFor(drawn)
  if (!scale) return null
  return minutesPicture({
    id,
    says: describeView(drawn),
    scale,
    behind: html`${levelLines(scale)}`,
    shapes: html`${levels.map(level => {
      const values = inside(view.levels[level], scale)
      const path = level === 'flip' ? linePath(values, scale) : stepPath(values, scale)
      return html`<path class="line ${LEVEL_LOOKS[level].look}" d="${path}"/>\n`
    })}<path class="line spot" d="${linePath(view.spot, scale)}"/>`,
    over: [
      ...(trades.length <= LINES_MAX ? trades.map(({ trade }) => edges(trade, scale)) : []),
      ...trades.map(({ trade }) => strikeLines(trade, drawn, scale)),
      tradeMarks(drawn, scale),
      strikeTexts(drawn, scale),
    ],
  })
}

/** Strikes of trades that are too far from the index to be drawn, ascending. */
export function farStrikes(drawn: DrawnView): readonly number[] {
  const scale = scaleFor(drawn)
  const strikes = new Set(listStrikes(drawn))
  return [...strikes].filter(strike => !scale || !isIn(strike, scale)).sort((a, b) => a - b)
}

const listStrikes = ({ trades }: DrawnView): number[] =>
  trades.flatMap(({ trade }) => trade.options.map(({ strike }) => strike))

const isIn = (value: number, { low, high }: Scale) => value >= low && value <= high

/** Scale around the index: levels and strikes widen it as far as the index stays readable. */
function scaleFor(drawn: DrawnView): Scale | null {
  const { view, levels } = drawn
  const spots = view.spot.filter(value => value !== null)
  if (spots.length === 0) return null
  const [least, most] = [Math.min(...spots), Math.max(...spots)]
  const margin = Math.max(MARGIN_MIN_POINTS, MARGIN_RATIO * (most - least))
  const near = [...listStrikes(drawn), ...levels.flatMap(level => view.levels[level])].filter(
    value => value !== null && value >= least - margin && value <= most + margin,
  )
  const { low, high } = computeRange([spots, near])!
  const span = high - low
  return createScale(view.minutes, low - FOOT * span, high + HEAD * span)
}

/** Margins for the hours at the bottom, and for numbers at the top, as shares of the range. */
const FOOT = 0.06
const HEAD = 0.04

function describeView({ view, trades }: DrawnView): string {
  const spots = view.spot.filter(value => value !== null)
  const last = view.minutes[view.known - 1] ?? ''
  return [
    `The index from ${view.minutes[0]} to ${last}, from ${pointsText(spots[0])} to`,
    `${pointsText(spots.at(-1))}, with ${counted(trades.length, 'trade')}: see the table.`,
  ].join(' ')
}

/** Start and end of a trade in the picture: its edges when they were in another session. */
function findEnds({ entry, exit }: ViewedTrade, { view, isToTheEnd }: DrawnView) {
  const newest = view.known - 1
  return { from: entry.at ?? 0, to: isToTheEnd ? newest : (exit?.at ?? newest) }
}

const edges = ({ entry, exit }: ViewedTrade, scale: Scale): Html =>
  html`${entry.at !== null && marker(scale, entry.at)}${
    exit !== null && exit.at !== null && marker(scale, exit.at, 'release')
  }`

const strikeLines = (trade: ViewedTrade, drawn: DrawnView, scale: Scale): Html[] => {
  const { from, to } = findEnds(trade, drawn)
  const [left, right] = [percent(scale.x(from)), percent(scale.x(Math.max(from, to)))]
  return trade.options.flatMap(({ sign, strike }) => {
    if (!isIn(strike, scale)) return []
    const y = percent(scale.y(strike))
    const look = `${sign < 0 ? 'sold' : 'bought'}${trade.isInRule ? '' : ' left-out'}`
    return html`<line class="strike ${look}" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/>\n`
  })
}

/**
 * Draws a ring on the index at each entry, a square at each exit, with the numbers of their trades
 * when there is more than one.
 */
function tradeMarks(drawn: DrawnView, scale: Scale): Html {
  const { view } = drawn
  const own = drawn.trades.filter(({ trade }) => trade.isInRule)
  const each = (
    readTime: (trade: ViewedTrade) => ViewedTime | null,
    shape: Html,
    side: { readonly dy: number },
  ) =>
    [...Map.groupBy(own, ({ trade }) => readTime(trade)?.at ?? null)].map(([at, trades]) => {
      const spot = at === null ? null : (view.spot[at] ?? null)
      if (at === null || spot === null) return null
      const text = own.length > 1 && trades.map(({ number }) => number).join(',')
      const anchor = scale.x(at) > 0.96 * SIDE ? 'end' : 'middle'
      return html`<svg class="moment" x="${percent(scale.x(at))}"
y="${percent(scale.y(spot))}">${shape}${
        text && html`<text class="${anchor}" y="${side.dy}">${text}</text>`
      }</svg>\n`
    })
  return html`${each(({ exit }) => exit, html`<rect x="-5" y="-5" width="10" height="10"/>`, {
    dy: 18,
  })}${each(({ entry }) => entry, html`<circle r="5.5"/>`, { dy: -9 })}`
}

/** Distance at which two texts would overlap, in units of `SIDE`. */
const TEXT_HEIGHT = 48
const TEXTS_OF_LINE = 3
/** Maximum start of a text; further right it would be cut off. */
const TEXT_START_MAX = 0.82 * SIDE

/** Strike labels at the right side; overlapping ones are joined. */
function strikeTexts(drawn: DrawnView, scale: Scale): Html {
  const end = scale.x(Math.max(0, ...drawn.trades.map(({ trade }) => findEnds(trade, drawn).to)))
  // after the end of the last line, if there is enough space
  const at =
    end < TEXT_START_MAX
      ? html`x="${percent(end)}" dx="7" dy="4"`
      : html`class="end" x="100%" dx="-4" dy="-4"`
  const options = drawn.trades.flatMap(({ trade }) => trade.options)
  const texts = new Map(options.map(option => [optionText(option), option.strike]))
  const groups: { y: number; texts: string[] }[] = []
  for (const [text, strike] of [...texts].sort(([, a], [, b]) => b - a)) {
    if (!isIn(strike, scale)) continue
    const y = scale.y(strike)
    const last = groups.at(-1)
    if (last && y - last.y < TEXT_HEIGHT) last.texts.push(text)
    else groups.push({ y, texts: [text] })
  }
  return html`<g class="labels${drawn.trades.length > LINES_MAX && ' many'}">${groups.map(
    ({ y, texts }) => {
      const shown = texts.slice(0, TEXTS_OF_LINE).join(' ')
      const more = texts.length > TEXTS_OF_LINE ? ' …' : ''
      return html`<text ${at} y="${percent(y)}">${shown}${more}</text>\n`
    },
  )}</g>`
}
