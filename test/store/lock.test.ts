import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { withLock } from '../../src/store/lock.ts'
import { newFolder } from '../support/import.ts'

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

test('the lock of a process that has ended is taken over', async () => {
  const path = join(newFolder(), 'import.lock')
  writeFileSync(path, `${spawnSync('true').pid} 1`)
  expect(await hold(path)).toBe('done')
  expect(existsSync(path)).toBe(false)
})

test('a number that now belongs to another process does not keep a lock', async () => {
  const path = join(newFolder(), 'import.lock')
  writeFileSync(path, `${process.pid} 1`) // started when the machine did
  const isTold = existsSync('/proc/self/stat')
  if (isTold) expect(await hold(path)).toBe('done')
  else await expect(hold(path)).rejects.toThrow('It is taken.')
})

test.skipIf(!existsSync('/proc/self/stat'))('a zombie holds no lock', async () => {
  const path = join(newFolder(), 'import.lock')
  // the shell becomes a program that never asks how its own child ended
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
