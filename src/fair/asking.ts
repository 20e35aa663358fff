import type { Response } from 'express'
import { contextOf } from '../http/request.ts'
import type { Asker } from './desk.ts'

/**
 * Answers a call in the turns of its account. A client that hangs up gives its turn back, and what
 * fails because of it is no error: nobody is there who could be told.
 */
export async function answerAsked(
  res: Response,
  answer: (asker: Asker) => Promise<void>,
): Promise<void> {
  const hangUp = new AbortController()
  if (res.closed) hangUp.abort()
  res.on('close', () => {
    if (!res.writableFinished) hangUp.abort()
  })
  try {
    await answer({ account: contextOf(res).accountId!, signal: hangUp.signal })
  } catch (error) {
    if (!hangUp.signal.aborted) throw error
  }
}
