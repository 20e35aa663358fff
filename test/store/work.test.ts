import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withWorkFolder } from '../../src/store/work.ts'
import { newFolder } from '../support/import.ts'

const everythingIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

test('a work folder is there for its work alone, also after a failure', async () => {
  const data = newFolder()
  const seen = await withWorkFolder(data, 'build-2026-10-15', async folder => {
    writeFileSync(join(folder, 'orders.parquet.tmp'), 'half')
    return folder
  })
  expect(seen).toBe(join(data, `work/build-2026-10-15-${process.pid}`))
  await expect(
    withWorkFolder(data, 'import', () => Promise.reject(new Error('full'))),
  ).rejects.toThrow('full')
  expect(everythingIn(data)).toEqual(['work'])
})

test('what a killed process left is removed, what a running one has is not', async () => {
  const data = newFolder()
  const dead = spawnSync('true').pid
  const running = spawn('sleep', ['20'])
  const alive = running.pid!
  const folders = ['published/manifests', 'tape/manifests', 'rejects', 'quarantine']
  for (const folder of folders) mkdirSync(join(data, folder), { recursive: true })
  for (const pid of [dead, alive]) {
    for (const name of ['import', 'publish-2026-10-15', 'build-2026-10-15', 'simulated']) {
      mkdirSync(join(data, `work/${name}-${pid}/spill`), { recursive: true })
    }
    mkdirSync(join(data, `work/simulated-${pid}.partial-x7Qa2b`))
    writeFileSync(join(data, `work/build-2026-10-15.lock.${pid}.new`), '')
    writeFileSync(join(data, `published/manifests/2026-10-15.json.${pid}.tmp`), '')
    writeFileSync(join(data, `published/views.sql.${pid}.tmp`), '')
    writeFileSync(join(data, `tape/manifests/2026-10-15.json.${pid}.tmp`), '')
    writeFileSync(join(data, `rejects/a-${dead}`), '')
  }
  writeFileSync(join(data, 'work/build-2026-10-15.lock'), '')
  writeFileSync(join(data, 'published/manifests/2026-10-15.json'), '')
  try {
    await withWorkFolder(data, 'import', async () => {})
    const left = everythingIn(data)
    expect(left.filter(name => name.includes(String(dead)))).toEqual([`rejects/a-${dead}`])
    expect(
      left.filter(name => name.includes(String(alive)) && !name.includes('spill')),
    ).toHaveLength(9)
    expect(existsSync(join(data, 'work/build-2026-10-15.lock'))).toBe(true)
    expect(existsSync(join(data, 'published/manifests/2026-10-15.json'))).toBe(true)
  } finally {
    running.kill()
  }
})
