import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { ClosedError } from '../../../src/core/disk/closing.ts'
import { openThread } from '../../../src/platform/pool/thread.ts'
import { newFolder } from '../../support/import.ts'

const THREAD = pathToFileURL(join(import.meta.dirname, '../../../src/platform/pool/thread.ts')).href

/** A thread that answers a number with twice as much, once it has waited for that many ms. */
function newThread() {
  const script = join(newFolder(), 'double.mjs')
  writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads'
import { respondOn } from '${THREAD}'
respondOn(parentPort, {
  respond: number => new Promise(done => setTimeout(() => done(2 * number), number)),
  close: () => new Promise(done => setTimeout(done, 60)),
})`,
  )
  return openThread<number, number>({ script, workerData: null })
}

test('a thread answers what it was asked before its close, and nothing after', async () => {
  const thread = newThread()
  const before = thread.query(20)
  const closing = thread.close()
  await expect(thread.query(1)).rejects.toThrow(ClosedError)
  expect(await before).toBe(40)
  await closing
  await expect(thread.query(1)).rejects.toThrow('the thread is closed')
})

test('a thread that was asked nothing is not opened by work after its close', async () => {
  const thread = newThread()
  await thread.close()
  await expect(thread.query(1)).rejects.toThrow(ClosedError)
  await thread.close()
})
