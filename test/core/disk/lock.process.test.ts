import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { isLocked, lockPath, withLock } from '../../../src/core/disk/lock.ts'
import { newFolder } from '../../support/import.ts'

const hold = (path: string, work = async () => 'done') => withLock(path, 'It is taken.', work)

const MODULE = join(import.meta.dirname, '../../../src/core/disk/lock.ts')
/** Script that takes a lock, says so, and holds it until it is ended. */
const holder = (path: string) => `import(${JSON.stringify(MODULE)}).then(({ withLock }) =>
  withLock(${JSON.stringify(path)}, 'taken', () => {
    console.log('held')
    return new Promise(resolve => setTimeout(resolve, 3_600_000))
  }))`

/** Resolves once another process holds the lock. */
async function startHolder(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', holder(path)], { stdio: ['ignore', 'pipe', 2] })
  await new Promise(resolve => child.stdout!.once('data', resolve))
  return child
}

/** Ends a process; resolves once it is gone. */
function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  child.kill('SIGKILL')
  return ended
}

test('one holder at a time; the lock is free after the work, also after a failure', async () => {
  const path = lockPath(newFolder(), 'import')
  expect(isLocked(path)).toBe(false)
  await hold(path, async () => {
    await expect(hold(path)).rejects.toThrow('It is taken.')
    expect(isLocked(path)).toBe(true)
    return 'done'
  })
  await expect(hold(path, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(isLocked(path)).toBe(false)
  expect(await hold(path)).toBe('done')
})

test('the file of a lock stays, empty, and alone', async () => {
  const path = lockPath(newFolder(), 'import')
  const files = () => readdirSync(dirname(path))
  expect(await hold(path, async () => files().join())).toBe('import')
  expect(files()).toEqual(['import'])
  expect(statSync(path).size).toBe(0)
})

test('of ten takers in one process, one at a time goes on', async () => {
  const path = lockPath(newFolder(), 'import')
  let atOnce = 0
  const work = async () => {
    atOnce += 1
    expect(atOnce).toBe(1)
    await new Promise(resolve => setImmediate(resolve))
    atOnce -= 1
  }
  const takers = Array.from({ length: 10 }, () => withLock(path, 'It is taken.', work, 60_000))
  expect(await Promise.all(takers)).toHaveLength(10)
})

test('a process that stands still keeps its lock, one that is killed loses it at once', async () => {
  const path = lockPath(newFolder(), 'import')
  const child = await startHolder(path)
  try {
    await expect(hold(path)).rejects.toThrow('It is taken.')
    // how long is of no importance: the kernel knows no time
    child.kill('SIGSTOP')
    await expect(withLock(path, 'It is taken.', async () => '', 300)).rejects.toThrow(
      'It is taken.',
    )
    expect(isLocked(path)).toBe(true)
  } finally {
    await kill(child)
  }
  expect(isLocked(path)).toBe(false)
  expect(await hold(path)).toBe('done')
})

test('a thread and the process that it belongs to exclude each other', async () => {
  const path = lockPath(newFolder(), 'import')
  const thread = new Worker(holder(path), { eval: true, stdout: true })
  await new Promise(resolve => thread.stdout.once('data', resolve))
  await expect(hold(path)).rejects.toThrow('It is taken.')
  await thread.terminate()
  expect(await hold(path)).toBe('done')
})

test('a refusal within a process does not let a second process in', async () => {
  const path = lockPath(newFolder(), 'import')
  await hold(path, async () => {
    // closing a file releases the locks of its process, but not where SQLite closes it
    await expect(hold(path)).rejects.toThrow('It is taken.')
    expect(isLocked(path)).toBe(true)
    const other = spawn(process.execPath, ['-e', holder(path)])
    const error = new Promise(resolve => other.stderr.once('data', text => resolve(String(text))))
    await expect(error).resolves.toMatch(/Busy|taken/)
    return 'done'
  })
})

test('a lock can be waited for', async () => {
  const path = lockPath(newFolder(), 'import')
  const first = hold(path, () => new Promise(resolve => setTimeout(() => resolve('first'), 120)))
  const second = withLock(path, 'It is taken.', async () => 'second', 1_800_000)
  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
})

test('a hundred locks are taken and released in less than a second', async () => {
  const path = lockPath(newFolder(), 'import')
  const startMs = performance.now()
  for (let count = 0; count < 100; count++) await hold(path)
  // a fifth of a millisecond each; a machine that is busy takes longer
  expect(performance.now() - startMs).toBeLessThan(1_000)
})

test('a file that is no lock is named', async () => {
  const folder = newFolder()
  const path = lockPath(folder, 'import')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '1234 5678 0a1b2c3d')
  await expect(hold(path)).rejects.toThrow(`${path} cannot be locked: file is not a database.`)
  rmSync(path)
  mkdirSync(path)
  await expect(hold(path)).rejects.toThrow(`${path} cannot be locked: unable to open`)
})
