// Kills senders at their steps, and reports what the receiver and the log have of it afterwards.

import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeSecret, openSecretBox, secretAbout } from '../../src/platform/webhooks/secretBox.ts'
import { explainRefusal } from '../../src/platform/webhooks/verify.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { randomNumbers } from './random.ts'
import { openReceiver, type Received, saying } from './receiver.ts'
import type { SenderProcess } from './senderProcess.ts'

const SCRIPT = join(import.meta.dirname, 'senderProcess.ts')
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** After two kills a clean run: three attempts of a delivery that never end are its last. */
const KILLS_IN_A_ROW = 2
const EVENTS_A_ROUND = 4
/** Steps of a round: the claim, the begin, four posts, and their ends in up to four groups. */
const STEPS_MAX = 1 + 2 + 2 * EVENTS_A_ROUND + 4
/** Longer than a lease. */
const AHEAD_MS = 11_000
const START_MS = Date.parse('2026-11-25T15:30:00Z')

function run(given: SenderProcess): Promise<{ code: number | null; signal: string | null }> {
  const child = fork(SCRIPT, [JSON.stringify(given)], { stdio: 'inherit' })
  return new Promise(done => child.once('exit', (code, signal) => done({ code, signal })))
}

/** Kills so many senders, each with events of its own to send, and checks what became of all. */
export async function killSenders(killCount: number, seed: number): Promise<void> {
  const folder = mkdtempSync(join(FOLDER, 'tapefold-kills-'))
  const failsOnce = new Set<string>()
  const receiver = await openReceiver((socket, received, at) => {
    const id = received.headers['x-service-event-id']!
    const isFirst = failsOnce.delete(id)
    saying(isFirst ? 503 : 204)(socket, received, at)
  })
  const index = join(folder, 'accounts.sqlite')
  const store = await openAccountStore(index)
  try {
    const { id: accountId } = await store.addAccount({
      name: 'A',
      plan: 'orders',
      createdAtMs: START_MS,
    })
    const secret = makeSecret()
    const box = openSecretBox({ secretKey: null, databaseUrl: null, dataFolder: folder })
    const sealed = box.seal(secret, secretAbout(accountId))
    await store.outbox.putSecret({ accountId, sealed, atMs: START_MS })
    const url = `https://127.0.0.1:${receiver.port}/hook`
    await store.outbox.saveEndpoint({ accountId, owner: 'alerts', url, atMs: START_MS })
    const random = randomNumbers(seed)
    const ids: string[] = []
    const given = { place: index, dataFolder: folder, ca: receiver.ca }
    let aheadMs = 0
    for (let kills = 0; kills < killCount; ) {
      for (let count = 0; count < EVENTS_A_ROUND; count++) {
        const id = `evt_${ids.length.toString(16).padStart(32, '0')}`
        ids.push(id)
        if (random() < 0.1) failsOnce.add(id)
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
          atMs: START_MS,
          body: `{"version":1,"text":"${random()}"}`,
        })
      }
      const allowed = `127.0.0.1:${receiver.port}`
      for (let row = 0; row < KILLS_IN_A_ROW && kills < killCount; row++) {
        const killAt = 1 + Math.floor(random() * STEPS_MAX)
        const { signal } = await run({ ...given, allowed, aheadMs, killAt })
        // with nothing left to do it may end before that step
        if (signal === 'SIGKILL') kills += 1
        aheadMs += AHEAD_MS
      }
      expect(await run({ ...given, allowed, aheadMs, killAt: null })).toMatchObject({ code: 0 })
      // beyond the minute in which an account may have thirty first attempts
      aheadMs += 60_000
    }
    await checkAll({ store, accountId, ids, received: receiver.received, secret })
  } finally {
    await store.close()
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function checkAll({
  store,
  accountId,
  ids,
  received,
  secret,
}: {
  readonly store: Awaited<ReturnType<typeof openAccountStore>>
  readonly accountId: string
  readonly ids: readonly string[]
  readonly received: readonly Received[]
  readonly secret: string
}): Promise<void> {
  const calls = Map.groupBy(received, ({ headers }) => headers['x-service-event-id']!)
  // none is lost, and none is there that was not queued
  expect([...calls.keys()].toSorted()).toEqual(ids.toSorted())
  for (const { headers, body } of received) {
    const nowMs = Number(headers['x-service-timestamp']) * 1000
    expect(explainRefusal({ headers, body, secret, nowMs })).toBeNull()
  }
  let unknown = 0
  for (const [id, same] of calls) {
    const [first] = same
    for (const { body, headers } of same) {
      expect(body).toEqual(first!.body)
      expect([JSON.parse(body.toString()).id, headers['webhook-id']]).toEqual([id, id])
    }
    const [delivery] = await store.outbox.listDeliveries({ accountId, eventId: id, limit: 1 })
    expect(delivery).toMatchObject({ state: 'sent' })
    // a call that was received has its attempt in the log, whenever the sender was killed
    expect(delivery!.attempts.length).toBeGreaterThanOrEqual(same.length)
    expect(delivery!.attempts.filter(({ result }) => result === 'sent')).toHaveLength(1)
    unknown += delivery!.attempts.filter(({ result }) => result === 'unknown').length
  }
  // else none was killed while it sent
  expect(unknown).toBeGreaterThan(0)
}
