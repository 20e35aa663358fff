// Of several schedulers one works, and another follows it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { takeTurn } from '../../../pipelines/upkeep/turn.ts'
import { Busy } from '../../../src/core/disk/refusal.ts'
import { hasPostgres, sharePostgres } from '../../support/postgres.ts'

const root = mkdtempSync(join(tmpdir(), 'tapefold-turn-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const PLACES = ['a data folder', ...(hasPostgres ? ['a database'] : [])]

test.each(PLACES)('one works at a time on %s, and the next one follows it', async where => {
  const databaseUrl = where === 'a database' ? await (await sharePostgres()).newDatabase() : null
  const text: string[] = []
  const turn = { dataFolder: root, databaseUrl, say: (line: string) => void text.push(line) }
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const did: string[] = []
  const one = takeTurn(turn, true, async () => {
    did.push('one begins')
    first.resolve()
    await second.promise
    did.push('one ends')
  })
  await first.promise
  await expect(takeTurn(turn, false, async () => {})).rejects.toThrow(Busy)
  const two = takeTurn(turn, true, async () => {
    did.push('two works')
  })
  while (text.length === 0) await new Promise(resolve => setTimeout(resolve, 10))
  expect(text).toEqual(['another scheduler is at work; this one takes over when it ends'])
  second.resolve()
  await Promise.all([one, two])
  expect(did).toEqual(['one begins', 'one ends', 'two works'])
})
