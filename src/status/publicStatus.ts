import type { DataState } from '../http/offers.ts'
import type { Status } from './judge.ts'

/** A path, the name of a file, or a hash: what only who keeps the server has to know. */
const FILE =
  /[\w=-]\.(json|parquet|csv|sqlite|sql|arrow|gz|br)\b|(^|[\s'"`(])\/\w|\w=\S+\/|session=/i
const HASH = /\b[0-9a-f]{16,}\b/i

/**
 * A status as it is told to whoever asks, without a key: that a file is damaged and of which day,
 * not its name nor its hashes. The log, `tapefold status` and `verify` name them.
 */
export function publicStatus(status: Status): Status {
  return {
    ...status,
    problems: publicTexts(status.problems),
    warnings: publicTexts(status.warnings),
  }
}

/** The same in short, for the pages of others. */
export function dataState({ status, problems, newest }: Status): DataState {
  const seen = newest && {
    day: newest.day,
    isFinished: newest.state === 'published',
    lastMinute: newest.last_minute,
  }
  return { status, problems, newest: seen }
}

/** Files of one day are told once. */
const publicTexts = (texts: readonly string[]): string[] => [...new Set(texts.map(publicText))]

function publicText(text: string): string {
  if (!FILE.test(text) && !HASH.test(text)) return text
  const day = /\d{4}-\d{2}-\d{2}/.exec(text)?.[0]
  return day === undefined
    ? "a file cannot be read; the server's log names it"
    : `a file of ${day} is damaged and has to be repaired; the server's log names it`
}
