import { randomBytes } from 'node:crypto'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import type { ChangeResponse, Repeat } from '../accounts/repeats.ts'
import type { AccountStore } from '../accounts/types.ts'
import { wallTimeEt } from '../core/market/calendar.ts'
import type { SendingState } from '../outbox/store/outbox.ts'
import type { Owner, SingleEvent } from '../outbox/store/types.ts'
import { invalid } from '../platform/http/changeBody.ts'
import { ApiError } from '../platform/http/error.ts'
import { storedBody } from './bodies/bodyPart.ts'
import { alertsTestBody, positionTestBody } from './bodies/onDemand.ts'
import { LIVE_RUN } from './finding/run.ts'
import type { AlertSend } from './parseRequest.ts'
import { ALERTS_OWNER } from './webhook.ts'

/** Events sent on demand: tests, and events that are sent again. */

export type SendRequest = {
  readonly accountId: string
  /** By the server clock that dates stored responses to repeats. */
  readonly atMs: number
  /** By the system clock: the time at which the event is due. */
  readonly dueMs: number
  /** Set when the request may be repeated and must then be sent once. */
  readonly repeat: Repeat | null
  readonly send: AlertSend
}

/** The response. */
export type Sent = {
  readonly ok: true
  /** Id of the event. */
  readonly id: string
}

/**
 * Queues a test, or an event again; null when the repeat's key came with another request. Fails
 * with `invalid`, `not_found` or `unavailable`.
 */
export async function sendOnDemand(
  { outbox }: Pick<AccountStore, 'outbox'>,
  request: SendRequest,
): Promise<ChangeResponse | null> {
  const { send, accountId, atMs, dueMs, repeat } = request
  const once = { accountId, atMs, repeat }
  if (send.op === 'redeliver') {
    const { id } = send
    const decide = ({ isThere, isSent, isUnderway }: SendingState) => {
      if (!isThere) throw noEvent()
      if (!isSent) throw invalid('the event was only listed, as those of a replay are, not sent.')
      if (isUnderway) throw invalid('the event is being delivered; wait until that has ended.')
      return formatResponse(id)
    }
    return refuseWhileUnavailable(() =>
      outbox.sendOnce({ ...once, again: { eventId: id, dueMs }, decide }),
    )
  }
  const owner: Owner = send.position === null ? ALERTS_OWNER : parseOwner(send.position)
  const endpoint = await refuseWhileUnavailable(() => outbox.findEndpoint(accountId, owner))
  if (!endpoint) throw noEndpoint(send.position)
  const event = testEvent({ accountId, owner, atMs: dueMs })
  return refuseWhileUnavailable(() =>
    outbox.sendOnce({ ...once, event, decide: () => formatResponse(event.id) }),
  )
}

const formatResponse = (id: string): string => JSON.stringify({ ok: true, id } satisfies Sent)

/** Form of position ids; any other text is not one. */
function parseOwner(id: string): Owner {
  if (/^p_[0-9A-Za-z]{1,40}$/.test(id)) return id as Owner
  throw noEndpoint(id)
}

// without the id: a response must not reveal whether another account has it or nobody does
export const noEvent = () =>
  new ApiError('not_found', {
    message:
      'this account has no event with this id; GET /api/alerts/events lists those of 30 days.',
  })

function noEndpoint(position: string | null): ApiError {
  if (position === null) {
    return invalid('this account has no webhook for alerts; save its address on the account page.')
  }
  return new ApiError('not_found', {
    message:
      'this account keeps no position with this id whose alert goes to a webhook; ' +
      'GET /api/positions lists those it keeps.',
  })
}

type Testing = { readonly accountId: string; readonly owner: Owner; readonly atMs: number }

function testEvent({ accountId, owner, atMs }: Testing): SingleEvent {
  const isOfAlerts = owner === ALERTS_OWNER
  const part = isOfAlerts ? alertsTestBody(atMs) : positionTestBody(owner, atMs)
  return {
    id: `evt_${randomBytes(16).toString('hex')}`,
    accountId,
    owner,
    atMs,
    type: 'test',
    body: storedBody(part),
    extra: null,
    run: LIVE_RUN,
    day: wallTimeEt(atMs).date,
    minute: null,
    // a user waits for it: it goes first, and has no minute to be late for
    minuteEndMs: null,
    priority: 0,
    channels: ['webhook'],
  }
}
