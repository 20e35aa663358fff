// An outbox in a file, with accounts whose events go to webhooks, and what was sent of them.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BegunSend } from '../../src/outbox/sending/channels.ts'
import { openSender, type SenderDeps } from '../../src/outbox/sending/sender.ts'
import type { AttemptOutcome } from '../../src/platform/webhooks/client.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { type FakeTime, fakeTime } from './fakeTime.ts'

export const START_MS = Date.parse('2026-11-25T15:30:00Z')

export type SentTry = {
  readonly begun: BegunSend
  readonly beganMs: number
  readonly endedMs: number
}

/** Response of a receiver to an attempt: an outcome's result, and after how long. */
export type Result = (begun: BegunSend) => {
  readonly result: AttemptOutcome['result']
  readonly afterMs?: number
}

export type TestOutbox = {
  readonly time: FakeTime
  readonly store: ServerStore
  /** Where the store lies, unless given. */
  readonly file: string
  readonly sent: SentTry[]
  readonly begun: { readonly begun: BegunSend; readonly atMs: number }[]
  /** Events of which an attempt disabled an endpoint. */
  readonly switchedOff: string[]
  readonly newAccount: () => Promise<string>
  /** Queues an event of an account for its webhook. */
  readonly queue: (accountId: string, event?: Partial<QueuedEvent>) => Promise<string>
  readonly deliveriesOf: (accountId: string) => ReturnType<ServerStore['outbox']['listDeliveries']>
  readonly sender: (response: Result, deps?: Partial<SenderDeps>) => ReturnType<typeof openSender>
  readonly close: () => Promise<void>
}

export type QueuedEvent = {
  readonly type: string
  readonly owner: 'alerts' | `p_${string}`
  readonly minuteEndMs: number | null
  readonly priority: 0 | 1 | 2 | 3
  readonly channels: readonly ('webhook' | 'email' | 'telegram')[]
  /** JSON without `id`. */
  readonly body: string
}

// in memory where the system has it: hundreds of commits would wait for a disk others use
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** One in a file of its own, unless another path is given. */
export async function openTestOutbox(index?: string): Promise<TestOutbox> {
  const folder = mkdtempSync(join(FOLDER, 'tapefold-outbox-'))
  const file = join(folder, 'accounts.sqlite')
  const store = await openAccountStore(index ?? file)
  const time = fakeTime(START_MS)
  const [sent, begun, switchedOff]: [SentTry[], TestOutbox['begun'], string[]] = [[], [], []]
  let count = 0
  let holders = 0
  return {
    time,
    store,
    file,
    sent,
    begun,
    switchedOff,
    newAccount: async () => {
      const { id } = await store.addAccount({ name: 'A', plan: 'orders', createdAtMs: START_MS })
      const url = 'https://hooks.example.com/'
      await store.outbox.saveEndpoint({ accountId: id, owner: 'alerts', url, atMs: time.nowMs() })
      await store.outbox.putSecret({ accountId: id, sealed: 'sealed', atMs: time.nowMs() })
      return id
    },
    queue: async (accountId, event = {}) => {
      const id = `evt_${(++count).toString(16).padStart(32, '0')}`
      await store.outbox.queueEvent({
        id,
        accountId,
        type: 'flip_cross',
        owner: 'alerts',
        extra: null,
        priority: 0,
        minuteEndMs: null,
        channels: ['webhook'],
        run: 'live',
        day: '2026-11-25',
        minute: '10:30',
        atMs: time.nowMs(),
        body: `{"version":1,"type":"flip_cross"}`,
        ...event,
      })
      return id
    },
    deliveriesOf: accountId => store.outbox.listDeliveries({ accountId, limit: 1000 }),
    sender: (response, deps = {}) => {
      const send = async (one: BegunSend) => {
        const beganMs = time.nowMs()
        begun.push({ begun: one, atMs: beganMs })
        const { result, afterMs = 0 } = response(one)
        if (afterMs > 0) await time.sleep(afterMs)
        sent.push({ begun: one, beganMs, endedMs: time.nowMs() })
        return { result, status: null, error: 'timeout', ms: afterMs, address: null }
      }
      return openSender({
        outbox: store.outbox,
        holder: `process ${++holders}`,
        channels: { webhook: { send, gapsMs: [1000, 4000] } },
        nowMs: time.nowMs,
        timers: time.timers,
        log: { info: () => {}, error: fields => Promise.reject(fields) },
        onSwitchedOff: one => switchedOff.push(one.eventId),
        ...deps,
      })
    },
    close: async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
