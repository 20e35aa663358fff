import type { SourceState } from '../data/fetched/responses.ts'
import type { SourceStatus } from './schema.ts'

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
