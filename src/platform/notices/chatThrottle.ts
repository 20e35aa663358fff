import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** Telegram accepts one message a second per chat, and about 30 a second per bot. */
export const CHAT_EVERY_MS = 1_000
export const ANY_EVERY_MS = 40
/** Longest wait for a slot; beyond it other messages are sent meanwhile. */
export const SLOT_WAIT_MAX_MS = 5_000
/** Chats remembered; the one idle for longest is forgotten first. */
const CHATS_MAX = 20_000

export type ChatThrottle = {
  /**
   * Resolves with 0 when the chat's slot arrives; at once, with the remaining wait, when that is
   * too long.
   */
  readonly acquire: (chat: string) => Promise<number>
  /** Blocks a chat for a time. */
  readonly hold: (chat: string, ms: number) => void
}

export type ChatThrottleDeps = {
  /** Milliseconds since any fixed instant. */
  readonly elapsedMs: () => number
  readonly wait?: (ms: number) => Promise<unknown>
}

/** Rate limiter for the messages of a bot: each chat keeps its order and delays no other. */
export function openChatThrottle({
  elapsedMs,
  wait: sleep = wait,
}: ChatThrottleDeps): ChatThrottle {
  /** Time from which a chat may be written to again. */
  const chats = new LRUCache<string, number>({ max: CHATS_MAX })
  /** Numbers of the slots taken, `ANY_EVERY_MS` each. */
  const taken = new Set<number>()
  const forget = (before: number) => {
    for (const number of taken) if (number < before) taken.delete(number)
  }
  return {
    acquire: async chat => {
      const nowMs = elapsedMs()
      const chatMs = Math.max(nowMs, chats.get(chat) ?? 0)
      let number = Math.ceil(chatMs / ANY_EVERY_MS)
      while (taken.has(number)) number++
      const slotMs = number * ANY_EVERY_MS
      if (slotMs - nowMs > SLOT_WAIT_MAX_MS) return slotMs - nowMs
      forget(Math.floor(nowMs / ANY_EVERY_MS))
      taken.add(number)
      chats.set(chat, slotMs + CHAT_EVERY_MS)
      await sleep(slotMs - nowMs)
      return 0
    },
    hold: (chat, ms) => {
      chats.set(chat, Math.max(chats.get(chat) ?? 0, elapsedMs() + ms))
    },
  }
}
