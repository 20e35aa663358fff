// Runs the official conformance runner against the MCP servers. It knows revisions of 2025 alone
// and sends no key, so that it calls through a forwarder of this machine, which adds one.

import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { AREAS } from '../../src/server/areas.ts'
import { startTestApi } from './api.ts'
import { CONFORMANCE_AREA, CONFORMANCE_PATH } from './conformanceTools.ts'
import { PATH } from './mcp.ts'

const RUNNER = '@modelcontextprotocol/conformance@0.1.16'
/** Scenarios that require no tool of their own. */
const ALIKE = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']
/** All others, on a server with the tools they call; what it cannot have is expected to fail. */
const BASELINE = join(import.meta.dirname, 'conformance.yaml')

const api = await startTestApi({ areas: [...AREAS, CONFORMANCE_AREA] })
const LAB_PATH = '/mcp'
const { key: labKey } = await api.newKey('lab', 'lab')
const forwarder = createServer((req, res) => {
  const key = req.url === LAB_PATH ? labKey : api.key
  const headers = { ...req.headers, authorization: `Bearer ${key}` }
  const own = { host: '127.0.0.1', port: api.port, path: req.url, method: req.method, headers }
  const sent = request(own, response => {
    res.writeHead(response.statusCode!, response.headers)
    response.pipe(res)
  })
  sent.on('error', () => res.destroy())
  req.pipe(sent)
})
await new Promise<void>(listening => forwarder.listen(0, '127.0.0.1', listening))
const origin = `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}`

/** True when the runner is content with a server. */
async function passes(path: string, args: readonly string[]): Promise<boolean> {
  const requested = ['server', '--url', `${origin}${path}`, ...args]
  const runner = spawn('npm', ['exec', '--yes', '--', RUNNER, ...requested], { stdio: 'inherit' })
  return (await new Promise(ended => runner.on('close', ended))) === 0
}

const runs = [
  ...[PATH, LAB_PATH].flatMap(path =>
    ALIKE.map(scenario => ({ path, args: ['--scenario', scenario] })),
  ),
  { path: CONFORMANCE_PATH, args: ['--suite', 'all', '--expected-failures', BASELINE] },
]
let failed = 0
for (const { path, args } of runs) if (!(await passes(path, args))) failed += 1
forwarder.close()
await api.close()
process.stdout.write(`${runs.length - failed} of ${runs.length} runs as expected\n`)
process.exitCode = failed === 0 ? 0 : 1
