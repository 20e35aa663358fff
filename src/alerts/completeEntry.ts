import { invalid } from '../platform/http/changeBody.ts'
import { listRow, USUAL_LIST } from './catalogue.ts'
import type { AlertBook, ListEntry, ListType } from './kinds.ts'
import type { SentFields } from './readFields.ts'

/** Returns the book of an entry. */
export const chosenBook = ({ book }: SentFields): AlertBook => (book ?? 'measured') as AlertBook

/** Returns the default entry, used where an account has set none. */
const usualEntry = (type: ListType, book: AlertBook): ListEntry =>
  USUAL_LIST.find(entry => entry.type === type && entry.book === book)!

/**
 * Returns the whole entry after an update. A field that was not sent keeps its value, a null resets
 * it to the default. Fails with `invalid`.
 */
export function completeEntry(before: ListEntry, sent: SentFields): ListEntry {
  const usual: Readonly<Record<string, unknown>> = usualEntry(before.type, before.book)
  const changed = Object.entries(sent).filter(([name]) => name !== 'book' && name !== 'type')
  const entry = {
    ...before,
    ...Object.fromEntries(changed.map(([name, value]) => [name, value ?? usual[name]])),
  } as ListEntry
  if (entry.type === 'flip_cross' && entry.certain && entry.book !== 'measured') {
    const why =
      entry.book === 'volume'
        ? 'the interval of the flip is mostly open in the book volume'
        : 'the book open_interest is a convention without an interval'
    throw invalid(`entry.certain is true; ${why}, give false, or "book": "measured".`)
  }
  return entry
}

/** Returns a stored entry; parameters added since it was stored have their defaults. */
export function completeStoredEntry(stored: StoredListEntry): ListEntry {
  const usual = usualEntry(stored.type, stored.book)
  const names = ['on', ...listRow(stored.type).parameters.map(({ name }) => name)]
  const own = names.filter(name => Object.hasOwn(stored, name)).map(name => [name, stored[name]])
  return { ...usual, ...Object.fromEntries(own) } as ListEntry
}

export type StoredListEntry = {
  readonly type: ListType
  readonly book: AlertBook
  readonly [name: string]: unknown
}
