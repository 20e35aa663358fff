import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BodyPart, storedBody } from '../../src/alerts/bodies/bodyPart.ts'
import type { FoundAt } from '../../src/alerts/bodies/levels.ts'
import { lineBody, openLineExtras } from '../../src/alerts/bodies/lines.ts'
import type { ReportedReading } from '../../src/alerts/bodies/positions.ts'
import type { AlertLine } from '../../src/alerts/kinds.ts'
import type { BookState } from '../../src/alerts/rules/inputs.ts'
import type { LevelFinding } from '../../src/alerts/rules/minute.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { eventBody } from '../../src/outbox/store/body.ts'

/** Webhook bodies as the design of the alerts writes them, byte for byte, with their headers. */
export type BodyVector = {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const readBodyVectors = (): BodyVector[] =>
  readFileSync(join(import.meta.dirname, '../vectors/alert_bodies.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

export const DAY = '2026-11-25'

export const state = (minute: string, spot: number, put = 5950, flip = 5998.76): BookState => ({
  minute,
  spot,
  flip,
  flipLo: 5991.2,
  flipHi: 6006.4,
  roots: [flip],
  callWall: 6050,
  putWall: put,
  netGamma: -42.364,
})

/** A state as the levels of every book, found so many seconds after its minute. */
export const asOf = (of: BookState, seconds = 3, more: Partial<FoundAt> = {}): FoundAt => ({
  day: DAY,
  minute: of.minute,
  books: { measured: of, volume: of, open_interest: of },
  foundAtMs: instantMs(DAY, of.minute) + seconds * 1000,
  isReplay: false,
  isSimulated: false,
  ...more,
})

export const render = (shared: BodyPart, extra: BodyPart | null, vector: string): string =>
  eventBody({
    id: JSON.parse(vector).id,
    body: storedBody(shared),
    extra: extra && JSON.stringify(extra),
    hasPutSupport: true,
  })

export const finding = (
  of: Pick<LevelFinding, 'type' | 'subject' | 'value' | 'direction'> & Partial<LevelFinding>,
): LevelFinding => ({ group: 'g', book: 'measured', minute: '10:00', ...of })

export const PRICE_LINE: AlertLine & { kind: 'price' } = {
  id: 'l_7Qd2hV9sKx0T',
  kind: 'price',
  price: 6000,
  mode: 'once',
  direction: 'any',
  note: 'a note of mine',
}
export const LEVEL_LINE: AlertLine & { kind: 'level' } = {
  id: 'l_8Re3jW0tLy1U',
  kind: 'level',
  level: 'put_wall',
  book: 'measured',
  offset: 10,
  mode: 'repeat',
  direction: 'any',
  note: null,
}
export function line(of: BookState, one: AlertLine, value: number | null): [BodyPart, BodyPart] {
  const price = one.kind === 'price' ? one.price : value! + one.offset
  const event = {
    price,
    book: 'measured' as const,
    direction: of.spot! >= price ? ('above' as const) : ('below' as const),
    ...(one.kind === 'level' && { level: { kind: one.level, value: value! } }),
  }
  return [lineBody(event, asOf(of)), openLineExtras(asOf(of))(one, event)]
}

export const POSITION = { id: 'p_4fQ8sK2mZx0T', kind: 'condor', entry: '10:30' } as const
export const reading = (minute: string, on: string[], off: number): ReportedReading => ({
  day: DAY,
  minute,
  foundAtMs: instantMs(DAY, minute) + 4000,
  counts: { on: on.length, off, unknown: 1 },
  on,
  shorts: [
    { leg: 'sp', points: 41.2, expected_moves: 1.31 },
    { leg: 'sc', points: 38.8, expected_moves: 1.23 },
  ],
  isReplay: false,
  isSimulated: false,
})
