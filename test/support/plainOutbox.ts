// Deliveries and endpoints in plain arrays: a second writing of the rules, to compare the
// database with. It knows one process, and nothing of bodies.

import type { BegunAttempt, ClaimedDelivery, ClaimRequest } from '../../src/outbox/store/types.ts'

export type PlainDelivery = {
  readonly eventId: string
  readonly accountId: string
  readonly owner: string
  readonly type: string
  readonly priority: number
  readonly lateMs: number | null
  state: string
  reason: string | null
  dueMs: number
  holder: string | null
  firstTryMs: number | null
  /** How each try ended; null while nobody knows. */
  readonly ends: (string | null)[]
  /** The saving of the endpoint under which the last attempt began. */
  saving: number | null
}

type PlainEndpoint = { state: string; failed: number; saving: number }

export type PlainEvent = Pick<
  PlainDelivery,
  'eventId' | 'accountId' | 'owner' | 'type' | 'priority' | 'lateMs'
>

const findKey = (one: { accountId: string; owner: string }) => `${one.accountId} ${one.owner}`

export class PlainOutbox {
  readonly deliveries: PlainDelivery[] = []
  readonly endpoints = new Map<string, PlainEndpoint>()
  readonly events: PlainEvent[] = []
  #savings = 0

  save(accountId: string, owner: string): void {
    this.endpoints.set(findKey({ accountId, owner }), {
      state: 'on',
      failed: 0,
      saving: ++this.#savings,
    })
  }

  remove(accountId: string, owner: string): void {
    this.endpoints.delete(findKey({ accountId, owner }))
  }

  queue(event: PlainEvent, nowMs: number): void {
    this.events.push(event)
    this.#deliver(event, nowMs)
  }

  /** How many deliveries are made. */
  redeliver(eventId: string, nowMs: number): number {
    const own = this.deliveries.filter(one => one.eventId === eventId)
    if (own.some(one => one.state === 'waiting' || one.state === 'trying')) return 0
    return this.#deliver(
      { ...this.events.find(one => one.eventId === eventId)!, lateMs: null },
      nowMs,
    )
  }

  #deliver(event: PlainEvent, nowMs: number): number {
    if (event.owner === 'alerts' && !this.endpoints.has(findKey(event))) return 0
    const fresh = { state: 'waiting', reason: null, holder: null, firstTryMs: null, saving: null }
    this.deliveries.push({ ...event, ...fresh, dueMs: nowMs, ends: [] })
    return 1
  }

  /** Those that a claim may return, by account, each list in the order of its queue. */
  claimable({ nowMs }: ClaimRequest): Map<string, number[]> {
    const numbers = this.deliveries.map((_, index) => index)
    const isDue = (index: number) => {
      const { state, dueMs } = this.deliveries[index]!
      return (state === 'waiting' || state === 'trying') && dueMs <= nowMs
    }
    const before = (a: number, b: number) => {
      const [one, other] = [this.deliveries[a]!, this.deliveries[b]!]
      return one.priority - other.priority || one.dueMs - other.dueMs || a - b
    }
    const due = numbers.filter(isDue).sort(before)
    return Map.groupBy(due, index => this.deliveries[index]!.accountId)
  }

  /** Faults of the result of a claim; takes it over where there are none. */
  claim(request: ClaimRequest, claimed: readonly ClaimedDelivery[]): string | null {
    const claimable = this.claimable(request)
    const busy = new Map(request.busy)
    const responded = Map.groupBy(claimed, one => one.accountId)
    const counts = [...claimable].map(([accountId, due]) => {
      const capacity = Math.max(0, request.accountMax - (busy.get(accountId) ?? 0))
      const count = responded.get(accountId)?.length ?? 0
      return { accountId, due, most: Math.min(capacity, due.length), count }
    })
    const wanted = counts.reduce((sum, { most }) => sum + most, 0)
    if (claimed.length !== Math.min(request.limit, wanted)) return `${claimed.length} claimed`
    const largest = Math.max(0, ...counts.map(({ count }) => count))
    for (const { accountId, due, most, count } of counts) {
      if (count > most) return `${count} of ${accountId}, not ${most}`
      if (count < most && count < largest - 1) return `${accountId} is passed over`
      const ids = responded.get(accountId)?.map(one => one.deliveryId) ?? []
      const first = due.slice(0, count).map(index => index + 1)
      if (ids.join() !== first.join()) return `${ids} of ${accountId}, not ${first}`
    }
    // what is over is free again, also if it is not claimed
    for (const index of [...claimable.values()].flat()) this.#free(index)
    for (const { deliveryId } of claimed) {
      const delivery = this.deliveries[deliveryId - 1]!
      delivery.state = 'trying'
      delivery.holder = request.holder
      delivery.dueMs = request.nowMs + request.leaseMs
    }
    return null
  }

  #free(index: number): void {
    const delivery = this.deliveries[index]!
    delivery.state = 'waiting'
    delivery.holder = null
  }

  /** `go`, `lost`, or why not, for each in the order given. */
  begin(holder: string, ids: readonly number[], nowMs: number, leaseMs: number): string[] {
    const inOrder = ids.toSorted((a, b) => this.#of(a).priority - this.#of(b).priority || a - b)
    const dispositions = new Map(inOrder.map(id => [id, this.#begin(holder, id, nowMs, leaseMs)]))
    return ids.map(id => dispositions.get(id)!)
  }

  #begin(holder: string, id: number, nowMs: number, leaseMs: number): string {
    const delivery = this.#of(id)
    if (delivery.state !== 'trying' || delivery.holder !== holder) return 'lost'
    const endpoint = this.endpoints.get(findKey(delivery))
    const drop = (reason: string) => {
      Object.assign(delivery, { state: 'dropped', reason, dueMs: nowMs, holder: null })
      return reason
    }
    if (!endpoint) return drop('removed')
    if (endpoint.state === 'off' && delivery.type !== 'test') return drop('off')
    if (delivery.ends.filter(end => end === null || end.startsWith('late ')).length >= 3) {
      return drop('interrupted')
    }
    if (delivery.firstTryMs === null) {
      if (delivery.lateMs !== null && nowMs > delivery.lateMs) return drop('late')
      const recent = this.deliveries.filter(
        one =>
          one.accountId === delivery.accountId &&
          one.firstTryMs !== null &&
          one.firstTryMs > nowMs - 60_000,
      )
      if (recent.length >= 30) return drop('rate')
      delivery.firstTryMs = nowMs
    }
    delivery.ends.push(null)
    delivery.dueMs = nowMs + leaseMs
    delivery.saving = endpoint.saving
    return 'go'
  }

  /** The state of the delivery after it, and whether its endpoint was disabled. */
  end(begun: Extract<BegunAttempt, { kind: 'go' }>, result: string, dueMs: number, nowMs: number) {
    const delivery = this.#of(begun.deliveryId)
    const index = begun.attempt - 1
    if (delivery.ends[index] !== null) return { state: delivery.state, isSwitchedOff: false }
    const isAtEnd = delivery.state === 'sent' || delivery.state === 'failed'
    const isOvertaken = isAtEnd || index < delivery.ends.length - 1
    // one that another try has overtaken is noted, and is no try that has ended in time
    delivery.ends[index] = isOvertaken ? `late ${result}` : result
    if (isOvertaken) return { state: delivery.state, isSwitchedOff: false }
    delivery.holder = null
    const triedCount = delivery.ends.filter(end => end !== null && !end.startsWith('late ')).length
    if (result === 'retry' && triedCount < 3) {
      if (delivery.state !== 'dropped') this.#wait(delivery, dueMs, nowMs)
      return { state: delivery.state, isSwitchedOff: false }
    }
    const end = { state: result === 'sent' ? 'sent' : 'failed', reason: null, dueMs: nowMs }
    Object.assign(delivery, end)
    const { state } = delivery
    return { state, isSwitchedOff: this.#count(delivery, nowMs) }
  }

  #wait(delivery: PlainDelivery, dueMs: number, nowMs: number): void {
    const isOff = this.endpoints.get(findKey(delivery))?.state === 'off' && delivery.type !== 'test'
    const dropped = { state: 'dropped', reason: 'off', dueMs: nowMs }
    Object.assign(delivery, isOff ? dropped : { state: 'waiting', dueMs })
  }

  #count(delivery: PlainDelivery, nowMs: number): boolean {
    const endpoint = this.endpoints.get(findKey(delivery))
    if (!endpoint || endpoint.saving !== delivery.saving || endpoint.state === 'off') return false
    if (delivery.type === 'test') return false
    endpoint.failed = delivery.state === 'sent' ? 0 : endpoint.failed + 1
    if (endpoint.failed < 10) return false
    endpoint.state = 'off'
    for (const one of this.deliveries) {
      if (findKey(one) !== findKey(delivery) || one.state !== 'waiting' || one.type === 'test')
        continue
      Object.assign(one, { state: 'dropped', reason: 'off', dueMs: nowMs })
    }
    return true
  }

  #of(id: number): PlainDelivery {
    return this.deliveries[id - 1]!
  }
}
