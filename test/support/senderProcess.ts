// A process that sends what waits in an account database, until nothing does, or until it is killed
// at one of its steps. Its arguments are one JSON text.

import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { openSender } from '../../src/outbox/sending/sender.ts'
import { systemTimers } from '../../src/outbox/sending/timers.ts'
import { webhookSender } from '../../src/outbox/sending/webhook.ts'
import { openWebhookClient } from '../../src/platform/webhooks/client.ts'
import { tlsDial } from '../../src/platform/webhooks/connect.ts'
import { openSecretBox } from '../../src/platform/webhooks/secretBox.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'

export type SenderProcess = {
  /** Of the account database. */
  readonly place: string
  readonly dataFolder: string
  readonly ca: string
  /** The receiver, as the rules of addresses have it. */
  readonly allowed: string
  /** How far its clock is ahead: leases of those killed before are over. */
  readonly aheadMs: number
  /** The step at which it kills itself; null: it ends when nothing waits. */
  readonly killAt: number | null
}

const given: SenderProcess = JSON.parse(process.argv[2]!)
const nowMs = () => systemClock.nowMs() + given.aheadMs
let steps = 0

/** Counts what is done, before and after it, and ends this process at one of the steps. */
function step(): void {
  steps += 1
  if (steps === given.killAt) process.kill(process.pid, 'SIGKILL')
}

async function stepping<Result>(work: () => Promise<Result>): Promise<Result> {
  step()
  const result = await work()
  step()
  return result
}

const { outbox, close } = await openAccountStore(given.place)
const client = openWebhookClient({
  dial: tlsDial(given.ca),
  elapsedMs: () => performance.now(),
  allowed: [given.allowed],
  ownHosts: [],
})
const box = openSecretBox({ secretKey: null, databaseUrl: null, dataFolder: given.dataFolder })
const sender = openSender({
  outbox: {
    // looking in vain is no step
    claim: async requested => {
      const claimed = await outbox.claim(requested)
      if (claimed.length > 0) step()
      return claimed
    },
    beginAttempts: requested => stepping(() => outbox.beginAttempts(requested)),
    endAttempts: requested => stepping(() => outbox.endAttempts(requested)),
  },
  channels: {
    webhook: webhookSender({
      box,
      nowMs,
      client: { post: call => stepping(() => client.post(call)) },
    }),
  },
  holder: `${process.pid} ${given.aheadMs}`,
  nowMs,
  timers: systemTimers,
  log: { info: () => {}, error: (fields, message) => console.error(message, fields) },
})
sender.start()
for (let isDone = false; !isDone; ) {
  await sleep(20)
  const { waiting, trying } = await outbox.outboxState({ nowMs: nowMs() })
  isDone = waiting === 0 && trying === 0
}
await sender.stop()
await client.close()
await close()
