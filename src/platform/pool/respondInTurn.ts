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
  try {
    await respond(new CallRequester(res))
  } catch (error) {
    if (!hasHungUp(res)) throw error
  }
}

const hasHungUp = (res: Response): boolean => res.closed && !res.writableFinished

/** The account of a call; its signal is made when it is first read, as most calls need none. */
class CallRequester implements Requester {
  readonly account: string
  readonly #res: Response
  #signal: AbortSignal | null = null

  constructor(res: Response) {
    this.account = requestContext(res).accountId!
    this.#res = res
  }

  get signal(): AbortSignal {
    this.#signal ??= openHangUp(this.#res)
    return this.#signal
  }
}

/** Returns a signal that is aborted once the client hangs up before the response is out. */
function openHangUp(res: Response): AbortSignal {
  const hangUp = new AbortController()
  if (hasHungUp(res)) hangUp.abort()
  res.on('close', () => {
    if (!res.writableFinished) hangUp.abort()
  })
  return hangUp.signal
}
