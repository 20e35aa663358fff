import type { Status } from './judge.ts'

/** A path, a file name, or a hash: details for the operator only. */
const FILE =
  /[\w=-]\.(json|parquet|csv|sqlite|sql|arrow|gz|br)\b|(^|[\s'"`(])\/\w|\w=\S+\/|session=/i
const HASH = /\b[0-9a-f]{16,}\b/i

/**
 * Status without a key: states that a file is damaged and of which day, but not its name or hashes.
 * The log, `tapefold status` and `verify` name them.
 */
export function publicStatus(status: Status): Status {
  return {
    ...status,
    problems: publicTexts(status.problems),
    defects: publicTexts(status.defects),
    warnings: publicTexts(status.warnings),
    backfill: status.backfill && {
      ...status.backfill,
      failed: status.backfill.failed.map(({ day }) => ({ day, reason: 'it failed' })),
    },
    // the sentence of a source may name files and addresses
    sources: status.sources.map(each => ({
      ...each,
      problem: each.problem === null ? null : 'the last request failed',
    })),
  }
}

/** Merges the files of one day into one message. */
const publicTexts = (texts: readonly string[]): string[] => [...new Set(texts.map(publicText))]

function publicText(text: string): string {
  if (!FILE.test(text) && !HASH.test(text)) return text
  const day = /\d{4}-\d{2}-\d{2}/.exec(text)?.[0]
  return day === undefined
    ? "a file cannot be read; the server's log names it"
    : `a file of ${day} is damaged and has to be repaired; the server's log names it`
}
