/** Converts any file a vendor may send into plain lines of UTF-8, or names its actual format. */

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync, statSync, writeSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { jsonFault, parseJson } from './json.ts'
import { Refusal } from './refusal.ts'

export type Content = 'text' | 'json' | 'gzip' | 'zstd' | 'parquet' | 'zip'

/** Content that is read as lines, once unpacked. */
export type TextContent = 'text' | 'gzip' | 'zstd'

/** System errors that are permanent for a path. */
const OF_PATH: ReadonlySet<string> = new Set(['ELOOP', 'ENAMETOOLONG', 'ENOTDIR', 'ENXIO'])

/** Maximum size of unpacked text: 32 GiB, ten times a day of all of OPRA. */
const TEXT_BYTES_MAX = 32 * 2 ** 30
/** Length to which an endless line is cut, so that it cannot fill the memory. */
const LINE_BYTES_MAX = 256 * 1024

/** Replaces every byte that is no text, also NUL: a row that holds one is rejected. */
export const REPLACEMENT = '\uFFFD'

const SIGNATURES: readonly [hex: string, content: Content | string][] = [
  ['1f8b', 'gzip'],
  ['28b52ffd', 'zstd'],
  ['50415231', 'parquet'],
  ['504b0304', 'zip'],
  ['504b0506', 'zip'],
  ['89504e47', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['25504446', 'a PDF document'],
  ['425a68', 'bzip2 data; unpack it first'],
  ['fd377a58', 'xz data; unpack it first'],
  ['44424e', 'a Databento DBN file; ask for CSV'],
  ['fffe', 'UTF-16 text; save it as UTF-8'],
  ['feff', 'UTF-16 text; save it as UTF-8'],
  ['d0cf11e0', 'an old Excel workbook; save it as CSV'],
  ['4152524f5731', 'an Arrow file; write it as Parquet or CSV'],
  ['53514c697465', 'an SQLite database; write its table as CSV'],
]

/** Formats that are never a table, by their first characters, whatever the file's name. */
const TEXTS: readonly [begins: RegExp, what: string][] = [
  [/^<(!doctype html|html|head|body)\b/i, 'a web page'],
  [/^</, 'XML'],
]
const JSON_TEXT = /^[{[]/
const SHOWN_MAX = 80

/**
 * Detects the content of a file by its first bytes: names lie. Throws a Refusal for what is never a
 * table.
 */
export function detectContent(path: string, label: string): Exclude<Content, 'json'> {
  const first = firstBytes(path, label)
  if (first.length === 0) throw new Refusal(`${label} is empty.`)
  return refuseJson(judgeBytes(first, label), first, label)
}

/** True for a file of JSON, packed or not. Throws a Refusal for what is neither JSON nor a table. */
export async function isJson(path: string, label: string): Promise<boolean> {
  const first = firstBytes(path, label)
  if (first.length === 0) throw new Refusal(`${label} is empty.`)
  const content = judgeBytes(first, label)
  if (content !== 'gzip' && content !== 'zstd') return content === 'json'
  for await (const chunk of readUnpacked(path, label, content)) {
    if (chunk.length > 0) return judgeBytes(chunk.subarray(0, 512), label) === 'json'
  }
  return false
}

/**
 * Reads a file of JSON, packed or not. Returns its value and the SHA-256 of the bytes as they came.
 * Throws a Refusal for one of more than `mebibytesMax` once unpacked, and for one that is cut or is
 * no JSON.
 */
export async function readJson(
  path: string,
  label: string,
  mebibytesMax: number,
): Promise<{ readonly value: unknown; readonly sha256: string }> {
  const first = firstBytes(path, label)
  if (first.length === 0) throw new Refusal(`${label} is empty.`)
  const content = judgePacking(first)
  const hash = createHash('sha256')
  const chunks: Buffer[] = []
  let byteCount = 0
  for await (const chunk of readUnpacked(path, label, content, part => hash.update(part))) {
    byteCount += chunk.length
    if (byteCount > mebibytesMax * 2 ** 20) {
      throw new Refusal(`${label} has over ${mebibytesMax} MiB of JSON, more than it ever needs.`)
    }
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
  try {
    return { value: parseJson(text), sha256: hash.digest('hex') }
  } catch (error) {
    const start = text.trimStart()
    const fault = jsonFault(error)
    const what =
      fault === 'not JSON' && JSON_TEXT.test(start) ? 'cut short or damaged: no whole JSON' : fault
    throw new Refusal(`${label} is ${what}; it begins with ${shown(start.split('\n', 1)[0]!)}.`)
  }
}

/** Detects packing alone. */
function judgePacking(first: Buffer): TextContent {
  const hex = first.toString('hex', 0, 8)
  const content = SIGNATURES.find(([signature]) => hex.startsWith(signature))?.[1]
  return content === 'gzip' || content === 'zstd' ? content : 'text'
}

/** Throws a Refusal where a table is due and JSON is there. */
function refuseJson(content: Content, first: Buffer, label: string): Exclude<Content, 'json'> {
  if (content !== 'json') return content
  throw new Refusal(`${label} is JSON, no table; it begins with ${shownStart(first)}.`)
}

/** The first bytes of a file, 512 at most. */
function firstBytes(path: string, label: string): Buffer {
  try {
    if (statSync(path).isDirectory()) throw new Refusal(`${label} is a folder; name its files.`)
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(512)
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Refusal(`${label} does not exist.`)
    if (code === 'EACCES' || code === 'EPERM') {
      throw new Refusal(`${label} may not be read: ask for read permission on it.`)
    }
    if (OF_PATH.has(code ?? '')) throw new Refusal(`${label} cannot be read (${code}).`)
    // the disk or the system: the same file may be readable again soon
    throw Object.assign(error as Error, { path: label })
  }
}

function judgeBytes(first: Buffer, label: string): Content {
  const hex = first.toString('hex', 0, 8)
  const content = SIGNATURES.find(([signature]) => hex.startsWith(signature))?.[1] ?? 'text'
  if (content === 'text') return judgeText(first, label)
  if (content === 'zip' && first.includes('[Content_Types].xml')) {
    throw new Refusal(`${label} is an Excel workbook; save its sheet as CSV.`)
  }
  if (content === 'gzip' || content === 'zstd' || content === 'parquet' || content === 'zip')
    return content
  throw new Refusal(`${label} is ${content}.`)
}

/** Throws a Refusal for text that begins like no table, and for binary data that resembles text. */
function judgeText(first: Buffer, label: string): 'text' | 'json' {
  const nulls = first.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0)
  if (nulls * 4 > first.length) {
    throw new Refusal(`${label} is UTF-16 text or binary data; save it as UTF-8 text.`)
  }
  if (first.toString('latin1', 257, 262) === 'ustar') {
    throw new Refusal(`${label} is a tar archive; unpack it first.`)
  }
  const text = textStart(first)
  if (JSON_TEXT.test(text)) return 'json'
  const what = TEXTS.find(([begins]) => begins.test(text))?.[1]
  if (!what) return 'text'
  throw new Refusal(`${label} is ${what}, no table; it begins with ${shownStart(first)}.`)
}

const textStart = (first: Buffer) =>
  first
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()

const shownStart = (first: Buffer) => shown(textStart(first).split('\n', 1)[0]!)

/** Formats a text for a message: quoted, printable, and shortened when it is long. */
export function shown(text: string): string {
  const part = printable(text.trim())
  return JSON.stringify(part.length > SHOWN_MAX ? `${part.slice(0, SHOWN_MAX)}…` : part)
}

/** Replaces what a terminal obeys instead of showing it: control, format and half characters. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')

/** Makes each line of a text printable. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

/**
 * Copies a text file, packed with gzip or zstd or not, to `target` as lines ending in LF, without a
 * byte order mark. Returns the SHA-256 of the bytes as they came; `onBytes` gets their number, a
 * piece at a time.
 */
export async function writeLines(
  path: string,
  label: string,
  content: TextContent,
  target: string,
  onBytes: (count: number) => void = () => {},
): Promise<string> {
  const hash = createHash('sha256')
  const output = openSync(target, 'w')
  try {
    for await (const lines of cleanLines(
      readUnpacked(path, label, content, chunk => {
        hash.update(chunk)
        onBytes(chunk.length)
      }),
      label,
      content,
    )) {
      for (let at = 0; at < lines.length; ) at += writeSync(output, lines, at)
    }
  } finally {
    closeSync(output)
  }
  return hash.digest('hex')
}

/**
 * Yields the bytes of a file, unpacked; `onChunk` gets them as they came. Throws a Refusal for packed
 * data that are cut or damaged.
 */
async function* readUnpacked(
  path: string,
  label: string,
  content: TextContent,
  onChunk: (chunk: Buffer) => unknown = () => {},
): AsyncGenerator<Buffer> {
  const source = createReadStream(path, { highWaterMark: 1 << 20 })
  async function* seen(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      onChunk(chunk)
      yield chunk
    }
  }
  try {
    if (content === 'text') yield* seen(source)
    else if (content === 'gzip') yield* unpackGzip(seen(source))
    else yield* unpackZstd(seen(source))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR')
      throw new Refusal(`${label} is cut short: its ${content} data do not end.`)
    if (code === TOO_LARGE) throw new Refusal(`${label} ${(error as Error).message}.`)
    if (code?.startsWith('Z_') || code?.startsWith('ZSTD_'))
      throw new Refusal(`${label} is damaged: its ${content} data cannot be unpacked.`)
    throw error
  }
}

const UNPACKING = { chunkSize: 1 << 20 }

/** Code of the error of data that unpack to far more than a table does. */
export const TOO_LARGE = 'Z_TOO_LARGE'
/** Unpacked bytes per packed byte: a table of quotes has some 30. */
const RATIO_MAX = 250
/** Unpacked size up to which any ratio is taken. */
const ANY_RATIO_BYTES = 64 * 2 ** 20

/** Counts unpacked bytes. Fails where there are too many for the packed ones. */
function openRatio() {
  let unpackedBytes = 0
  return (chunk: Buffer, packedBytes: number) => {
    unpackedBytes += chunk.length
    if (unpackedBytes <= Math.max(ANY_RATIO_BYTES, RATIO_MAX * packedBytes)) return
    const message = `unpacks to more than ${RATIO_MAX} times its size, as no table does`
    throw Object.assign(new Error(message), { code: TOO_LARGE })
  }
}

/** Yields the bytes of gzip; its errors have codes that begin with `Z_`. */
export async function* unpackGzip(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unpacker = createGunzip(UNPACKING)
  const checkRatio = openRatio()
  // a fault of any part reaches the reader of the last one
  pipeline(chunks, unpacker, () => {})
  for await (const chunk of unpacker) {
    checkRatio(chunk, unpacker.bytesWritten)
    yield chunk
  }
}

/**
 * Unpacks zstd frame by frame: Node's unpacker ends after a frame that ends within a chunk, and
 * drops the rest of the chunk. Its errors have codes that begin with `Z_` or `ZSTD_`.
 */
export async function* unpackZstd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = chunks[Symbol.asyncIterator]()
  const checkRatio = openRatio()
  let packedBytes = 0
  let unread: Buffer[] = []
  do {
    const unpacker = createZstdDecompress(UNPACKING)
    const waiting = [...unread]
    // chunks that were given to the unpacker, and how much of the first one it has read
    const given: Buffer[] = []
    let doneBytes = 0
    const dropRead = (readBytes: number) => {
      while (given.length > 0 && doneBytes + given[0]!.length <= readBytes)
        doneBytes += given.shift()!.length
    }
    async function* feed() {
      for (;;) {
        const chunk = waiting.shift() ?? ((await input.next()).value as Buffer | undefined)
        if (!chunk) return
        dropRead(unpacker.bytesWritten)
        given.push(chunk)
        yield chunk
      }
    }
    const fed = new Promise<void>(resolve => pipeline(feed, unpacker, () => resolve()))
    for await (const chunk of unpacker) {
      checkRatio(chunk, packedBytes + unpacker.bytesWritten)
      yield chunk
    }
    const readBytes = unpacker.bytesWritten
    packedBytes += readBytes
    unpacker.destroy()
    await fed
    dropRead(readBytes)
    unread = [...given, ...waiting].filter(chunk => chunk.length > 0)
    if (given.length > 0) unread[0] = unread[0]!.subarray(readBytes - doneBytes)
  } while (unread.length > 0)
}

/** Yields whole lines only, so that every piece can be judged by itself. */
async function* cleanLines(chunks: AsyncIterable<Buffer>, label: string, packing: TextContent) {
  let rest: Buffer = Buffer.alloc(0)
  let byteCount = 0
  for await (const chunk of chunks) {
    if (byteCount === 0 && chunk.length > 0) {
      const first = chunk.subarray(0, 512)
      const content = refuseJson(judgeBytes(first, label), first, label)
      if (content !== 'text')
        throw new Refusal(`${label} holds ${content} data inside its ${packing}.`)
      rest = chunk.indexOf('\uFEFF') === 0 ? chunk.subarray(3) : chunk
    } else {
      rest = Buffer.concat([rest, chunk])
    }
    byteCount += chunk.length
    if (byteCount > TEXT_BYTES_MAX) throw new Refusal(`${label} unpacks to more than 32 GiB.`)
    const end = rest.lastIndexOf(10) + 1
    if (end > 0) yield cleanBytes(rest.subarray(0, end))
    rest = cutLine(rest.subarray(end))
  }
  if (byteCount === 0) throw new Refusal(`${label} is empty.`)
  if (rest.length > 0) yield cleanBytes(rest)
}

/** Drops the bytes after the limit of an endless line, and marks the line as broken. */
function cutLine(line: Buffer): Buffer {
  if (line.length <= 4 * LINE_BYTES_MAX) return line
  return Buffer.concat([line.subarray(0, LINE_BYTES_MAX), Buffer.from(REPLACEMENT)])
}

function cleanBytes(lines: Buffer): Buffer {
  const isClean = !lines.includes(0) && isUtf8(lines)
  if (isClean && !lines.includes(13)) return lines
  const text = lines.toString('utf8').replaceAll('\r\n', '\n')
  return Buffer.from(isClean ? text : text.replaceAll('\0', REPLACEMENT))
}
