// Runs the official conformance runner against the MCP server. It knows revisions of 2025 alone and
// sends no key, so that it calls through a forwarder of this machine, which adds one.

import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestApi } from './api.ts'
import { PATH } from './mcp.ts'

const RUNNER = '@modelcontextprotocol/conformance@0.1.16'
/** Scenarios that ask for nothing but tools; the others need prompts, resources or set tools. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']

const api = await startTestApi()
const forwarder = createServer((req, res) => {
  const headers = { ...req.headers, authorization: `Bearer ${api.key}` }
  const own = { host: '127.0.0.1', port: api.port, path: PATH, method: req.method, headers }
  const sent = request(own, answer => {
    res.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(res)
  })
  sent.on('error', () => res.destroy())
  req.pipe(sent)
})
await new Promise<void>(listening => forwarder.listen(0, '127.0.0.1', listening))
const url = `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}${PATH}`
let failed = 0
for (const scenario of SCENARIOS) {
  const args = ['exec', '--yes', '--', RUNNER, 'server', '--url', url, '--scenario', scenario]
  const runner = spawn('npm', args, { stdio: 'inherit' })
  if ((await new Promise(ended => runner.on('close', ended))) !== 0) failed += 1
}
forwarder.close()
await api.close()
process.stdout.write(`${SCENARIOS.length - failed} of ${SCENARIOS.length} scenarios passed\n`)
process.exitCode = failed === 0 ? 0 : 1
