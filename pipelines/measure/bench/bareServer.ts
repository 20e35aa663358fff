/**
 * The yardsticks of the API: an Express handler that sends one file's bytes and does nothing else,
 * or `express.static` over a folder. Sends its parent its address over the channel, and ends with
 * it.
 */

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'

function sendFile(file: string, headers: Readonly<Record<string, string>>): RequestHandler {
  const bytes = readFileSync(file)
  return (_req, res) => {
    res.writeHead(200, { ...headers, 'content-length': bytes.byteLength }).end(bytes)
  }
}

if (import.meta.main) {
  const [path, headers] = process.argv.slice(2) as [string, string | undefined]
  const app = express()
  if (headers === undefined) app.use(express.static(path))
  else app.get('/{*path}', sendFile(path, JSON.parse(headers)))
  const server = app.listen(0, '127.0.0.1', () => {
    process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  process.on('disconnect', () => process.exit())
}
