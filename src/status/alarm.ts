import type { Log } from '../platform/http/request.ts'
import type { Status } from './judge.ts'

/**
 * Logs the problems of the data at error level when they change, and their end: once per change,
 * however often the status is read and however their figures grow.
 */
export function createAlarm(log: Log): (status: Status) => void {
  let last = ''
  return ({ alarm, problems, now_et: nowEt }) => {
    if (alarm === last) return
    last = alarm
    if (alarm === '') log.info({ nowEt }, 'data as expected again')
    else log.error({ nowEt, problems }, 'data alarm')
  }
}
