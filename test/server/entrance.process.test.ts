// bin/tapefold, with which everything begins: in a clone of Windows, and with a Node of another machine.

import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '../support/import.ts'

const ROOT = join(import.meta.dirname, '../..')
const PINNED = join(ROOT, 'node_modules/.bin/node')

let folder: string
beforeEach(() => {
  folder = newFolder()
})

const run = (entrance: string, path = '/usr/bin:/bin') =>
  spawnSync(entrance, ['help'], { encoding: 'utf8', env: { PATH: path } })

test('a clone by git with core.autocrlf=true has 0 files with CRLF, and prints its commands', () => {
  const clone = join(folder, 'clone')
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout
  git('clone', '--quiet', '-c', 'core.autocrlf=true', ROOT, clone)
  const ends = git('-C', clone, 'ls-files', '--eol').split('\n').filter(Boolean)
  expect(ends.length).toBeGreaterThan(1_000)
  expect(ends.filter(line => line.includes('w/crlf') || line.includes('w/mixed'))).toEqual([])
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  expect(run(join(clone, 'bin/tapefold')).stdout).toContain('schedule')
})

/** A program of this machine, changed so that the kernel cannot start it. */
const FOREIGN = {
  'another processor': (elf: Buffer) => {
    const ARM64 = 183
    elf.writeUInt16LE(elf.readUInt16LE(18) === ARM64 ? 62 : ARM64, 18)
  },
  'another C library': (elf: Buffer) => {
    elf.write('/absent', elf.indexOf('/lib', 0, 'latin1'))
  },
}

test.each(Object.entries(FOREIGN))('the pinned Node of %s gives way to Node 24', (_, change) => {
  const node = join(folder, 'node_modules/.bin/node')
  mkdirSync(dirname(node), { recursive: true })
  const elf = readFileSync('/bin/true')
  change(elf)
  writeFileSync(node, elf)
  chmodSync(node, 0o755)
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true })
  symlinkSync(join(ROOT, 'src'), join(folder, 'src'))
  const entrance = join(folder, 'bin/tapefold')
  const machine = join(folder, 'machine')
  mkdirSync(machine)

  const alone = run(entrance)
  expect(alone).toMatchObject({ status: 1, stdout: '' })
  expect(alone.stderr).toMatch(
    /^tapefold: there is no Node 24 that runs here; .* install Node 24\.\n$/,
  )

  symlinkSync(PINNED, join(machine, 'node'))
  expect(run(entrance, `${machine}:/usr/bin:/bin`)).toMatchObject({ status: 0, stderr: '' })
})
