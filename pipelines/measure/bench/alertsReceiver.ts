/**
 * A receiver of webhooks on this machine, over TLS, that responds 204 to everything. It sends its
 * parent its address, and on request the arrival time of each call; it ends with its parent.
 */

import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'

/** The first message of a receiver. */
export type BenchReceiver = { readonly port: number; readonly ca: string }
/** Every later message: the path of a call, and the receiver's time when its head arrived. */
export type BenchCall = { readonly path: string; readonly atMs: number }

if (import.meta.main) {
  const [kind, isReporting] = process.argv.slice(2) as ['fresh' | 'kept', 'reporting' | undefined]
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'bench.example' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
  const server = createServer({ key, cert }, (req, res) => {
    if (isReporting)
      process.send!({ path: req.url, atMs: performance.timeOrigin + performance.now() })
    req.resume()
    res.writeHead(204, kind === 'fresh' ? { connection: 'close' } : {}).end()
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.send!({ port, ca: cert } satisfies BenchReceiver)
  })
  process.on('disconnect', () => process.exit())
}
