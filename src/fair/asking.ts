import type { Response } from 'express'
import { requestContext } from '../http/request.ts'
import type { Requester } from './desk.ts'

/**
 * Answers a call in the turns of its account. A client that hangs up gives its turn back, and what
 * fails because of it is no error: nobody is there who could be told.
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
