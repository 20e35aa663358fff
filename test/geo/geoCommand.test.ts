import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runGeoImport } from '../../pipelines/import/geo.ts'
import { simulateGeoWeek } from '../../pipelines/simulate/demo.ts'
import { perform } from '../../src/cli/perform.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { newFolder } from '../support/import.ts'

const AT = ['--at', '2026-10-15T14:00:00Z']

test('geo returns the simulated week of the demo, and says that it is one', async () => {
  const data = newFolder()
  const again = newFolder()
  for (const folder of [data, again]) {
    for (const { format, file } of simulateGeoWeek(folder, '2026-10-12')) {
      await runGeoImport({ dataFolder: folder, format, files: [file], simulated: true })
    }
  }
  const out = join(data, 'answer')
  const run = async (folder: string, ...args: string[]) => {
    await perform(['geo', ...args, ...AT, '--data', folder, '--out', out])
    return readFileSync(out, 'utf8')
  }
  const items = JSON.parse(await run(data, 'items', '--kind', 'release'))
  expect(items).toMatchObject({ simulated: true, note: expect.stringMatching(/^SIMULATED: /) })
  // one of the four becomes known at that very instant, and none later
  expect(items.items.map((item: { label: string }) => item.label)).toEqual([
    'jobless claims',
    'new home sales',
    'consumer prices (CPI)',
    'job openings (JOLTS)',
  ])
  const csv = await run(data, 'csv', '--week', '2026-W42')
  expect(csv.split('\n').length).toBeGreaterThan(100)
  expect(await run(again, 'csv', '--week', '2026-W42')).toBe(csv)
  expect(JSON.parse(await run(data, 'countries')).countries[0].country).toBe('UA')
  expect(JSON.parse(await run(data, 'weeks')).weeks).toMatchObject([
    { week: '2026-W42', simulated: true, complete: false },
  ])
  expect(JSON.parse(await run(data, 'health')).sources).toHaveLength(3)
  expect(JSON.parse(await run(data, 'sources')).sources[2]).toMatchObject({ source: 'gdelt' })
})

test('geo webhook saves an address of who has a plan, tests and removes it', async () => {
  const data = newFolder()
  const out = join(data, 'answer')
  const accounts = await openAccountStore(join(data, 'accounts.sqlite'))
  const { id } = await accounts.addAccount({ name: 'desk', plan: 'geo', createdAtMs: 1 })
  const { id: other } = await accounts.addAccount({ name: 'desk', plan: 'lab', createdAtMs: 1 })
  const run = async (...args: string[]) => {
    await perform(['geo', 'webhook', ...args, '--data', data, '--out', out])
    return readFileSync(out, 'utf8')
  }
  await accounts.outbox.saveEndpoint({ accountId: id, owner: 'geo', url: 'https://a.b/', atMs: 1 })
  expect(await run('test', id)).toMatch(/^evt_[0-9a-f]{32} is queued\n$/)
  expect(await run('remove', id)).toBe('it is removed\n')
  await expect(run('test', id)).rejects.toThrow('no webhook for public records')
  await expect(run('save', other, 'https://a.example/')).rejects.toThrow('has no geo plan')
  await expect(run('save', id, 'http://a.example/')).rejects.toThrow('begin with https://')
  await expect(run('test', 'acc_none')).rejects.toThrow('account acc_none does not exist')
  await accounts.close()
})

test.each([
  [['items', '--at', '10:00'], '--at is 10:00; give a time in UTC, such as 2026-10-15T14:00:00Z.'],
  [['items', '--week', 'x'], 'week is "x"; give an ISO week'],
])('geo %j says what is wrong', async (args, sentence) => {
  await expect(perform(['geo', ...args, '--data', newFolder()])).rejects.toThrow(sentence)
})
