import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccountStore } from '../../src/accounts/store.ts'
import { randomNumbers } from '../support/random.ts'

const SCRIPT = join(import.meta.dirname, '../support/change-accounts.ts')
const KILL_COUNT = 15
const SEED = 7

type Told = { account: string; apiKey?: string; position?: string }

let folder: string
let file: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-kill-'))
  file = join(folder, 'accounts.sqlite')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a process told before it was killed, after so many changes. */
async function runUntilKilled(changeCount: number): Promise<Told[]> {
  const child = fork(SCRIPT, [file])
  const told: Told[] = []
  child.on('message', (change: Told) => {
    told.push(change)
    if (told.length === changeCount) child.kill('SIGKILL')
  })
  await new Promise(ended => child.once('exit', ended))
  return told
}

test('15 kills while accounts, keys and positions are added lose nothing told', async () => {
  const random = randomNumbers(SEED)
  const told: Told[] = []
  for (let kill = 0; kill < KILL_COUNT; kill++) {
    told.push(...(await runUntilKilled(1 + Math.floor(random() * 40))))
    const store = await openAccountStore(file)
    const accounts = new Set((await store.listAccounts()).map(({ id }) => id))
    for (const { account, apiKey, position } of told) {
      expect(accounts).toContain(account)
      if (apiKey) expect((await store.findHolder(apiKey))?.accountId).toBe(account)
      if (position)
        expect(await store.findPosition(account, position)).toMatchObject({ body: '{}' })
    }
    await store.close()
  }
  expect(told.length).toBeGreaterThan(KILL_COUNT * 5)

  const database = new DatabaseSync(file)
  const rows = (text: string) =>
    database
      .prepare(text)
      .all()
      .map(row => ({ ...row }))
  expect(rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  // a position and the answer that tells of it are one change, also where nobody was told
  const positions = rows('select account_id, id as answer from positions order by 1')
  expect(rows('select account_id, answer from repeats order by 1')).toEqual(positions)
  database.close()
}, 60_000)
