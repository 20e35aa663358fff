import { changeOnce } from '../../accounts/repeats.ts'
import type { Outbox } from './outbox.ts'
import { addRedelivery, findToRedeliver, type OutboxDatabase, queueSingle } from './queue.ts'

/** Events sent on request, each once however often the request is repeated. */
export function onceOperations(database: OutboxDatabase) {
  return {
    sendOnce: request =>
      changeOnce(database, request, async trx => {
        const { accountId, decide } = request
        if ('event' in request) {
          const response = decide({ isThere: true, isSent: true, isUnderway: false })
          return async () => {
            await queueSingle(trx, request.event)
            return response
          }
        }
        const { eventId, dueMs } = request.again
        const event = await findToRedeliver(trx, { accountId, eventId })
        const response = decide({
          isThere: event !== null,
          isSent: event !== null && event.channels !== '',
          isUnderway: event?.isUnderway ?? false,
        })
        return async () => {
          if (event) await addRedelivery(trx, event, dueMs)
          return response
        }
      }),
  } satisfies Partial<Outbox>
}
