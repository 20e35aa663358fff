// The one view of the state: shown to everybody, also when the account store fails.

import { expect, test } from 'vitest'
import { instantMs } from '../../src/core/market/calendar.ts'
import type { Catalog } from '../../src/data/published/catalog.ts'
import { openState } from '../../src/status/state.ts'
import { findCatalog } from '../support/catalog.ts'

/** A state of one good session whose account store does what a test says. */
function findState({ check = async () => ({ isLocked: false }), judgedForMs = 0 } = {}) {
  const disk = { looks: 0 }
  const good = findCatalog({ '2026-10-14': {} })
  const catalog: Catalog = {
    ...good,
    newest: () => {
      disk.looks += 1
      return good.newest()
    },
  }
  const clock = { atMs: instantMs('2026-10-14', '20:00') }
  const state = openState({
    catalog,
    publishGraceMs: 60_000,
    isLive: false,
    judgedForMs,
    accounts: { check },
    nowMs: () => clock.atMs,
    elapsedMs: () => clock.atMs,
  })
  return { state, disk, clock }
}

test('one scan of the disk serves all callers within its time', async () => {
  const { state, disk, clock } = findState({ judgedForMs: 1000 })
  const requested = [state.status(), state.status(), await state.health(), await state.health()]
  expect(requested[0]).toBe(requested[1])
  expect(requested[2]).toBe(requested[3])
  expect(disk.looks).toBe(1)
  clock.atMs += 1000
  state.status()
  expect(disk.looks).toBe(2)
})

test('an account store that hangs is queried once, and does not respond', async () => {
  let requested = 0
  let response = (_: { isLocked: boolean }) => {}
  const check = () => {
    requested += 1
    return new Promise<{ isLocked: boolean }>(resolve => {
      response = resolve
    })
  }
  const { state } = findState({ check })
  const reported = await Promise.all([state.health(), state.health(), state.health()])
  for (const { problems } of reported)
    expect(problems).toEqual(['the account store does not answer'])
  expect(requested).toBe(1)
  response({ isLocked: false })
  // the query that hung is over: the next one is sent again
  await new Promise(resolve => setImmediate(resolve))
  const healthy = state.health()
  response({ isLocked: false })
  expect((await healthy).problems).toEqual([])
  expect(requested).toBe(2)
})
