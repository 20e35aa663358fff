import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** Telegram takes a message a second for a chat, and some 30 a second of a bot. */
export const CHAT_EVERY_MS = 1_000
export const ANY_EVERY_MS = 40
/** A message whose turn is further away is not waited for: others can be sent meanwhile. */
export const SLOT_WAIT_MAX_MS = 5_000
/** Chats that are remembered; one that is forgotten was not written to for longest. */
const CHATS_MAX = 20_000

export type ChatThrottle = {
  /**
   * Resolves with 0 when it is a chat's turn; at once, with how long that will take, where it is
   * too long to wait.
   */
  readonly acquire: (chat: string) => Promise<number>
  /** Nothing for a chat for so long. */
  readonly hold: (chat: string, ms: number) => void
}

export type ChatThrottleDeps = {
  /** Milliseconds since any instant. */
  readonly elapsedMs: () => number
  readonly wait?: (ms: number) => Promise<unknown>
}

/** Turns of the messages of a bot: those of one chat keep their order, and hold up no other. */
export function openChatThrottle({
  elapsedMs,
  wait: sleep = wait,
}: ChatThrottleDeps): ChatThrottle {
  /** From when a chat may be written to again. */
  const chats = new LRUCache<string, number>({ max: CHATS_MAX })
  /** Numbers of the turns that are taken, `ANY_EVERY_MS` each. */
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
