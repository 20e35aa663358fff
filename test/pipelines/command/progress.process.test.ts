// Progress of commands on a real pseudo terminal, by script(1), and through a pipe.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { start, waitUntil } from '../../support/processes.ts'

const CLI = join(import.meta.dirname, '../../../src/cli/cli.ts')
const hasScript = spawnSync('script', ['--version']).status === 0

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'progress-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const history = (name: string, sessions: number) =>
  ['history', '--sessions', String(sessions), '--data', join(folder, name)] as const

/** Starts a command on a terminal of 100 columns; what is written to it are keys. */
function startOnTerminal(args: readonly string[]) {
  const command = `stty cols 100; exec ${[process.execPath, CLI, ...args].join(' ')}`
  const env = { ...process.env, TERM: 'xterm', TZ: 'UTC' }
  const child: ChildProcess = spawn('script', ['-qec', command, '/dev/null'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', piece => {
    text += piece
  })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  return { child, text: () => text, ended }
}

test.skipIf(!hasScript)('a terminal shows a bar, which is gone at the end', async () => {
  const { text, ended } = startOnTerminal(history('bar', 4))
  expect(await ended).toBe(0)
  expect(text()).toMatch(/history {2}\[-{10,20}\] {2}0 % {2}0 of 4 sessions/)
  // erased before the line of the step is written
  expect(text()).toMatch(/\[2K\S*\s*simulate 4 sessions until 2026-10-15 +\d+\.\d s\r\n/)
  expect(text()).not.toContain('[?25l')
})

test.skipIf(!hasScript)('Ctrl-C ends the work below its bar, with the cursor shown', async () => {
  const { child, text, ended } = startOnTerminal(history('stopped', 2000))
  await waitUntil('the bar', () => text().includes('of 2,000 sessions'))
  child.stdin!.write('\x03')
  expect(await ended).toBe(130)
  expect(text()).not.toContain('[?25l')
  expect(text().slice(text().lastIndexOf('of 2,000 sessions'))).toContain('\n')
})

test('a pipe gets the lines alone', async () => {
  const started = start(process.execPath, [CLI, ...history('piped', 2)])
  expect(await started.ended).toBe(0)
  expect(started.text()).toMatch(/^ {2}simulate 2 sessions until 2026-10-15 +\d+\.\d s\n/)
  expect(started.text()).not.toContain('\x1b')
  expect(started.text()).not.toContain('history')
})
