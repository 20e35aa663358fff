import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { divide, runLoad } from '../../../../pipelines/measure/bench/load.ts'

let server: Server
afterEach(() => server.close())

/** A server that responds with the status that a path names, after a stall of its first response. */
async function serve(stallMs = 0): Promise<string> {
  let waitMs = stallMs
  server = createServer((req, res) => {
    const respond = () => res.writeHead(Number(req.url!.slice(1))).end('0123456789')
    if (waitMs > 0) setTimeout(respond, waitMs)
    else respond()
    waitMs = 0
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([[undefined], [20]])(
  'with an interval of %s ms responses, refusals and failures are counted apart',
  async everyMs => {
    const connections = [
      [{ path: '/200' }, { path: '/429' }],
      [{ path: '/206' }, { path: '/500' }],
    ]
    const loads = [{ name: 'mixed', connections, ...(everyMs !== undefined && { everyMs }) }]
    const { mixed } = await runLoad({ url: await serve(), seconds: 0.5, loads })
    const { requests, refused, failed, bytes, p50_ms } = mixed!
    expect(requests).toBeGreaterThan(5)
    expect(Math.abs(requests - refused - failed)).toBeLessThanOrEqual(2)
    expect(bytes).toBeGreaterThanOrEqual(10 * (requests + refused + failed))
    expect(p50_ms).toBeGreaterThan(0)
  },
)

test('what a stalled server makes the next requests wait counts as their latency', async () => {
  const loads = [{ name: 'paced', everyMs: 20, connections: [[{ path: '/200' }]] }]
  const { paced } = await runLoad({ url: await serve(600), seconds: 1, loads })
  expect(paced!.requests).toBe(50)
  // some thirty requests were due during the stall
  expect(paced!.p50_ms).toBeGreaterThan(20)
  expect(paced!.p99_ms).toBeGreaterThan(400)
})

test('each connection has its share of the requests', () => {
  const requests = ['/a', '/b', '/c'].map(path => ({ path }))
  const paths = (connections: number) =>
    divide(requests, connections).map(share => share.map(({ path }) => path))
  expect(paths(2)).toEqual([['/a', '/c'], ['/b']])
  expect(paths(4)).toEqual([['/a'], ['/b'], ['/c'], ['/a']])
})
