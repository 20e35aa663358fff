import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { ClosedError } from '../../../src/core/disk/closing.ts'
import { DamagedFile } from '../../../src/data/published/damagedFile.ts'
import { openThread, type Thread } from '../../../src/platform/pool/thread.ts'
import { newFolder } from '../../support/import.ts'

const SOURCES = pathToFileURL(join(import.meta.dirname, '../../../src')).href

/** A thread that responds to numbers. */
function newThread(respond: string, concurrency = 1): Thread<number, unknown> {
  const script = join(newFolder(), 'script.mjs')
  writeFileSync(
    script,
    `import { setTimeout as sleep } from 'node:timers/promises'
import { serveThread } from '${SOURCES}/platform/pool/thread.ts'
import { DamagedFile } from '${SOURCES}/data/published/damagedFile.ts'
let running = 0
export default serveThread(data => ({
  respond: ${respond},
  close: () => sleep(60),
}))`,
  )
  return openThread<number, unknown>({ script, workerData: 'data', concurrency })
}

const DOUBLE = 'number => sleep(number, 2 * number)'

test('a thread completes requests from before its close, and nothing after', async () => {
  const thread = newThread(DOUBLE)
  const before = thread.query(20)
  const closing = thread.close()
  await expect(thread.query(1)).rejects.toThrow(ClosedError)
  expect(await before).toBe(40)
  await closing
  await expect(thread.query(1)).rejects.toThrow('the thread is closed')
})

test('a close waits for all requests, also for those that have not begun', async () => {
  const thread = newThread(DOUBLE)
  const responses = Promise.all([30, 20, 10].map(number => thread.query(number)))
  await thread.close()
  await thread.close()
  expect(await responses).toEqual([60, 40, 20])
})

test('a thread without requests is not opened by work after its close', async () => {
  const thread = newThread(DOUBLE)
  await thread.close()
  await expect(thread.query(1)).rejects.toThrow(ClosedError)
  await thread.close()
})

test('a thread serves one request after the other, or as many as it may at once', async () => {
  const most = `async () => {
    running += 1
    await sleep(20)
    return running--
  }`
  for (const concurrency of [1, 3]) {
    const thread = newThread(most, concurrency)
    // the first one starts the thread
    await thread.query(0)
    const seen = await Promise.all([1, 2, 3, 4].map(number => thread.query(number)))
    expect(Math.max(...(seen as number[]))).toBe(concurrency)
    await thread.close()
  }
})

test('a damaged file comes as one, and a fault of the system with its code', async () => {
  const thread = newThread(`async number => {
    const fault = { path: '/x', stamp: '1 2 3', message: 'x differs' }
    if (number === 1) throw new DamagedFile('2026-10-14', fault)
    if (number === 2) throw Object.assign(new Error('no x'), { code: 'ENOENT' })
    if (number === 3) throw 'a text'
    return data
  }`)
  const damage = (await thread.query(1).catch(error => error)) as DamagedFile
  expect(damage).toBeInstanceOf(DamagedFile)
  expect({ ...damage, message: damage.message }).toEqual({
    name: 'DamagedFile',
    date: '2026-10-14',
    path: '/x',
    stamp: '1 2 3',
    message: 'x differs',
  })
  await expect(thread.query(2)).rejects.toMatchObject({ message: 'no x', code: 'ENOENT' })
  await expect(thread.query(3)).rejects.toMatchObject({ message: 'a text' })
  expect(await thread.query(4)).toBe('data')
  await thread.close()
})

test('who gives up is known in the thread, and ends nothing else of it', async () => {
  const thread = newThread(
    `(number, signal) => number === 0 ? sleep(10, 'other') : new Promise((_, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason))
    })`,
    2,
  )
  const giveUp = new AbortController()
  const [given, other] = [thread.query(1, giveUp.signal), thread.query(0)]
  giveUp.abort()
  await expect(given).rejects.toMatchObject({ name: 'AbortError' })
  expect(await other).toBe('other')
  await expect(thread.query(0, giveUp.signal)).rejects.toBe(giveUp.signal.reason)
  await thread.close()
})

test('a thread that dies fails what waits for it, and is started again', async () => {
  const thread = newThread(`async number => {
    if (number === 1) process.exit(3)
    if (number === 2) setTimeout(() => { throw new Error('a stray fault') })
    return sleep(number === 2 ? 60_000 : 1, number)
  }`)
  expect(await thread.query(5)).toBe(5)
  const failed = await Promise.allSettled([thread.query(1), thread.query(5), thread.query(6)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await expect(thread.query(2)).rejects.toThrow('a stray fault')
  expect(await thread.query(7)).toBe(7)
  await thread.close()
})

test('a script that cannot be loaded fails each request', async () => {
  const thread = openThread<number, number>({
    script: join(newFolder(), 'none.mjs'),
    workerData: null,
  })
  const failed = await Promise.allSettled([thread.query(1), thread.query(2)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await thread.close()
})
