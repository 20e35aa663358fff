import { attemptOperations } from './attempts.ts'
import { claimOperations } from './claims.ts'
import { contactOperations } from './contacts.ts'
import { putBackOperations } from './dueTimes.ts'
import { endpointOperations } from './endpoints.ts'
import { endOperations } from './ends.ts'
import { oldOperations } from './expired.ts'
import { logOperations } from './logs.ts'
import { mailedCodeOperations } from './mailedCodes.ts'
import { minuteOperations } from './minutes.ts'
import type { Outbox } from './outbox.ts'
import { type OutboxDatabase, queueOperations } from './queue.ts'
import { onceOperations } from './sendOnce.ts'

/** All operations on the events and deliveries of accounts. */
export const outboxOperations = (database: OutboxDatabase): Outbox => ({
  ...endpointOperations(database),
  ...contactOperations(database),
  ...mailedCodeOperations(database),
  ...minuteOperations(database),
  ...queueOperations(database),
  ...onceOperations(database),
  ...claimOperations(database),
  ...putBackOperations(database),
  ...attemptOperations(database),
  ...endOperations(database),
  ...logOperations(database),
  ...oldOperations(database),
})
