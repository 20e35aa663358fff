import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPool } from '../../../src/lab/runs/pool.ts'
import { newFolder } from '../../support/import.ts'

const ENGINE = join(import.meta.dirname, '../../support/labEngineChild.ts')

test('a process reads from its request until it is past reading', async () => {
  const pool = openPool(ENGINE, newFolder())
  const states = () => [pool.isReading(), pool.idleCount()]
  try {
    expect(states()).toEqual([false, 2])
    const { signal } = new AbortController()
    const task = { do: 'warm', through: '2026-10-14', isBackwards: false } as const
    const requested = pool.runTask(task, { signal })
    expect(states()).toEqual([true, 1])
    expect(await requested).toBeNull()
    expect(states()).toEqual([false, 2])
    pool.warm('2026-10-14')
    expect(states()).toEqual([true, 0])
  } finally {
    await pool.close()
  }
})
