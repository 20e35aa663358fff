import { ClosedError } from '../../core/disk/closing.ts'
import { missingResource } from '../../core/disk/refusal.ts'
import { Unreadable } from '../../data/published/sight.ts'
import { type ApiError, retryLater } from './error.ts'

/** System errors of a file that may be readable later. */
const CODES: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EAGAIN',
  'EIO',
  'ESTALE',
  'EACCES',
  'EPERM',
  'ELOOP',
  'ENOTDIR',
  'EBUSY',
  'ETIMEDOUT',
  'ENOTCONN',
  'EHOSTDOWN',
  'EREMOTEIO',
  'ENXIO',
])
const RETRY_AFTER_S = 2

/**
 * Error for a call whose files could not be read, or that came while the server stops; null:
 * another kind of error.
 */
export function unreadFiles(thrown: unknown): ApiError | null {
  if (!(thrown instanceof Error)) return null
  if (thrown instanceof ClosedError) return unavailable('the server is stopping', thrown)
  const { code = '', message } = thrown as NodeJS.ErrnoException
  // a worker that cannot be started states the reason only in its message
  const isOfSystem =
    thrown instanceof Unreadable || CODES.has(code) || / (EMFILE|ENFILE|ENOMEM)$/.test(message)
  if (!isOfSystem && missingResource(thrown) === null) return null
  return unavailable('the server cannot read its files', thrown)
}

const unavailable = (why: string, cause: Error): ApiError =>
  Object.assign(retryLater('unavailable', why, RETRY_AFTER_S), { cause })
