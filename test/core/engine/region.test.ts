// Databases of a server leave it able to start processes, however many they are.

import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'

const SERVED = 8
const opened: Database[] = []
afterAll(() => {
  for (const db of opened) db.close()
})

/** Bytes of addresses that count as this process's memory when it starts another. */
function countedBytes(): number {
  let bytes = 0
  let size = 0
  for (const line of readFileSync('/proc/self/smaps', 'utf8').split('\n')) {
    const [name = '', value = ''] = line.split(/:? +/)
    if (name === 'Size') size = Number(value) * 1024
    if (name === 'VmFlags' && / ac( |$)/.test(line)) bytes += size
  }
  return bytes
}

test.skipIf(process.platform !== 'linux')(`${SERVED} databases reserve no memory`, async () => {
  const before = countedBytes()
  for (let i = 0; i < SERVED; i++) {
    const db = await openDatabase({ threads: 1, memoryLimit: '1GB' })
    await db.run('create table some_rows as select unnest(range(100_000)) as value')
    opened.push(db)
  }
  expect(countedBytes() - before).toBeLessThan(SERVED * 250_000_000)
})
