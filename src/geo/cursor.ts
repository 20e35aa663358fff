import { z } from 'zod'
import { sha256 } from '../core/disk/files.ts'

/** Position in a list: bound to the query, and to the as-of time of its first page. */

const Cursor = z.strictObject({
  of: z.string().length(16),
  at: z.int().min(0),
  after: z.string().max(200),
})

export type CursorPosition = { readonly atMs: number; readonly after: string }

const hashQuestion = (question: string): string => sha256(question).slice(0, 16)

/** The cursor that continues after an item, given its key. */
export function cursorAfter({ atMs, after }: CursorPosition, question: string): string {
  const cursor: z.infer<typeof Cursor> = { of: hashQuestion(question), at: atMs, after }
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/** Decodes a cursor; null when it does not belong to the query. */
export function readCursor(text: string, question: string): CursorPosition | null {
  try {
    const decoded = Buffer.from(text, 'base64url').toString('utf8')
    const { of, at, after } = Cursor.parse(JSON.parse(decoded))
    return of === hashQuestion(question) ? { atMs: at, after } : null
  } catch {
    return null
  }
}
