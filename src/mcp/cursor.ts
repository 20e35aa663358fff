import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ToolError } from './tool.ts'

/** Cursors of lists: bound to the revision of their source, and to the query. */

const Cursor = z.strictObject({
  of: z.string().length(16),
  at: z.int().min(1).max(10_000_000),
})

/** Hash of a list's revision and its query, without cursor and size. */
const hashQuestion = (revision: string, question: object): string =>
  createHash('sha256')
    .update(JSON.stringify([revision, question]))
    .digest('base64url')
    .slice(0, 16)

/** Cursor of the rows from an index on; null at the end of the list. */
export function cursorAt(
  { revision, question }: Listed,
  { at, total }: { readonly at: number; readonly total: number },
): string | null {
  if (at >= total) return null
  return Buffer.from(JSON.stringify({ of: hashQuestion(revision, question), at })).toString(
    'base64url',
  )
}

export type Listed = { readonly revision: string; readonly question: object }

/** Returns the index at which a cursor continues, 0 without one. Fails with a sentence. */
export function readPosition(cursor: string | undefined, { revision, question }: Listed): number {
  if (cursor === undefined) return 0
  const parsed = parse(cursor)
  if (parsed === null) {
    throw new ToolError('cursor is not one of this server; give next_cursor of the answer before.')
  }
  if (parsed.of === hashQuestion(revision, question)) return parsed.at
  throw new ToolError(
    'cursor is of another question or of an older revision of these data; leave cursor out and ' +
      'begin again. In a running session give asof, such as asof "10:37".',
  )
}

function parse(cursor: string): z.infer<typeof Cursor> | null {
  try {
    const text = Buffer.from(cursor, 'base64url').toString('utf8')
    return Cursor.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
