import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../support/clients.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise(closed => server.close(closed))
  return port
}

test.runIf(existsSync('/dev/full'))('a log on a full disk does not end the server', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-log-'))
  const port = await freePort()
  const args = ['src/cli/cli.ts', 'serve', '--port', String(port), '--data', dataFolder]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'ignore'],
  })
  const warnings = async (): Promise<string[]> => {
    const response = await fetch(`http://127.0.0.1:${port}/status.json`).catch(() => null)
    return response ? JSON.parse(await response.text()).warnings : []
  }
  await until(async () => (await warnings()).length > 0)
  expect(await warnings()).toEqual([
    expect.stringMatching(/^since .+ ET the server cannot write its log \(ENOSPC\)$/),
  ])
  expect(child.exitCode).toBeNull()
  child.kill('SIGKILL')
  rmSync(dataFolder, { recursive: true, force: true })
})

/** Output of a program that opens a log and runs statements on it. */
async function logged(statements: string): Promise<string[]> {
  const script = `import { openLog } from './src/server/log.ts'
    const { log } = openLog('info')
    ${statements}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
  let text = ''
  child.stdout.on('data', chunk => {
    text += chunk
  })
  await new Promise(closed => child.on('close', closed))
  const lines = text.split('\n').filter(line => line !== '')
  return lines.map(line => JSON.parse(line).msg)
}

test('lines wait for others, and are written at an error, soon, and at the end', async () => {
  const kill = 'process.kill(process.pid, "SIGKILL")'
  expect(await logged(`log.info({}, 'one'); ${kill}`)).toEqual([])
  expect(await logged(`log.info({}, 'one'); log.error({}, 'two'); ${kill}`)).toEqual(['one', 'two'])
  expect(await logged(`log.info({}, 'one'); setTimeout(() => ${kill}, 2000)`)).toEqual(['one'])
  expect(await logged(`log.info({}, 'one'); process.exit(0)`)).toEqual(['one'])
  const many = await logged(`for (let i = 0; i < 500; i++) log.info({}, 'line ' + i); ${kill}`)
  expect(many.length).toBeGreaterThan(300)
  expect(many).toEqual(many.map((_, index) => `line ${index}`))
})
