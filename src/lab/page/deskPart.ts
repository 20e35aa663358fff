import { formatMinute, parseMinute } from '../../core/market/calendar.ts'
import { counted } from '../../core/text/counts.ts'
import { numberText } from '../../platform/html/figures.ts'
import { patterns } from '../../platform/html/levelsPicture.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html, type Piece } from '../../platform/html/template.ts'
import {
  findLastEntry,
  type LabSessionView,
  levelsOfRule,
  type ViewedTrade,
} from '../desk/sessionView.ts'
import type { Viewed } from '../desk/views.ts'
import { joinWords } from '../language/say.ts'
import type { RuleSpec } from '../language/spec.ts'
import type { LabIdea } from '../schema.ts'
import { nameOfMissed } from './eraParts.ts'
import { EXIT_NAMES, optionText, percentText, usdText } from './texts.ts'
import { dayText, minutesTable, noPicture, viewFigure } from './viewParts.ts'
import type { NumberedTrade } from './viewPicture.ts'

/** Picture of the newest session for an idea on the desk. */
export type DrawnIdea = {
  readonly draw: Exclude<LabIdea['draw'], 'off'>
  /** True when the trades of the session are sealed: entries alone are drawn. */
  readonly isSealed: boolean
  readonly spec: RuleSpec
  readonly viewed: Viewed
  /** Path of the session's page; null: it has none. */
  readonly sessionPath: string | null
}

/** Maximum number of trades in a picture; the table has all of them. */
const DRAWN_MAX = 12

/** Newest session with the levels of an idea, or with its trades. */
export function deskPart({ draw, isSealed, spec, viewed, sessionPath }: DrawnIdea): Html {
  if ('reason' in viewed) return section('The newest session', noPicture(viewed))
  const { view, isSimulated, isRunning, held } = viewed
  const drawn = draw === 'levels' ? drawLevels(view, spec) : drawTrades(view, spec)
  const newest = view.minutes[view.known - 1]
  return section(
    `${draw === 'levels' ? 'Levels' : 'Trades'} on ${dayText(view.day)}`,
    html`${
      isSealed &&
      html`<p class="note">This session is in the sealed holdout: its entries are drawn, and not what
came of them, until the holdout is opened.</p>
`
    }${
      held !== null &&
      html`<p class="note">The session of ${held} is drawn here after midnight in New York; before
that with LIVE or ORDERS. This is the one before.</p>`
    }
<p>${isSimulated && html`<span class="mark-simulated">SIMULATED</span> `}${
      isRunning &&
      html`<span class="amber">running</span> As it is known at ${newest}; load the page again for
later minutes. `
    }${drawn.intro}${
      sessionPath !== null && html` <a href="${sessionPath}">The whole session</a>`
    }</p>
${drawn.says.map(sentence => html`<p class="note">${sentence}</p>`)}
${drawn.body}`,
  )
}

const section = (title: string, body: Html): Html => html`<section class="part" id="drawn"
aria-labelledby="drawn-title"><h2 id="drawn-title">${title}</h2>
${patterns()}${body}</section>`

type Drawn = {
  readonly intro: string
  /** Reasons why less is drawn than one might expect. */
  readonly says: readonly string[]
  readonly body: Html
}

function drawLevels(view: LabSessionView, spec: RuleSpec): Drawn {
  const levels = levelsOfRule(spec)
  // strikes are drawn from the entry; the outcome is drawn with the trades
  const trades = numbered(
    view.trades.filter(({ entry }) => entry.at !== null).map(trade => ({ ...trade, exit: null })),
  )
  const shown = trades.slice(0, DRAWN_MAX)
  return {
    intro: `The index by minute${
      levels.length > 0 ? ', the levels that the rule refers to,' : ''
    } and the strikes of its entry from the minute at which they were known.`,
    says: [
      ...(levels.length === 0 ? ['The rule refers to no level: its strikes alone are drawn.'] : []),
      ...(trades.length === 0 ? whyNone(view, spec) : []),
      ...cutNote(trades),
    ],
    body: html`${viewFigure({ id: 'desk-picture', view, levels, trades: shown, isToTheEnd: true })}
${
  trades.length > 0 &&
  renderTable({
    caption: 'Strikes of the entries',
    columns: [{ head: '#', isNumber: true }, 'entry', 'options', 'traded'],
    rows: trades.map(({ number, trade }) => [
      number,
      trade.entry.minute,
      renderOptions(trade),
      trade.isInRule ? 'yes' : 'no: the conditions did not hold',
    ]),
  })
}
${minutesTable(
  view,
  levels,
  trades.map(({ trade }) => trade),
)}`,
  }
}

function drawTrades(view: LabSessionView, spec: RuleSpec): Drawn {
  const trades = numbered(view.trades.filter(({ isInRule }) => isInRule))
  const shown = trades.slice(0, DRAWN_MAX)
  return {
    intro: 'The paper trades of the rule: what it does by itself, on or off. No order is sent.',
    says: [
      ...(trades.length === 0 ? whyNone(view, spec) : describeMissed(view)),
      ...cutNote(trades),
    ],
    body: html`${viewFigure({
      id: 'desk-picture',
      view,
      levels: [],
      trades: shown,
      isToTheEnd: false,
    })}
${trades.length > 0 && tradesTable(view, trades)}
${minutesTable(
  view,
  [],
  trades.map(({ trade }) => trade),
)}`,
  }
}

const numbered = (trades: readonly ViewedTrade[]): NumberedTrade[] =>
  trades.map((trade, index) => ({ number: index + 1, trade }))

const cutNote = ({ length }: readonly NumberedTrade[]): string[] =>
  length <= DRAWN_MAX
    ? []
    : [`The first ${DRAWN_MAX} of ${length} are drawn; the table has all of them.`]

const renderOptions = ({ options }: Pick<ViewedTrade, 'options'>): Html =>
  html`<span class="one-line">${options.map(optionText).join(' ')}</span>`

const tradesTable = (view: LabSessionView, trades: readonly NumberedTrade[]): Html =>
  renderTable({
    caption: 'Trades of the session; points are received above zero, paid below',
    columns: [
      { head: '#', isNumber: true },
      'entry',
      'options',
      { head: 'points in', isNumber: true },
      'exit',
      ...['points out', 'profit', 'of the risk'].map(head => ({ head, isNumber: true })),
    ],
    rows: trades.map(({ number, trade }) => [
      number,
      timeText(trade.entry, view.day),
      renderOptions(trade),
      numberText(trade.net, 2),
      ...exitCells(trade, view),
    ]),
  })

function exitCells({ exit, isUnresolved }: ViewedTrade, view: LabSessionView): Piece[] {
  if (exit === null) {
    const newest = view.minutes[view.known - 1] ?? ''
    return [isUnresolved ? 'its end is not known' : `open at ${newest}`, '–', '–', '–']
  }
  return [
    html`<span class="one-line">${EXIT_NAMES[exit.reason]}, ${timeText(exit, view.day)}</span>`,
    numberText(exit.net, 2),
    usdText(exit.pnlUsd),
    percentText(exit.r),
  ]
}

const timeText = ({ day, minute }: { day: string; minute: string }, of: string): string =>
  day === of ? minute : `${day} ${minute}`

/** Maximum number of minutes named in a sentence. */
const NAMED_MAX = 5

/** Explains why a rule has no trade in a session, as far as it is known. */
function whyNone(view: LabSessionView, spec: RuleSpec): string[] {
  const { day, isDayOff, missed, trades, known, minutes } = view
  if (isDayOff) return [`The rule does not trade on ${WEEKDAYS[toWeekday(day)]}s.`]
  const reasons = describeMissed(view)
  const leftOut = [
    ...trades.flatMap(({ isInRule, entry }) => (isInRule ? [] : entry.minute)),
    ...missed.flatMap(({ isInRule, minute }) => (isInRule ? [] : minute)),
  ].sort()
  if (leftOut.length > 0) {
    reasons.push(`No trade at ${namedMinutes(leftOut)}: the conditions did not hold.`)
  }
  const newest = minutes[known - 1]
  const last = findLastEntry(spec)
  const isToCome = newest !== undefined && parseMinute(newest) < last && known < minutes.length
  if (isToCome) reasons.push(`Nothing up to ${newest}; it may enter until ${formatMinute(last)}.`)
  if (reasons.length === 0) reasons.push('Nothing triggered the rule in this session.')
  return reasons
}

/** Describes chances of the rule that led to no trade. */
function describeMissed({ missed }: LabSessionView): string[] {
  const chances = missed.filter(({ isInRule }) => isInRule)
  return [...Map.groupBy(chances, ({ reason }) => reason)].map(
    ([reason, list]) =>
      `No trade at ${namedMinutes(list.map(({ minute }) => minute))}: ${nameOfMissed(reason)}.`,
  )
}

function namedMinutes(minutes: readonly string[]): string {
  const named = [...new Set(minutes)]
  if (named.length <= NAMED_MAX) return joinWords(named)
  return `${counted(named.length, 'minute')} from ${named[0]} to ${named.at(-1)}`
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const toWeekday = (day: string): number => new Date(`${day}T12:00:00Z`).getUTCDay()
