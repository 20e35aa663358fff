import { isoTimeEt, type MinuteEt, type SessionDate } from '../../core/market/calendar.ts'
import { type BodyPart, type Origin, originFields } from './bodyPart.ts'
import { known, points, strikeText } from './numbers.ts'

/** Paper trade of an idea on the desk, as in a body, which never reveals its direction. */
export type ReportedTrade = {
  readonly structure: string
  /** Ascending, each once. */
  readonly strikes: readonly number[]
  /** Time of its entry. */
  readonly entryDay: SessionDate
  readonly entry: MinuteEt
  /** Reason of its exit; null while it is open. */
  readonly exit: IdeaExit | null
  /** Profit after costs / risk; null: not known. */
  readonly r: number | null
}

export const IDEA_EXITS = ['time', 'profit', 'stop', 'settlement'] as const
export type IdeaExit = (typeof IDEA_EXITS)[number]

const EXIT_WORDS: Readonly<Record<IdeaExit, string>> = {
  time: 'at its time',
  profit: 'at its profit',
  stop: 'at its stop',
  settlement: 'by settlement',
}

export type IdeaMinute = Origin & {
  readonly day: SessionDate
  readonly minute: MinuteEt
  /** Time of the finding, milliseconds. */
  readonly foundAtMs: number
  /** Index points; null: not known. */
  readonly spot: number | null
}

/** Body of an idea's event without its id. The idea is not named: names reveal a side. */
export function ideaBody(id: string, trade: ReportedTrade, at: IdeaMinute): BodyPart {
  const { structure, strikes, entryDay, entry, exit, r } = trade
  return {
    type: exit === null ? 'idea_triggered' : 'idea_closed',
    symbol: 'SPX',
    ...known('price', at.spot === null ? null : points(at.spot)),
    ts: isoTimeEt(at.foundAtMs),
    day: at.day,
    minute: at.minute,
    text: formatText(trade, at),
    idea: { id },
    trade: {
      structure,
      strikes,
      entry_day: entryDay,
      entry,
      ...(exit !== null && { exit, ...known('r', r) }),
    },
    ...originFields(at),
  }
}

function formatText(trade: ReportedTrade, { minute }: IdeaMinute): string {
  const idea = `Your ${trade.structure.replaceAll('_', ' ')} idea`
  const strikes = trade.strikes.map(strikeText).join('/')
  if (trade.exit === null) return `${idea} triggered ${strikes} on paper at ${minute} ET.`
  const result = trade.r === null ? '' : `, r ${trade.r.toFixed(2)}`
  return `${idea} closed ${strikes} on paper ${EXIT_WORDS[trade.exit]}, at ${minute} ET${result}.`
}
