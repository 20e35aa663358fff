// docs/releases.md has the version of the package, and each migration in one release.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MIGRATIONS } from '../src/server/accountSchema.ts'
import { readPage } from './support/pages.ts'

const PAGE = 'docs/releases.md'
const PARTS = ['New', 'Breaks', 'Migrations']

/** Releases of the page, each with its version and text, the newest first. */
const releases = readPage(PAGE)
  .split(/^## (?=\d)/m)
  .slice(1)
  .map(text => ({ version: text.split('\n')[0]!, text }))
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

test('the newest release is the version of the package and of its lock', () => {
  const { version } = read('package.json')
  expect(releases[0]!.version).toBe(version)
  const lock = read('package-lock.json')
  expect([lock.version, lock.packages[''].version]).toEqual([version, version])
})

test('releases fall by version and by day', () => {
  const versions = releases.map(({ version }) => version)
  expect(versions.filter(version => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  const byNumber = new Intl.Collator('en', { numeric: true }).compare
  expect(versions).toEqual([...new Set(versions)].sort(byNumber).reverse())
  const days = releases.map(({ text }) => /^\d{4}-\d{2}-\d{2}$/m.exec(text)?.[0])
  expect(days).not.toContain(undefined)
  expect(days).toEqual(days.toSorted().reverse())
})

test.each(releases)('release $version says what is new, what breaks, what migrates', ({ text }) => {
  const parts = text.split(/^### /m).slice(1)
  expect(parts.map(part => part.split('\n')[0])).toEqual(PARTS)
  for (const part of parts) expect(part.split('\n').slice(1).join('').trim()).not.toBe('')
})

test('each migration of the account database is of one release, in the order of their names', () => {
  const steps = releases
    .toReversed()
    .flatMap(({ text }) => [...text.matchAll(/^\| `(\d{3}_\w+)` \| \S/gm)].map(([, step]) => step))
  expect(steps).toEqual(Object.keys(MIGRATIONS).toSorted())
})
