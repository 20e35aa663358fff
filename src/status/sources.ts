import type { SourceState } from '../data/fetched/responses.ts'

/** A source of market data that `fetch` has used, and whether it is late. */
export type SourceStatus = {
  readonly source: string
  readonly severity: 'green' | 'amber'
  /** The day, or year, of its newest response; null: none came. */
  readonly newest_day: string | null
  /** UTC, of its newest response; null: none came. */
  readonly responded_at: string | null
  /** UTC instant by which the next one should come; null where none is expected. */
  readonly due_at: string | null
  /** Time by which its rows are late by themselves, in seconds. */
  readonly delay_s: number
  /** Why the last request failed, one sentence; null where it did not. */
  readonly problem: string | null
}

/** Judges each source: amber when a response is overdue, or when the last request failed. */
export const judgeSources = (
  states: readonly SourceState[],
  atMs: number,
): readonly SourceStatus[] =>
  states.map(({ source, newest_day, responded_at, due_at, delay_s, problem }) => {
    const isLate = due_at !== null && Date.parse(due_at) < atMs
    const severity = isLate || problem !== null ? 'amber' : 'green'
    return { source, severity, newest_day, responded_at, due_at, delay_s, problem }
  })

/** Sentence about a source that is amber; its `problem` says more, to the operator alone. */
export function explainSource({ source, problem, due_at, responded_at }: SourceStatus): string {
  if (problem !== null) return `the last fetch of ${source} failed`
  const since =
    responded_at === null ? 'nothing came yet' : `its newest came at ${utc(responded_at)}`
  return `${source} is late: a response was due at ${utc(due_at!)}, and ${since}`
}

const utc = (text: string): string => `${text.slice(0, 16).replace('T', ' ')} UTC`

/**
 * Time by which the market data of a running day are late by their source, in seconds: of several
 * sources that gave some of it, or are followed, the least; 0 where none did.
 */
export function sourceDelay(sources: readonly SourceStatus[], today: string): number {
  const running = sources.filter(
    ({ newest_day, delay_s, due_at }) => newest_day === today && (delay_s > 0 || due_at !== null),
  )
  return running.length === 0 ? 0 : Math.min(...running.map(({ delay_s }) => delay_s))
}
