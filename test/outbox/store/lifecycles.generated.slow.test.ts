// Generated lifecycles of deliveries, in the database and in plain arrays side by side.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LATE_MS } from '../../../src/outbox/store/addDeliveries.ts'
import type { Owner } from '../../../src/outbox/store/types.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'
import { eventId, findEnd, LEASE_MS, NOW, single, type Went, went } from '../../support/outbox.ts'
import {
  type event,
  FATES,
  HOLDERS,
  OWNERS,
  type Result,
  type Step,
  step,
} from '../../support/outboxSteps.ts'
import { PlainOutbox } from '../../support/plainOutbox.ts'

/** Does each step in both, and compares all that can be seen after it. */
class OutboxLifecycle {
  readonly plain = new PlainOutbox()
  readonly #store: ServerStore
  readonly #accounts: readonly string[]
  readonly #claimed = new Map<string, number[]>(HOLDERS.map(name => [name, []]))
  readonly #begun: Went[] = []
  #open: Went[] = []
  /** Indexes of the numbers that both give to deliveries. */
  readonly #first: number
  readonly #firstEvent: number
  #nowMs = NOW

  constructor(store: ServerStore, accounts: readonly string[], first: number, firstEvent: number) {
    this.#store = store
    this.#accounts = accounts
    this.#first = first
    this.#firstEvent = firstEvent
  }

  async do(one: Step): Promise<void> {
    if (one.kind === 'wait') this.#nowMs += one.ms
    else if (one.kind === 'queue') for (const queued of one.events) await this.#queue(queued)
    else if (one.kind === 'save') await this.#save(this.#accounts[one.account]!, one.owner)
    else if (one.kind === 'remove') await this.#remove(this.#accounts[one.account]!, one.owner)
    else if (one.kind === 'claim') await this.#claim(one)
    else if (one.kind === 'begin') await this.#begin(one.holder)
    else if (one.kind === 'end') await this.#end(one.ends)
    else await this.#redeliver(one.pick)
    await this.#compare()
  }

  async #queue({
    account,
    owner,
    priority,
    type,
    isTimed,
  }: typeof event extends fc.Arbitrary<infer E> ? E : never) {
    const accountId = this.#accounts[account]!
    const number = this.#firstEvent + this.plain.events.length
    const minuteEndMs = isTimed ? this.#nowMs - 3_000 : null
    const more = { owner, priority, type, minuteEndMs, atMs: this.#nowMs }
    expect(await this.#store.outbox.queueEvent(single(number, accountId, more))).toBe(true)
    const lateMs = minuteEndMs === null ? null : minuteEndMs + LATE_MS
    const id = eventId(number)
    this.plain.queue({ eventId: id, accountId, owner, type, priority, lateMs }, this.#nowMs)
  }

  async #save(accountId: string, owner: Owner) {
    const saved = { accountId, owner, url: 'https://hook.example.com/', atMs: this.#nowMs }
    await this.#store.outbox.saveEndpoint(saved)
    this.plain.save(accountId, owner)
  }

  async #remove(accountId: string, owner: Owner) {
    await this.#store.outbox.removeEndpoint(accountId, owner)
    this.plain.remove(accountId, owner)
  }

  async #claim({
    holder,
    limit,
    accountMax,
  }: {
    holder: string
    limit: number
    accountMax: number
  }) {
    const held = this.#claimed.get(holder)!
    const inFlight = Map.groupBy(held, id => this.plain.deliveries[id - 1]!.accountId)
    const busy = [...inFlight].map(([accountId, some]) => [accountId, some.length] as const)
    const request = {
      nowMs: this.#nowMs,
      holder,
      leaseMs: LEASE_MS,
      limit,
      accountMax,
      busy,
    }
    const claimed = await this.#store.outbox.claim(request)
    const numbered = claimed.map(one => ({ ...one, deliveryId: one.deliveryId - this.#first }))
    expect(this.plain.claim(request, numbered)).toBeNull()
    held.push(...numbered.map(one => one.deliveryId))
  }

  async #begin(holder: string) {
    const ids = [...new Set(this.#claimed.get(holder)!)]
    this.#claimed.set(holder, [])
    const begun = await this.#store.outbox.beginAttempts({
      nowMs: this.#nowMs,
      holder,
      leaseMs: LEASE_MS,
      hasPutSupport: false,
      deliveryIds: ids.map(id => id + this.#first),
    })
    const outcomes = begun.map(one => (one.kind === 'dropped' ? one.reason : one.kind))
    expect(outcomes).toEqual(this.plain.begin(holder, ids, this.#nowMs, LEASE_MS))
    this.#begun.push(...went(begun))
    this.#open.push(...went(begun))
  }

  async #end(picks: readonly { pick: number; result: Result }[]) {
    if (this.#begun.length === 0) return
    // most often one that is open, and some that ended before too
    const attempts = picks.map(({ pick, result }) => {
      const from = pick % 8 > 0 && this.#open.length > 0 ? this.#open : this.#begun
      const one = from[pick % from.length]!
      this.#open = this.#open.filter(other => other !== one)
      return { one, result }
    })
    const dueMs = this.#nowMs + 1_000
    const ends = attempts.map(({ one, result }) => findEnd(one, result, dueMs))
    const results = await this.#store.outbox.endAttempts({ nowMs: this.#nowMs, ends })
    const expected = attempts.map(({ one, result }) => {
      const numbered = { ...one, deliveryId: one.deliveryId - this.#first }
      return this.plain.end(numbered, result, dueMs, this.#nowMs).isSwitchedOff
    })
    expect(results.map(one => one.isSwitchedOff)).toEqual(expected)
    expect(results.map(one => one.state)).toEqual(
      attempts.map(({ one }) => this.plain.deliveries[one.deliveryId - this.#first - 1]!.state),
    )
  }

  async #redeliver(pick: number) {
    const { events } = this.plain
    if (events.length === 0) return
    const { accountId, eventId: id } = events[pick % events.length]!
    const request = { accountId, eventId: id, atMs: this.#nowMs }
    const count = await this.#store.outbox.redeliver(request)
    expect(count).toBe(this.plain.redeliver(id, this.#nowMs))
  }

  async #compare() {
    for (const accountId of this.#accounts) {
      const stored = await this.#store.outbox.listDeliveries({ accountId, limit: 10_000 })
      const seen = stored.toReversed().map(one => ({
        eventId: one.eventId,
        state: one.state,
        reason: one.reason,
        firstTryMs: one.firstAttemptAtMs,
        dueMs: one.dueAtMs ?? one.endedAtMs,
        ends: one.attempts.map(({ result }) => (result === 'unknown' ? null : result)),
      }))
      const own = this.plain.deliveries.filter(one => one.accountId === accountId)
      expect(seen).toEqual(
        own.map(({ eventId, state, reason, firstTryMs, dueMs, ends }) => ({
          eventId,
          state,
          reason,
          firstTryMs,
          dueMs: state === 'trying' ? null : dueMs,
          ends: ends.map(end => end?.replace('late ', '') ?? null),
        })),
      )
      const endpoints = await this.#store.outbox.listEndpoints(accountId)
      expect(endpoints.map(one => [one.owner, one.state, one.failedInARow])).toEqual(
        OWNERS.flatMap(owner => {
          const endpoint = this.plain.endpoints.get(`${accountId} ${owner}`)
          return endpoint ? [[owner, endpoint.state, endpoint.failed]] : []
        }),
      )
    }
  }
}

describe.each(ENGINES)('in %s', (name, isHere, start) => {
  let engine: Engine
  const given = isHere ? describe : describe.skip

  given('deliveries', () => {
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())

    test('live as in plain arrays, whatever happens in which order', async () => {
      const store = await openAccountStore(await engine.newPlace())
      const made = { deliveries: 0, events: 0 }
      const seen = new Set<string>()
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 100, size: 'max' }),
        async steps => {
          const accounts: string[] = []
          for (const name of ['a', 'b', 'c']) {
            const { id } = await store.addAccount({ name, plan: 'orders', createdAtMs: 1 })
            await store.outbox.putSecret({ accountId: id, sealed: 'x', atMs: 1 })
            accounts.push(id)
          }
          const lifecycle = new OutboxLifecycle(store, accounts, made.deliveries, made.events)
          try {
            for (const accountId of accounts) {
              await lifecycle.do({
                kind: 'save',
                account: accounts.indexOf(accountId),
                owner: 'alerts',
              })
            }
            for (const one of steps) await lifecycle.do(one)
          } finally {
            made.deliveries += lifecycle.plain.deliveries.length
            made.events += lifecycle.plain.events.length
            for (const { reason, state } of lifecycle.plain.deliveries) seen.add(reason ?? state)
            await store.outbox.deleteOlder(0)
            // the next life begins without what waits
            await endAll(store, accounts)
          }
        },
      )
      // a shorter life that fails would be sought for minutes
      const numRuns = name === 'SQLite' ? 60 : 8
      await fc.assert(property, {
        numRuns,
        endOnFailure: true,
        examples: FATES.map(steps => [steps]),
      })
      await store.close()
      if (name === 'SQLite') {
        for (const outcome of ['sent', 'failed', 'off', 'removed', 'late', 'rate']) {
          expect([...seen]).toContain(outcome)
        }
      }
    })
  })
})

/** Removes the endpoints, and drops all that waits for them. */
async function endAll(store: ServerStore, accounts: readonly string[]): Promise<void> {
  for (const id of accounts)
    for (const owner of OWNERS) await store.outbox.removeEndpoint(id, owner)
  const claim = { holder: 'last', leaseMs: LEASE_MS, limit: 10_000, accountMax: 10_000, busy: [] }
  const nowMs = NOW + 1e9
  const claimed = await store.outbox.claim({ ...claim, nowMs })
  const deliveryIds = claimed.map(one => one.deliveryId)
  const trying = { nowMs, holder: 'last', leaseMs: LEASE_MS, hasPutSupport: false }
  await store.outbox.beginAttempts({ ...trying, deliveryIds })
}
