// Pointers in PostgreSQL: compare-and-set, numbers in the order of commits, machines that stand still.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import {
  openPointers,
  type PointerChange,
  type Pointers,
} from '../../../src/platform/store/pointers.ts'
import { hasPostgres, sharePostgres } from '../../support/postgres.ts'

const NAME = { kind: 'published', key: '2026-10-15' } as const
const opened: Pointers[] = []

afterEach(async () => {
  for (const pointers of opened.splice(0)) await pointers.close()
})

async function open(url?: string): Promise<Pointers & { url: string }> {
  const address = url ?? (await (await sharePostgres()).newDatabase())
  const pointers = await openPointers(address)
  opened.push(pointers)
  return { ...pointers, url: address }
}

/** A change to a manifest whose hash is a word. */
const change = (
  sha256: string,
  expected: string | null,
  key: string = NAME.key,
): PointerChange => ({
  kind: 'published',
  key,
  expected,
  sha256,
  bytes: sha256.length,
  place: async number => `object ${number} ${sha256}`,
})

describe.runIf(hasPostgres)('a pointer', () => {
  test('is set where it is as expected, and no machine places a manifest otherwise', async () => {
    const pointers = await open()
    expect(await pointers.find(NAME)).toBeNull()
    const first = await pointers.set(change('a', null))
    expect(first).toMatchObject({ ...NAME, sha256: 'a', bytes: 1, object: 'object 1 a', seq: 2 })
    const place = () => Promise.reject(new Error('it was placed'))
    await expect(pointers.set({ ...change('b', null), place })).rejects.toThrow(
      '2026-10-15 was published anew meanwhile; pull it, and run it again.',
    )
    await expect(pointers.set({ ...change('b', 'x'), place })).rejects.toThrow('meanwhile')
    const second = await pointers.set(change('b', 'a'))
    expect(second).toMatchObject({ sha256: 'b', object: 'object 3 b', seq: 4 })
    // it is there already: a killed process repeats its publish
    expect(await pointers.set({ ...change('b', 'a'), place })).toEqual(second)
    expect(await pointers.listSince(0)).toEqual([second])
    expect(await pointers.listSince(4)).toEqual([])
  })

  test('keeps its state where its manifest cannot be placed', async () => {
    const pointers = await open()
    const place = () => Promise.reject(new Error('the store is away'))
    await expect(pointers.set({ ...change('a', null), place })).rejects.toThrow('store is away')
    expect(await pointers.listSince(0)).toEqual([])
  })

  test('of one of many machines at once is set by one of them, each time', async () => {
    const { url } = await open()
    const machines = await Promise.all(Array.from({ length: 4 }, () => open(url)))
    for (let round = 1; round <= 20; round++) {
      const expected = round === 1 ? null : (await machines[0]!.find(NAME))!.sha256
      const ends = await Promise.allSettled(
        machines.map((machine, index) => machine.set(change(`${round}-${index}`, expected))),
      )
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  test('gets its number in the order of commits, so that a reader misses none', async () => {
    const { url } = await open()
    const [reader, ...machines] = await Promise.all(Array.from({ length: 5 }, () => open(url)))
    const seen: string[] = []
    let last = 0
    let isOver = false
    const reading = (async () => {
      while (!isOver) {
        for (const { key, seq } of await reader!.listSince(last)) {
          seen.push(key)
          last = seq
        }
      }
    })()
    await Promise.all(
      machines.map(async (machine, index) => {
        for (let at = 0; at < 25; at++) {
          const slow = async (number: number) => {
            await sleep((at * 7 + index * 3) % 11)
            return `object ${number}`
          }
          await machine.set({ ...change('a', null, `${index}-${at}`), place: slow })
        }
      }),
    )
    await sleep(100)
    isOver = true
    await reading
    expect(seen).toHaveLength(100)
    expect(new Set(seen).size).toBe(100)
  })

  test('of a machine that stands still is not set once its transaction has ended', async () => {
    const { url } = await open()
    const [slow, quick] = await Promise.all([open(url), open(url)])
    await quick!.set(change('a', null))
    const standing = Promise.withResolvers<void>()
    const proceed = Promise.withResolvers<void>()
    const setting = slow!.set({
      ...change('b', 'a'),
      place: async number => {
        standing.resolve()
        await proceed.promise
        return `object ${number}`
      },
    })
    setting.catch(() => {})
    await standing.promise
    // the server does so by itself once the transaction has been idle for too long
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'",
    )
    expect(rows).toHaveLength(1)
    await client.end()
    await quick!.set(change('c', 'a'))
    proceed.resolve()
    await expect(setting).rejects.toThrow(
      /^the database \(DATABASE_URL\) is away: .*; try again\.$/,
    )
    expect(await quick!.find(NAME)).toMatchObject({ sha256: 'c' })
  })

  test('is announced to those that listen', async () => {
    const pointers = await open()
    let count = 0
    const stop = await pointers.listen(
      () => {
        count += 1
      },
      () => {},
    )
    await pointers.set(change('a', null))
    for (let wait = 0; count === 0 && wait < 100; wait++) await sleep(10)
    expect(count).toBe(1)
    stop()
  })
})

test('a database that is away is one sentence without its address', async () => {
  const error = await openPointers('postgresql://user:secret@127.0.0.1:1/none').catch(e => e)
  expect(error.exitCode).toBe(75)
  expect(error.message).toMatch(/^the database \(DATABASE_URL\) is away: .+; try again\.$/)
  expect(error.message).not.toMatch(/secret/)
})
