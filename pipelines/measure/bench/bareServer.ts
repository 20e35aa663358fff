/**
 * The yardstick of the API: an Express handler that sends one file's bytes and does nothing else.
 * Tells its parent the address over the channel and ends with it.
 */

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import express from 'express'

if (import.meta.main) {
  const [file, contentType, encoding] = process.argv.slice(2) as [string, string, string]
  const bytes = readFileSync(file)
  const headers = {
    'content-type': contentType,
    'content-encoding': encoding,
    'content-length': bytes.byteLength,
  }
  const app = express()
  app.get('/orders/api/day', (_req, res) => {
    res.writeHead(200, headers).end(bytes)
  })
  const server = app.listen(0, '127.0.0.1', () => {
    process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  process.on('disconnect', () => process.exit())
}
