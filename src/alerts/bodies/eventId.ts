import { hash } from 'node:crypto'
import type { MinuteEt, SessionDate } from '../../core/market/calendar.ts'
import type { AlertBook } from '../kinds.ts'
import type { Subject } from '../rules/step.ts'

/** Hexadecimal digits of an id. */
const DIGITS = 32

/** Identity of an event: when it is found again, it has the same id. */
export type EventSource = {
  /** `live`, or the id of the replay. */
  readonly run: string
  readonly accountId: string
  /** `list`, or the id of the line, the rule or the position. */
  readonly source: string
  readonly type: string
  readonly day: SessionDate
  /** Null for orders, which a rule reports once a session. */
  readonly minute: MinuteEt | null
  /** The line, the order, or the result of `listSubject`. */
  readonly subject: string
}

/** `evt_` and 32 hexadecimal digits. */
export function eventId({ run, accountId, source, type, day, minute, subject }: EventSource) {
  const parts = [run, accountId, source, type, day, minute ?? '', subject]
  return `evt_${hash('sha256', parts.join('|')).slice(0, DIGITS)}`
}

/** Subject of a list entry's event: a level of one book, as an entry may select several. */
export const listSubject = (book: AlertBook, level: Subject): string => `${book} ${level}`
