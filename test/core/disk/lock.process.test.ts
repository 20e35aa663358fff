import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { withLock } from '../../../src/core/disk/lock.ts'
import { machineTag } from '../../../src/core/disk/process.ts'
import { installFaults } from '../../support/faultyDisk.ts'
import { newFolder } from '../../support/import.ts'

const hold = (path: string, work = async () => 'done') => withLock(path, 'It is taken.', work)

test('one holder at a time; the lock is gone after the work, also after a failure', async () => {
  const path = join(newFolder(), 'work/import.lock')
  await hold(path, async () => {
    await expect(hold(path)).rejects.toThrow('It is taken.')
    return 'done'
  })
  await expect(hold(path, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(readdirSync(dirname(path))).toEqual([])
  expect(await hold(path)).toBe('done')
})

test('a sign of life that a full disk does not take ends nothing', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const folder = newFolder()
  const path = join(folder, 'import.lock')
  const counted = installFaults(folder)
  await hold(path)
  counted.restore()
  const disk = installFaults(folder, { at: counted.calls() + 1, kind: 'ENOSPC' }, true)
  try {
    const work = async () => {
      const before = disk.calls()
      vi.advanceTimersByTime(5_000)
      return `${disk.calls() - before} missed`
    }
    expect(await hold(path, work)).toBe('1 missed')
    expect(existsSync(path)).toBe(false)
  } finally {
    disk.restore()
    vi.useRealTimers()
  }
})

test('the lock of a process that has ended is taken over', async () => {
  const path = join(newFolder(), 'import.lock')
  writeFileSync(path, `${spawnSync('true').pid} 1`)
  expect(await hold(path)).toBe('done')
  expect(existsSync(path)).toBe(false)
})

test('a number that now belongs to another process does not keep a lock', async () => {
  const path = join(newFolder(), 'import.lock')
  writeFileSync(path, `${process.pid} 1`) // started when the machine did
  const isReported = existsSync('/proc/self/stat')
  if (isReported) expect(await hold(path)).toBe('done')
  else await expect(hold(path)).rejects.toThrow('It is taken.')
})

test.skipIf(!existsSync('/proc/self/stat'))('a zombie holds no lock', async () => {
  const path = join(newFolder(), 'import.lock')
  // the shell becomes a program that never reads how its own child ended
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 20'])
  const pid = await new Promise<number>(resolve => {
    parent.stdout.once('data', chunk => resolve(Number(String(chunk))))
  })
  try {
    const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    writeFileSync(path, `${pid} ${stat()[19]}`)
    while (stat()[0] !== 'Z') await new Promise(resolve => setTimeout(resolve, 20))
    expect(await hold(path)).toBe('done')
  } finally {
    parent.kill()
  }
})

/** Makes a file as old as if it had last been written so many seconds ago. */
function age(path: string, seconds: number): void {
  const atS = statSync(path).mtimeMs / 1000 - seconds
  utimesSync(path, atS, atS)
}

test("another machine's lock is its own for 45 s after its last sign of life", async () => {
  const path = join(newFolder(), 'import.lock')
  // a number that runs on this machine proves nothing of that one, nor does one that does not
  for (const pid of [process.pid, spawnSync('true').pid]) {
    writeFileSync(path, `${pid} 77 0000beef`)
    age(path, 40)
    await expect(hold(path)).rejects.toThrow('It is taken.')
    age(path, 6)
    expect(await hold(path)).toBe('done')
    expect(existsSync(path)).toBe(false)
  }
})

test('on its own machine a lock is not stolen while its process runs, however silent', async () => {
  const path = join(newFolder(), 'import.lock')
  await hold(path, async () => {
    age(path, 3600)
    await expect(hold(path)).rejects.toThrow('It is taken.')
    return 'done'
  })
})

test('a holder writes its lock every five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const path = join(newFolder(), 'import.lock')
    await hold(path, async () => {
      const text = readFileSync(path, 'utf8')
      expect(text).toBe(`${process.pid} ${text.split(' ')[1]} ${machineTag()}`)
      age(path, 60)
      const before = statSync(path).mtimeMs
      vi.advanceTimersByTime(5_000)
      expect(statSync(path).mtimeMs - before).toBeGreaterThan(50_000)
      expect(readFileSync(path, 'utf8')).toBe(text)
      return 'done'
    })
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('who has lost the lock may not go on, and leaves the next one its lock', async () => {
  const path = join(newFolder(), 'import.lock')
  await withLock(path, 'It is taken.', async lock => {
    lock.assertHeld()
    rmSync(path)
    writeFileSync(path, `${process.pid} 77 0000beef`)
    expect(lock.assertHeld).toThrow('was taken over by another process; run it again.')
  })
  expect(readFileSync(path, 'utf8')).toContain('0000beef')
})

test('a lock can be waited for', async () => {
  const path = join(newFolder(), 'import.lock')
  const first = hold(path, () => new Promise(resolve => setTimeout(() => resolve('first'), 120)))
  const second = withLock(path, 'It is taken.', async () => 'second', 1_800_000)
  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
})
