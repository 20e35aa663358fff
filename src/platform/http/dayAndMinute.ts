import { isDate, type SessionDate } from '../../core/market/calendar.ts'
import { ApiError } from './error.ts'
import { onlyOne } from './query.ts'
import { shown } from './request.ts'

const EXAMPLE = 'such as day=2026-10-14'

/** The parameter `day`, or null without it. Fails with `bad_day`. */
export function givenDay(values: readonly string[]): SessionDate | null {
  const day = onlyOne('day', values, 'bad_day')
  if (day === null || isDate(day)) return day
  throw new ApiError('bad_day', {
    message: `day is ${shown(day)}; give a date written YYYY-MM-DD, ${EXAMPLE}.`,
  })
}

/** Returns the required parameter `day`. Fails with `bad_day`. */
export function neededDay(values: readonly string[]): SessionDate {
  const day = givenDay(values)
  if (day !== null) return day
  throw new ApiError('bad_day', { message: `day is missing; give a date, ${EXAMPLE}.` })
}

/** Returns the text of a minute parameter, or null without it. Fails with `bad_time`. */
export const givenMinute = (name: string, values: readonly string[]): string | null =>
  onlyOne(name, values, 'bad_time')

/** Error for a minute, in one sentence. */
export const badTime = (message: string) => new ApiError('bad_time', { message })
