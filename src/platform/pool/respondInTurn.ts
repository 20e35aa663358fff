import type { Response } from 'express'
import { requestContext } from '../http/request.ts'
import type { Requester } from './requestScheduler.ts'

/**
 * Serves a call as a request of its account. A client that hangs up releases its slot, and the
 * resulting failure is not an error: nobody is left to notify.
 */
export async function respondAsRequester(
  res: Response,
  respond: (requester: Requester) => Promise<void>,
): Promise<void> {
  const hangUp = new AbortController()
  if (res.closed) hangUp.abort()
  res.on('close', () => {
    if (!res.writableFinished) hangUp.abort()
  })
  try {
    await respond({ account: requestContext(res).accountId!, signal: hangUp.signal })
  } catch (error) {
    if (!hangUp.signal.aborted) throw error
  }
}
