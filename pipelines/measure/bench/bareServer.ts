/**
 * The yardsticks of the API: an Express handler that sends one file's bytes and does nothing else,
 * or `express.static` over a folder. Sends its parent its address over the channel, and ends with
 * it.
 */

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'

function sendFile(file: string, contentType: string, encoding: string): RequestHandler {
  const bytes = readFileSync(file)
  const headers = {
    'content-type': contentType,
    'content-encoding': encoding,
    'content-length': bytes.byteLength,
  }
  return (_req, res) => {
    res.writeHead(200, headers).end(bytes)
  }
}

if (import.meta.main) {
  const [kind, path, contentType, encoding] = process.argv.slice(2) as [
    'bytes' | 'folder',
    string,
    string,
    string,
  ]
  const app = express()
  if (kind === 'folder') app.use(express.static(path))
  else app.get('/{*path}', sendFile(path, contentType, encoding))
  const server = app.listen(0, '127.0.0.1', () => {
    process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  process.on('disconnect', () => process.exit())
}
