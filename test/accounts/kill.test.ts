import { fork } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openAccountStore } from '../../src/accounts/store.ts'
import { ENGINES } from '../support/engines.ts'
import { randomNumbers } from '../support/random.ts'

const SCRIPT = join(import.meta.dirname, '../support/changeAccounts.ts')
const KILL_COUNT = 15
const SEED = 7

type Told = { account: string; apiKey?: string; position?: string }

/** What a process told before it was killed, after so many changes. */
async function runUntilKilled(place: string, changeCount: number): Promise<Told[]> {
  const child = fork(SCRIPT, [place])
  const told: Told[] = []
  child.on('message', (change: Told) => {
    told.push(change)
    if (told.length === changeCount) child.kill('SIGKILL')
  })
  await new Promise(ended => child.once('exit', ended))
  return told
}

/** Rows of a database, asked without the code under test. */
async function rowsOf(place: string, text: string): Promise<object[]> {
  if (place.startsWith('postgresql:')) {
    const client = new pg.Client({ connectionString: place })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows
  }
  const database = new DatabaseSync(place)
  const rows = database.prepare(text).all()
  database.close()
  return rows.map(row => ({ ...row }))
}

describe.each(ENGINES)('in %s', (name, isHere, start) => {
  test.skipIf(!isHere)(
    '15 kills while accounts, keys and positions are added lose nothing told',
    async () => {
      const engine = await start()
      const place = await engine.newPlace()
      const random = randomNumbers(SEED)
      const told: Told[] = []
      for (let kill = 0; kill < KILL_COUNT; kill++) {
        told.push(...(await runUntilKilled(place, 1 + Math.floor(random() * 40))))
        const store = await openAccountStore(place)
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
      if (name === 'SQLite') {
        expect(await rowsOf(place, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
      }
      // a position and the answer that tells of it are one change, also where nobody was told
      const positions = await rowsOf(
        place,
        'select account_id, id as answer from positions order by 1',
      )
      expect(await rowsOf(place, 'select account_id, answer from repeats order by 1')).toEqual(
        positions,
      )
      await engine.stop()
    },
  )
})
