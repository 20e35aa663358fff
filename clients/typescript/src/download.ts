/** Downloads that go on where they broke off, and have their name only once their hash is right. */

import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { TapefoldError } from './transport.ts'

export type Download = {
  readonly send: (address: string, init?: RequestInit) => Promise<Response>
  readonly address: string
  readonly entry: { readonly file: string; readonly bytes: number; readonly sha256: string }
  readonly folder: string
  readonly tries?: number
}

export type DownloadedFile = { readonly path: string; readonly isNew: boolean }

/** Downloads a file, or does nothing where it is there whole. Fails with TapefoldError. */
export async function downloadFile({
  send,
  address,
  entry,
  folder,
  tries = 5,
}: Download): Promise<DownloadedFile> {
  const path = join(folder, entry.file)
  const partial = `${path}.partial`
  mkdirSync(folder, { recursive: true })
  if (sizeInBytes(path) === entry.bytes && (await hashFile(path)) === entry.sha256) {
    return { path, isNew: false }
  }
  for (let attempt = 0; attempt < tries; attempt++) {
    if (sizeInBytes(partial) < entry.bytes) await receive(send, address, partial)
    if (sizeInBytes(partial) < entry.bytes) continue
    if ((await hashFile(partial)) === entry.sha256) {
      renameSync(partial, path)
      return { path, isNew: true }
    }
    // not the bytes of the list: begin anew, never hand them on
    rmSync(partial)
  }
  const message = `${entry.file} did not arrive whole in ${tries} tries; call again to go on.`
  throw new TapefoldError(message, { code: 'incomplete' })
}

/** Appends what is missing, as far as it comes. */
async function receive(send: Download['send'], address: string, partial: string): Promise<void> {
  const start = sizeInBytes(partial)
  const headers = {
    'accept-encoding': 'identity',
    ...(start > 0 ? { range: `bytes=${start}-` } : {}),
  }
  const response = await send(address, { headers })
  if (response.body === null) return
  // a server that sends the whole file begins at its first byte
  const file = createWriteStream(partial, { flags: response.status === 206 ? 'a' : 'w' })
  try {
    await pipeline(Readable.fromWeb(response.body as ReadableStream), file)
  } catch {
    // what came is there: the next try goes on behind it
  }
}

const sizeInBytes = (path: string): number => (existsSync(path) ? statSync(path).size : 0)

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}
