import { counted } from '../../core/text/counts.ts'
import type { LeftOutReason, PassedOver } from '../market/session.ts'

/** Sentences about published sessions on which nothing was tested. */

const WHY: Readonly<Record<Exclude<LeftOutReason, 'not_published'>, string>> = {
  bad_tape: 'with a bad tape',
  no_minutes: 'without minutes of the market',
  damaged: 'with a damaged file',
}
const REAL = {
  real_bad_tape: WHY.bad_tape,
  real_no_minutes: WHY.no_minutes,
  real_damaged: WHY.damaged,
} as const

/** Describes sessions of another kind or symbol than those that were tested on. */
export function sayPassedOver(passedOver: readonly PassedOver[]): string[] {
  const count = (wanted: PassedOver['reason']) =>
    passedOver.find(({ reason }) => reason === wanted)?.sessions ?? 0
  const [simulated, others] = [count('simulated'), count('other_symbol')]
  const unused = listed(REAL, name => count(name))
  return [
    ...(simulated > 0
      ? [`${are(simulated, 'simulated session')} published too: the two kinds are never mixed.`]
      : []),
    ...(unused === '' ? [] : [`No real session that is published can be tested on: ${unused}.`]),
    ...(others > 0 ? [`${are(others, 'published session')} not of SPX, and not used.`] : []),
  ]
}

/** Explains why there is no session to test on. */
export function sayNone(
  leftOut: readonly { readonly reason: LeftOutReason }[],
  passedOver: readonly PassedOver[],
): string {
  const why = listed(WHY, name => leftOut.filter(({ reason }) => reason === name).length)
  return [
    why === ''
      ? 'No session is published to test on.'
      : `No session that is published can be tested on: ${why}.`,
    ...sayPassedOver(passedOver),
  ].join(' ')
}

/** "2 with a bad tape, 1 with a damaged file"; empty when there are none. */
function listed<Name extends string>(
  words: Readonly<Record<Name, string>>,
  count: (name: Name) => number,
): string {
  const names = Object.keys(words) as Name[]
  return names
    .flatMap(name => (count(name) > 0 ? [`${count(name)} ${words[name]}`] : []))
    .join(', ')
}

const are = (count: number, noun: string) => `${counted(count, noun)} ${count === 1 ? 'is' : 'are'}`
