/** Reasons that any HTTP server may give, where a source's documents say nothing else. */

import { shown } from '../../src/core/disk/text.ts'
import { type FailedResponse, FetchProblem } from './source.ts'

/** Reason of a failed response by its status alone. */
export function explainStatus(name: string, { status, text }: FailedResponse): FetchProblem {
  const problem = (kind: FetchProblem['kind'], why: string) =>
    new FetchProblem(kind, `${name} ${why} (${status}).`)
  if (status === 401) return problem('wrong_key', 'does not know the key')
  if (status === 403) return problem('no_permission', 'does not permit this request')
  if (status === 404) return problem('no_data', 'has no such file')
  if (status === 408) return problem('unavailable', 'waited too long for the request')
  if (status === 429) return problem('too_many', 'takes no more requests for now')
  if (status >= 500) return problem('unavailable', 'has a fault of its own')
  const start = text.trim() === '' ? '' : ` and says ${shown(text)}`
  return new FetchProblem('bad_request', `${name} does not take this request (${status})${start}.`)
}

/** Returns a source's own message as the end of a sentence: its full stops are semicolons. */
export const oneSentence = (message: string): string =>
  message
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\.( |$)/g, ';$1')
    .replace(/[; ]+$/, '')
    .slice(0, 300)
