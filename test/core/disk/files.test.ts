import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  publishFile,
  refuseUnwritable,
  sha256,
  sha256File,
  writeAtomically,
} from '../../../src/core/disk/files.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'tapefold-files-'))

test('a file is replaced whole, in folders that did not exist, with no temporary file left', () => {
  const path = join(newFolder(), 'a/b/manifest.json')
  writeAtomically(path, 'old and longer')
  writeAtomically(path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(readdirSync(join(path, '..'))).toEqual(['manifest.json'])
})

test('a write that fails leaves the old file and no temporary one', () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'taken'), 'a file, not a folder')
  expect(() => writeAtomically(join(folder, 'taken/x.json'), 'x')).toThrow()
  expect(readdirSync(folder)).toEqual(['taken'])
})

test('where a file cannot be written is known before the work, by its own name', () => {
  const folder = newFolder()
  const path = join(folder, 'a/report.json')
  refuseUnwritable(path)
  expect(readdirSync(join(folder, 'a'))).toEqual([])
  mkdirSync(path)
  expect(() => refuseUnwritable(path)).toThrow(expect.objectContaining({ code: 'EISDIR', path }))
  // the temporary name is longer than a name may be, the name itself is not
  const long = join(folder, 'x'.repeat(250))
  const error = expect.objectContaining({ code: 'ENAMETOOLONG', path: long })
  expect(() => refuseUnwritable(long)).toThrow(error)
  expect(() => writeAtomically(long, 'x')).toThrow(error)
  expect(readdirSync(folder)).toEqual(['a'])
})

test('a published file is moved once and never replaced', () => {
  const folder = newFolder()
  const to = join(folder, 'session=2026-10-14/1.parquet')
  writeFileSync(join(folder, 'one'), '1')
  writeFileSync(join(folder, 'two'), '2')
  publishFile(join(folder, 'one'), to)
  expect(() => publishFile(join(folder, 'two'), to)).toThrow('never replaced')
  expect(readFileSync(to, 'utf8')).toBe('1')
  expect(existsSync(join(folder, 'one'))).toBe(false)
})

test('the hash of a file is the hash of its bytes', async () => {
  const path = join(newFolder(), 'abc')
  writeFileSync(path, 'abc')
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' // FIPS 180-2
  expect(await sha256File(path)).toBe(known)
  expect(sha256('abc')).toBe(known)
})
