import { fork } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { ENGINES } from '../support/engines.ts'
import { randomNumbers } from '../support/random.ts'

const SCRIPT = join(import.meta.dirname, '../support/changeAccounts.ts')
const KILL_COUNT = 15
const SEED = 7

type ReportedChange = { account: string; apiKey?: string; position?: string }

/** Reports of a process before it was killed, after a number of changes. */
async function runUntilKilled(location: string, changeCount: number): Promise<ReportedChange[]> {
  const child = fork(SCRIPT, [location])
  const reported: ReportedChange[] = []
  child.on('message', (change: ReportedChange) => {
    reported.push(change)
    if (reported.length === changeCount) child.kill('SIGKILL')
  })
  await new Promise(ended => child.once('exit', ended))
  return reported
}

/** Rows of a database, read without the code under test. */
async function readRows(location: string, text: string): Promise<object[]> {
  if (location.startsWith('postgresql:')) {
    const client = new pg.Client({ connectionString: location })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows
  }
  const database = new DatabaseSync(location)
  const rows = database.prepare(text).all()
  database.close()
  return rows.map(row => ({ ...row }))
}

describe.each(ENGINES)('in %s', (name, isHere, start) => {
  test.skipIf(!isHere)(
    '15 kills while accounts, keys and positions are added lose nothing reported',
    async () => {
      const engine = await start()
      const location = await engine.newPlace()
      const random = randomNumbers(SEED)
      const reported: ReportedChange[] = []
      for (let kill = 0; kill < KILL_COUNT; kill++) {
        reported.push(...(await runUntilKilled(location, 1 + Math.floor(random() * 40))))
        const store = await openAccountStore(location)
        const accounts = new Set((await store.listAccounts()).map(({ id }) => id))
        for (const { account, apiKey, position } of reported) {
          expect(accounts).toContain(account)
          if (apiKey) expect((await store.findHolder(apiKey))?.accountId).toBe(account)
          if (position)
            expect(await store.findPosition(account, position)).toMatchObject({ body: '{}' })
        }
        await store.close()
      }
      expect(reported.length).toBeGreaterThan(KILL_COUNT * 5)
      if (name === 'SQLite') {
        expect(await readRows(location, 'pragma integrity_check')).toEqual([
          { integrity_check: 'ok' },
        ])
      }
      // a position and the response that reports it are one change, also where nobody received
      // it
      const positions = await readRows(
        location,
        'select account_id, id as answer from positions order by 1',
      )
      expect(await readRows(location, 'select account_id, answer from repeats order by 1')).toEqual(
        positions,
      )
      await engine.stop()
    },
  )
})
