import type { Request } from 'express'
import { LRUCache } from 'lru-cache'
import { type ApiError, retryLater } from './error.ts'

/** Identifies the client: calls with the same identifier share one limit. */
export type ReadAddress = (req: Request) => string

export type AddressLimit = {
  readonly readAddress: ReadAddress
  /** Real time, also in a replay. */
  readonly elapsedMs: () => number
  /** Calls that an address may make at once, and how many more each second. */
  readonly atOnce: number
  readonly perSecond: number
  /** Start of the refusal message; defaults to that for calls without a key. */
  readonly refusal?: string
}

/** Maximum number of addresses remembered; a forgotten one starts with a full bucket. */
const ADDRESSES_MAX = 20_000

type Bucket = { calls: number; atMs: number }

/** Limits calls per address: counts the call and returns the refusal, or null. */
export function limitByAddress(limit: AddressLimit): (req: Request) => ApiError | null {
  const { readAddress, elapsedMs, atOnce, perSecond, refusal = NO_KEY } = limit
  // evicts the least recently seen address; reserves its memory, a megabyte, at the first call
  let buckets: LRUCache<string, Bucket> | null = null
  return req => {
    const address = readAddress(req)
    const atMs = elapsedMs()
    buckets ??= new LRUCache({ max: ADDRESSES_MAX })
    const bucket = buckets.get(address) ?? { calls: atOnce, atMs }
    buckets.set(address, bucket)
    // a clock set back neither adds nor removes calls
    const passedMs = Math.max(0, atMs - bucket.atMs)
    bucket.calls = Math.min(atOnce, bucket.calls + (passedMs / 1000) * perSecond)
    bucket.atMs = atMs
    if (bucket.calls < 1)
      return retryLater('rate', refusal, Math.ceil((1 - bucket.calls) / perSecond))
    bucket.calls -= 1
    return null
  }
}

const NO_KEY = 'too many calls without a key came from this address'
