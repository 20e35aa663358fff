// Order in which chats are written to, in a time of its own.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ANY_EVERY_MS,
  CHAT_EVERY_MS,
  openChatThrottle,
  SLOT_WAIT_MAX_MS,
} from '../../../src/platform/notices/chatThrottle.ts'
import { runs } from '../../support/runs.ts'
import { virtualTime } from '../../support/virtualTime.ts'

test('a second a chat and 25 a second in all, whoever sends when', async () => {
  const messages = fc.array(
    fc.record({ chat: fc.constantFrom('a', 'b', 'c', 'd', 'e'), afterMs: fc.nat(400) }),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(messages, async wishes => {
      const time = virtualTime()
      const throttle = openChatThrottle(time)
      const went: { chat: string; requestedMs: number; atMs: number }[] = []
      let refusedCount = 0
      let ms = 0
      await Promise.all(
        wishes.map(async ({ chat, afterMs }) => {
          ms += afterMs
          const requestedMs = ms
          await time.wait(requestedMs)
          const farMs = await throttle.acquire(chat)
          if (farMs === 0) went.push({ chat, requestedMs, atMs: time.elapsedMs() })
          else {
            refusedCount++
            expect(farMs).toBeGreaterThan(SLOT_WAIT_MAX_MS)
            expect(time.elapsedMs()).toBe(requestedMs)
          }
        }),
      )
      expect(went.length + refusedCount).toBe(wishes.length)
      const all = went.map(({ atMs }) => atMs).sort((a, b) => a - b)
      for (const [index, atMs] of all.slice(1).entries()) {
        expect(atMs - all[index]!).toBeGreaterThanOrEqual(ANY_EVERY_MS)
      }
      for (const own of Map.groupBy(went, one => one.chat).values()) {
        const times = own.map(({ atMs }) => atMs).sort((a, b) => a - b)
        for (const [index, atMs] of times.slice(1).entries()) {
          expect(atMs - times[index]!).toBeGreaterThanOrEqual(CHAT_EVERY_MS)
        }
        // a chat that was not written to for a second goes at once, but for the global rate
        const [first] = own
        expect(first!.atMs - first!.requestedMs).toBeLessThan(ANY_EVERY_MS * 60)
      }
    }),
    { numRuns: runs(200) },
  )
})

test('a chat with 30 messages keeps none of 100 others waiting', async () => {
  const time = virtualTime()
  const throttle = openChatThrottle(time)
  const busy = Array.from({ length: 30 }, () => throttle.acquire('busy'))
  const others = Array.from({ length: 100 }, async (_, index) => {
    await throttle.acquire(`chat ${index}`)
    return time.elapsedMs()
  })
  expect(Math.max(...(await Promise.all(others)))).toBeLessThanOrEqual(106 * ANY_EVERY_MS)
  const waits = await Promise.all(busy)
  expect(waits.filter(ms => ms === 0)).toHaveLength(6)
})
