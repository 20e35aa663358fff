// State of the disk when computing the columns of a session fails, or ends as if killed, at any
// of its calls, and after the next. A seeded sample; all calls with CHAOS=all (npm run chaos).

import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { DamagedBlocks } from '../../../src/lab/market/blocks.ts'
import { readMarket } from '../../../src/lab/market/readMarket.ts'
import { counted, findSample } from '../../support/chaos.ts'
import { type Fault, installFaults } from '../../support/faultyDisk.ts'
import { newFolder } from '../../support/import.ts'
import { findLedger, findMarket, rule } from '../engine/market.ts'
import { publishMarket } from './publish.ts'

const data = newFolder()
let valid: Awaited<ReturnType<typeof listTrades>>
let callCount = 0

const listTrades = async () =>
  findLedger(await readMarket(data, { dteMax: 0 }), rule({ action: 'buy' })).trades
const forget = () => rmSync(join(data, 'lab'), { recursive: true, force: true })

beforeAll(async () => {
  const dates = ['2026-10-14', '2026-10-15']
  const expiries = (date: string) => [{ expiry: date, strikes: [5960, 5970] }]
  await publishMarket(data, findMarket(...dates.map(date => ({ date, expiries: expiries(date) }))))
  const disk = installFaults(data)
  valid = await listTrades().finally(disk.restore)
  callCount = disk.calls()
})

test.each([
  ['EIO', 'errors at a call'],
  ['ENOSPC', 'full disks'],
  ['stop', 'errors at a call'],
] as const)('after %s at a call the next run trades as one without faults', async (kind, harm) => {
  expect(valid).toHaveLength(2)
  for (const at of findSample(callCount, 7, 5)) {
    forget()
    await counted(harm, async () => {
      const fault: Fault = { at, kind }
      const disk = installFaults(data, fault)
      const first = await listTrades()
        .catch((error: Error) => error)
        .finally(disk.restore)
      // it reported the failure, or did no harm: never are there other trades
      if (!(first instanceof Error)) expect(first).toEqual(valid)
      else if (!(first instanceof DamagedBlocks)) {
        expect((first as NodeJS.ErrnoException).code ?? first.message).toMatch(/EIO|ENOSPC/)
      }
      expect(await listTrades()).toEqual(valid)
      expect(globSync('lab/**/*.bin', { cwd: data })).toHaveLength(2)
    })
  }
})
