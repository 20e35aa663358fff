import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openNoAccounts } from '../../src/server/accountStore.ts'

test('an account database in memory leaves no file in the folder it is opened from', async () => {
  const before = process.cwd()
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-memory-'))
  process.chdir(folder)
  try {
    const accounts = await openNoAccounts()
    expect(readdirSync(folder)).toEqual([])
    await accounts.close()
  } finally {
    process.chdir(before)
  }
})
