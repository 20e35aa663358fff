import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machineTag, ownProcess } from '../../../src/core/disk/process.ts'
import { removeLeftovers, withWorkFolder } from '../../../src/core/disk/work.ts'
import { newFolder } from '../../support/import.ts'

const everythingIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

test('a work folder is there for its work alone, also after a failure', async () => {
  const data = newFolder()
  const seen = await withWorkFolder(data, 'build-2026-10-15', async folder => {
    writeFileSync(join(folder, 'orders.parquet.tmp'), 'half')
    return folder
  })
  expect(seen).toBe(join(data, `work/build-2026-10-15-${ownProcess()}`))
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
  const folders = ['published/manifests', 'tape/manifests', 'rejects', 'quarantine', 'lab/runs']
  for (const folder of folders) mkdirSync(join(data, folder), { recursive: true })
  for (const pid of [dead, alive, `${machineTag()}-${dead}`, `${machineTag()}-${alive}`]) {
    for (const name of ['import', 'publish-2026-10-15', 'build-2026-10-15', 'simulated']) {
      mkdirSync(join(data, `work/${name}-${pid}/spill`), { recursive: true })
    }
    mkdirSync(join(data, `work/simulated-${pid}.partial-x7Qa2b`))
    writeFileSync(join(data, `published/manifests/2026-10-15.json.${pid}.tmp`), '')
    writeFileSync(join(data, `published/views.sql.${pid}.tmp`), '')
    writeFileSync(join(data, `tape/manifests/2026-10-15.json.${pid}.tmp`), '')
    writeFileSync(join(data, `lab/runs/j_4fQ8sK2mZx0T.parquet.${pid}.tmp`), '')
    writeFileSync(join(data, `rejects/a-${pid}`), '')
  }
  mkdirSync(join(data, 'work/locks'))
  writeFileSync(join(data, 'work/locks/build-2026-10-15'), '')
  writeFileSync(join(data, 'published/manifests/2026-10-15.json'), '')
  try {
    await withWorkFolder(data, 'import', async () => {})
    const left = everythingIn(data)
    expect(left.filter(name => name.includes(String(dead)))).toEqual(
      [`rejects/a-${dead}`, `rejects/a-${machineTag()}-${dead}`].sort(),
    )
    expect(
      left.filter(name => name.includes(String(alive)) && !name.includes('spill')),
    ).toHaveLength(20)
    expect(existsSync(join(data, 'work/locks/build-2026-10-15'))).toBe(true)
    expect(existsSync(join(data, 'published/manifests/2026-10-15.json'))).toBe(true)
  } finally {
    running.kill()
  }
})

test("another machine's work is left alone for a day, whatever its number means here", () => {
  const data = newFolder()
  const other = `0000beef-${spawnSync('true').pid}`
  const names = [`work/build-2026-10-15-${other}`, `work/key.${other}.tmp`]
  const path = (name: string) => join(data, name)
  mkdirSync(path(names[0]!), { recursive: true })
  writeFileSync(path(names[1]!), '')
  expect(removeLeftovers(data)).toEqual([])
  for (const name of names) utimesSync(path(name), new Date(1_000), new Date(1_000))
  expect(removeLeftovers(data).sort()).toEqual(names)
  expect(everythingIn(data)).toEqual(['work'])
})
