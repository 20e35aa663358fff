import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createOnce } from '../../../src/core/disk/createOnce.ts'
import { installFaults } from '../../support/faultyDisk.ts'

const newPath = () => join(mkdtempSync(join(tmpdir(), 'tapefold-once-')), 'secret.key')

test('a file is made once, for its owner alone, and what is there stays', () => {
  const path = newPath()
  createOnce(path, () => 'first')
  createOnce(path, () => expect.fail('asked for what nobody needs'))
  expect(readFileSync(path, 'utf8')).toBe('first')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('of two who make it at once the first wins, and both find its bytes', () => {
  const path = newPath()
  createOnce(path, () => {
    writeFileSync(path, 'of the other')
    return 'own'
  })
  expect(readFileSync(path, 'utf8')).toBe('of the other')
  expect(readdirSync(join(path, '../work'))).toEqual([])
})

test.each(['EIO', 'ENOSPC', 'stop'] as const)('with %s at any call it is whole, or none', kind => {
  let calls = Number.POSITIVE_INFINITY
  for (let at = 1; at <= calls; at++) {
    const path = newPath()
    const disk = installFaults(join(path, '..'), { at, kind })
    try {
      expect(() => createOnce(path, () => 'whole')).toThrow(/EIO|ENOSPC/)
    } finally {
      disk.restore()
    }
    if (at === 1) calls = countCalls()
    const found = statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : 'whole'
    expect(found).toBe('whole')
    createOnce(path, () => 'whole')
    expect(readFileSync(path, 'utf8')).toBe('whole')
  }
})

/** How many calls to the disk making a file is. */
function countCalls(): number {
  const path = newPath()
  const disk = installFaults(join(path, '..'))
  try {
    createOnce(path, () => 'whole')
    return disk.calls()
  } finally {
    disk.restore()
  }
}
