import { z } from 'zod'
import { ApiError } from '../platform/http/error.ts'
import { USUAL_LIST } from './catalogue.ts'
import { completeStoredEntry, type StoredListEntry } from './completeEntry.ts'
import { ALERT_BOOKS, type AlertLine, LIST_TYPES, type ListEntry, type OrderRule } from './kinds.ts'
import type {
  StoredAlertLine,
  StoredAlertLineState,
  StoredAlertRule,
  StoredAlerts,
} from './store/types.ts'

/** All alert settings of an account. */
export type SetAlerts = {
  /** Every type of every book, in the order of the catalogue. */
  readonly list: readonly ListEntry[]
  readonly lines: readonly SetLine[]
  readonly rules: readonly OrderRule[]
}

export type SetLine = AlertLine & StoredAlertLineState

const StoredList = z.array(
  z.looseObject({
    type: z.enum(LIST_TYPES),
    book: z.enum(ALERT_BOOKS),
    on: z.boolean(),
    set_at: z.number().default(0),
  }),
)
const StoredRuleBody = z.looseObject({ name: z.string(), on: z.boolean() })

/** Parses stored settings. Fails with `internal` when they cannot be read. */
export function parseStoredAlerts({ list, lines, rules }: StoredAlerts): SetAlerts {
  try {
    const own = list === null ? [] : StoredList.parse(JSON.parse(list))
    return {
      list: USUAL_LIST.map(usual => {
        const set = own.find(({ type, book }) => type === usual.type && book === usual.book)
        return set ? completeStoredEntry(set as StoredListEntry) : usual
      }),
      lines: lines.map(setLine),
      rules: rules.map(setRule),
    }
  } catch (cause) {
    // the store has responded; a repeated query would not help
    throw Object.assign(new ApiError('internal'), { cause })
  }
}

const setRule = ({ id, body }: StoredAlertRule) =>
  ({ id, ...StoredRuleBody.parse(JSON.parse(body)) }) as OrderRule

/** Parses a stored line. */
function setLine(row: StoredAlertLine & StoredAlertLineState): SetLine {
  const { id, kind, price, level, book, offset, mode, direction, note, isArmed, firedAtMs } = row
  const where = kind === 'price' ? { kind, price } : { kind, level, book, offset }
  return { id, ...where, mode, direction, note, isArmed, firedAtMs } as SetLine
}

/** The database row of a line. */
export const lineRow = (line: AlertLine): StoredAlertLine => ({
  id: line.id,
  kind: line.kind,
  price: line.kind === 'price' ? line.price : null,
  book: line.kind === 'level' ? line.book : null,
  level: line.kind === 'level' ? line.level : null,
  offset: line.kind === 'level' ? line.offset : null,
  direction: line.direction,
  mode: line.mode,
  note: line.note,
})

/** The database row of a rule. */
export const ruleRow = ({ id, ...body }: OrderRule): StoredAlertRule => ({
  id,
  body: JSON.stringify(body),
})

/** Time at which an entry was last set; 0: it is the default one. */
export function entrySetAt(list: string, { type, book }: ListEntry): number {
  const own = StoredList.parse(JSON.parse(list))
  return own.find(one => one.type === type && one.book === book)?.set_at ?? 0
}

/** The entries that an account has set, as they are stored; the others are defaults. */
export function updateStoredList(before: string | null, entry: ListEntry, atMs: number): string {
  const own = before === null ? [] : StoredList.parse(JSON.parse(before))
  const others = own.filter(({ type, book }) => type !== entry.type || book !== entry.book)
  return JSON.stringify([...others, { ...entry, set_at: atMs }])
}
