import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { publishedSessions } from '../../../src/data/published/manifest.ts'
import { findBuilder } from '../../support/processes.ts'

const DATES = ['2026-10-13', '2026-10-14', '2026-10-15']
const root = mkdtempSync(join(tmpdir(), 'tapefold-backfill-'))
const dataFolder = join(root, 'data')
const RANGE = ['backfill', '2026-10-12', '2026-10-15', '--workers', '1', '--data', dataFolder]

beforeAll(async () => {
  for (const date of DATES) {
    const out = join(root, date)
    const size = { prints: 700, contracts: 300, seed: 4, hasQuotes: false }
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
    await importSimulated(dataFolder, out, ['prints', 'spots', 'open_interest', 'rates'])
  }
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

type Run = { readonly child: ChildProcess; readonly text: () => string }

/** The command as a person starts it. */
function start(...args: string[]): Run & { ended: Promise<{ code: number | null; text: string }> } {
  const child = spawn(process.execPath, ['src/cli/cli.ts', ...args])
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
  }
  const ended = new Promise<{ code: number | null; text: string }>(resolve =>
    child.on('close', code => resolve({ code, text })),
  )
  return { child, text: () => text, ended }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 20))
}

const manifestText = (date: string) =>
  readFileSync(join(dataFolder, 'published/manifests', `${date}.json`), 'utf8')

test('simulate is a command of the same program, with a folder of its own', async () => {
  const size = ['--prints', '100', '--contracts', '200', '--quotes', 'no']
  const { code, text } = await start('simulate', ...size, '--out', join(root, 'cli')).ended
  expect(text).toMatch(/a simulated session of 2026-10-15 is in .+\/cli\n$/)
  expect(code).toBe(0)
})

test('killed in the middle of a session, it goes on where it was', async () => {
  const first = start(...RANGE)
  // the second session is being built
  const builder = () => findBuilder(dataFolder, '2026-10-14')
  await until(() => first.text().includes('1 of 3') && builder() !== null)
  const buildPid = builder()!
  const { pid: command } = first.child
  const [pid] = readFileSync(`/proc/${command}/task/${command}/children`, 'utf8').split(' ')
  process.kill(Number(pid), 'SIGKILL')
  // 128 and the number of the signal, as a shell has it
  expect((await first.ended).code).toBe(137)
  expect(publishedSessions(dataFolder)).toEqual(['2026-10-13'])
  // nobody waits for its build any more: it ends, and its lock is free
  await until(() => !isRunning(buildPid))
  const stored = manifestText('2026-10-13')

  const second = await start(...RANGE).ended
  expect(second.text).toMatch(/no tape: 2026-10-12\n3 sessions have a tape, 2 to be built\n/)
  expect(second.text).toMatch(/\n2 of 3 {2}2026-10-14 {2}built .+\n3 of 3 {2}2026-10-15 {2}built/)
  expect(second.text).toMatch(/2 built, 1 up to date, 0 failed\n$/)
  expect(second.code).toBe(0)
  expect(publishedSessions(dataFolder)).toEqual(DATES)
  expect(manifestText('2026-10-13')).toBe(stored)
})

test('every session opens with what the one before it closed with', async () => {
  const carried = await runQuery(
    dataFolder,
    `select i.session_date, count(*) as contracts,
       count(*) filter (
         where i.quantity is distinct from c.quantity
           -- no position is larger than the open interest of the new day
           and (abs(i.quantity) >= abs(c.quantity) or i.quantity * c.quantity < 0)
       ) as different
     from inventory i
     left join closing_positions c
       on c.session_date = i.session_date - interval 1 day
       and (c.root, c.expiry, c.strike, c.option_type)
         = (i.root, i.expiry, i.strike, i.option_type)
     where i.source = 'carried' group by all order by all`,
  )
  expect(carried.rows.map(row => [row.session_date, row.different])).toEqual([
    ['2026-10-14', 0],
    ['2026-10-15', 0],
  ])
  for (const row of carried.rows) expect(row.contracts).toBeGreaterThan(10)
})

test('a refused session is named, and the exit code says so; what is done stays', async () => {
  const stored = manifestText('2026-10-13')
  const { code, text } = await start(
    'backfill',
    DATES[0]!,
    DATES[0]!,
    '--force',
    '--refuse-bad-tape',
    ...RANGE.slice(3),
  ).ended
  expect(code).toBe(1)
  expect(text).toMatch(
    /1 of 1 {2}2026-10-13 {2}FAILED after .+ s: the tape of 2026-10-13 is too incomplete/,
  )
  expect(text).toMatch(/\ntapefold: not built, for the reasons above: 2026-10-13\.\n$/)
  expect(manifestText('2026-10-13')).toBe(stored)
})

test('a build prints the report of its tape; status shows the grade', async () => {
  const built = await start('build', DATES[2]!, '--data', dataFolder).ended
  expect(built.code).toBe(0)
  expect(built.text).toMatch(/\nthe tape of 2026-10-15 is bad:\nmeasure +value +doubtful from/)
  expect(built.text).toMatch(/\n {2}minutes_missing_share is 0.8\d+, refused from 0.5: orders of/)
  const status = await start('status', '--data', dataFolder).ended
  for (const date of DATES) expect(status.text).toMatch(new RegExp(`^${date} .+ bad( |$)`, 'm'))
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
