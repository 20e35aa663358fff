import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountStore } from '../../src/accounts/types.ts'
import { monotonicMs, systemClock } from '../../src/core/clock.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { openSenders } from '../../src/outbox/sending/contacts.ts'
import { systemTimers } from '../../src/outbox/sending/timers.ts'
import { webhookSender } from '../../src/outbox/sending/webhook.ts'
import type { Config } from '../../src/platform/config.ts'
import { openNotices } from '../../src/platform/notices/notices.ts'
import { openWebhookClient } from '../../src/platform/webhooks/client.ts'
import { openSecretBox, type SecretBox } from '../../src/platform/webhooks/secretBox.ts'
import { listOwnHosts } from '../../src/platform/webhooks/tools.ts'
import { findSiteUrl } from '../../src/server/served.ts'
import type { Say } from './say.ts'

/** Interval at which `drain` checks whether all is sent, and its maximum duration. */
const DRAIN_LOOK_MS = 100
const DRAIN_MAX_MS = 60_000

export type EventSendingDeps = {
  readonly config: Config
  readonly accounts: Pick<AccountStore, 'outbox'>
  readonly say: Say
}

/** Sends events of all accounts as they are found, concurrently with the watcher. */
export type EventSending = {
  readonly start: () => void
  /** Resolves once no event is pending, retries included, or after a minute. */
  readonly drain: () => Promise<void>
  /** Stops after the requests in progress. */
  readonly stop: () => Promise<void>
}

/**
 * Opens the sender of this process. Without a key for the secrets of webhooks, it logs that, and
 * pending events wait for a process that has one.
 */
export function openSending({ config, accounts, say }: EventSendingDeps): EventSending {
  const box = openBox(config, say)
  if (!box) return { start: () => {}, drain: async () => {}, stop: async () => {} }
  const { outbox } = accounts
  const { nowMs } = systemClock
  const notices = openNotices({ ...config.notices, siteUrl: findSiteUrl(config) }, monotonicMs)
  const client = openWebhookClient({
    elapsedMs: monotonicMs,
    allowed: config.webhookAllowed,
    ownHosts: listOwnHosts(config),
  })
  const sender = openSenders({
    outbox,
    notices,
    webhook: webhookSender({ client, box, nowMs }),
    holder: `${hostname()} ${randomUUID()}`,
    nowMs,
    timers: systemTimers,
    log: {
      info: (fields, message) => say.info(message, fields),
      error: (fields, message) => say.error(message, fields),
    },
  })
  return {
    start: sender.start,
    drain: async () => {
      const endMs = monotonicMs() + DRAIN_MAX_MS
      while (monotonicMs() < endMs) {
        const { waiting, trying } = await outbox.outboxState({ nowMs: nowMs() })
        if (waiting + trying === 0) return
        await sleep(DRAIN_LOOK_MS)
      }
    },
    stop: async () => {
      await sender.stop()
      notices.close()
      await client.close()
    },
  }
}

function openBox(config: Config, say: Say): SecretBox | null {
  try {
    return openSecretBox(config)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say.error('webhooks are not sent', { reason: error.message })
    return null
  }
}
