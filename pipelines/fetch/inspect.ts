/** Checks of a response while its bytes come: its hash, its end, its rows, and some of its lines. */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { printable, shown, TOO_LARGE, unpackGzip, unpackZstd } from '../../src/core/disk/text.ts'
import { formatBytes } from '../../src/core/text/counts.ts'
import type { LineRules, Part, ResponseContent } from './source.ts'

export type Inspected = { readonly bytes: number; readonly sha256: string; readonly rows: number }

export type Inspection = {
  /** Takes bytes in their order. Fails with a WrongContent as soon as one is seen. */
  readonly take: (chunk: Uint8Array) => Promise<void>
  /** Fails with a WrongContent where the bytes are no whole response. */
  readonly finish: () => Promise<Inspected>
}

/** A response that is not what was requested; the message follows the name of its file. */
export class WrongContent extends Error {
  /** True where the bytes only end too early: the rest may come with another attempt. */
  readonly isCut: boolean
  constructor(why: string, isCut = false) {
    super(printable(why))
    this.isCut = isCut
  }
}

/** Distance between lines that are judged, in bytes. */
const SAMPLE_BYTES = 1 << 20
/** Longest header or line. */
const LINE_BYTES_MAX = 64 * 1024

/** Largest cell that a message repeats, in letters. */
const CELL_SHOWN_MAX = 80
/** Unpacked size of a table: so many times its usual one, and any that is small. */
const USUAL_TIMES_MAX = 100
const SMALL_BYTES = 64 * 2 ** 20

/** Length of the signature of packed data. */
const SIGNATURE_BYTES = 4
const NOTHING: Buffer = Buffer.alloc(0)

/** Opens the inspection of one response; gzip and Zstandard are read by their first bytes. */
export function openInspection({ content, usualBytes }: Part): Inspection {
  const hash = createHash('sha256')
  const sizeMax = Math.max(SMALL_BYTES, USUAL_TIMES_MAX * usualBytes)
  const reader =
    content.kind === 'table' ? tableReader(content.rules, sizeMax) : jsonReader(content)
  let bytes = 0
  let head = NOTHING
  let unpacking: Unpacking | null = null
  let isOpen = false
  const read = async (chunk: Buffer) => {
    if (unpacking) await unpacking.take(chunk)
    else reader.take(chunk)
  }
  const open = async () => {
    isOpen = true
    unpacking = openUnpacking(head, reader.take)
    await read(head)
  }
  return {
    take: async chunk => {
      hash.update(chunk)
      bytes += chunk.length
      const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
      if (isOpen) return await read(piece)
      // the first bytes of a body may come one by one
      head = Buffer.concat([head, piece])
      if (head.length >= SIGNATURE_BYTES) await open()
    },
    finish: async () => {
      if (bytes === 0) throw new WrongContent('is empty')
      if (!isOpen) await open()
      await unpacking?.finish()
      return { bytes, sha256: hash.digest('hex'), rows: reader.finish() }
    },
  }
}

type Unpacking = {
  readonly take: (chunk: Uint8Array) => Promise<void>
  readonly finish: () => Promise<void>
}

function openUnpacking(head: Buffer, take: (chunk: Buffer) => void): Unpacking | null {
  const signature = head.toString('hex', 0, SIGNATURE_BYTES)
  if (signature.startsWith('1f8b')) return unpackWith(unpackGzip, take)
  return signature === '28b52ffd' ? unpackWith(unpackZstd, take) : null
}

function unpackWith(unpack: typeof unpackGzip, take: (chunk: Buffer) => void): Unpacking {
  const input = new PassThrough({ objectMode: true, highWaterMark: 4 })
  let failure: Error | null = null
  const readAll = async () => {
    try {
      for await (const chunk of unpack(input)) take(chunk)
    } catch (error) {
      failure = error as Error
    } finally {
      input.destroy()
    }
  }
  const ended = readAll()
  const refuse = () => {
    if (failure === null) return
    const { code, message } = failure as NodeJS.ErrnoException
    if (!/^(Z|ZSTD)_/.test(code ?? '')) throw failure
    if (code === TOO_LARGE) throw new WrongContent(message)
    const isCut = code === 'Z_BUF_ERROR'
    throw new WrongContent(isCut ? 'is cut short' : 'cannot be unpacked', isCut)
  }
  return {
    take: async chunk => {
      refuse()
      if (!input.write(chunk)) await Promise.race([once(input, 'drain').catch(() => {}), ended])
      refuse()
    },
    finish: async () => {
      refuse()
      input.end()
      await ended
      refuse()
    },
  }
}

type Reader = { readonly take: (chunk: Buffer) => void; readonly finish: () => number }

/** Counts lines, and judges the header, the first and last lines, and one of every megabyte. */
function tableReader({ columns, judge }: LineRules, sizeMax: number): Reader {
  let size = 0
  let header: readonly string[] | null = null
  let rest = NOTHING
  let lineCount = 0
  let untilSample = 0
  let lastLine = NOTHING
  const judgeLine = (line: Buffer, isEnded = true) => {
    const cells = splitLine(line)
    const isWide = cells.length === header!.length
    const text = line.toString('utf8')
    if (!isEnded && !(isWide && endsWhole(text)))
      throw new WrongContent(`is cut short: its last line is ${shown(text)}`, true)
    if (!isWide) {
      throw new WrongContent(
        `has a line of ${cells.length} columns below a header of ${header!.length}: ${shown(text)}`,
      )
    }
    const why = judge(column => (cells[header!.indexOf(column)] ?? '').slice(0, CELL_SHOWN_MAX))
    if (why !== null) throw new WrongContent(why)
  }
  const readHeader = (line: Buffer) => {
    header = splitLine(line).map(name => name.toLowerCase())
    const missing = columns.find(name => !header!.includes(name))
    if (missing === undefined) return
    const text = line.toString('utf8').trimStart()
    if (/^</.test(text)) throw new WrongContent(`is a web page: it begins with ${shown(text)}`)
    throw new WrongContent(`has no column ${missing}; it begins with ${shown(text)}`)
  }
  const takeLine = (line: Buffer) => {
    if (header === null) {
      readHeader(line)
      return
    }
    lineCount++
    if (untilSample > 0) return
    untilSample = SAMPLE_BYTES
    judgeLine(line)
  }
  const store = (bytes: Buffer) => {
    if (bytes.length > LINE_BYTES_MAX) throw new WrongContent('has a line without an end')
    return Buffer.from(bytes)
  }
  return {
    take: chunk => {
      size += chunk.length
      if (size > sizeMax)
        throw new WrongContent(`has more than ${formatBytes(sizeMax)}, far above its usual size`)
      let start = 0
      let last: Buffer | null = null
      let lastStart = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        if (rest.length > 0 || header === null || untilSample <= 0) {
          const piece = chunk.subarray(start, end)
          last = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
          rest = NOTHING
          takeLine(last)
        } else {
          // a view of each line would cost more than to find it
          lineCount++
          last = null
        }
        lastStart = start
        start = end + 1
      }
      untilSample -= chunk.length
      if (start > 0) lastLine = store(last ?? chunk.subarray(lastStart, start - 1))
      rest = store(rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk.subarray(start))
    },
    finish: () => {
      if (rest.length === 0) {
        if (lineCount > 0) judgeLine(lastLine)
        return lineCount
      }
      // no vendor promises a line break behind the last line
      if (header !== null) {
        judgeLine(rest, false)
        return lineCount + 1
      }
      readHeader(rest)
      return 0
    },
  }
}

/** False for a line that ends within a number or within quotes. */
const endsWhole = (line: string): boolean => !line.endsWith('.') && line.split('"').length % 2 === 1

/** Cells of a line of CSV; a cell in quotes may hold commas. */
function splitLine(line: Buffer): string[] {
  const text = line
    .toString('utf8')
    .replace(/\r$/, '')
    .replace(/^\uFEFF/, '')
  if (!text.includes('"')) return text.split(',')
  const cells = text.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? []
  // the pattern also matches the empty text at the end
  return (text.endsWith(',') ? cells : cells.slice(0, -1)).map(cell =>
    cell.replace(/,$/, '').replace(/^"|"$/g, '').replaceAll('""', '"'),
  )
}

function jsonReader({ judge, bytesMax }: Extract<ResponseContent, { kind: 'json' }>): Reader {
  const chunks: Buffer[] = []
  let size = 0
  return {
    take: chunk => {
      size += chunk.length
      if (size > bytesMax) {
        throw new WrongContent(`has more than ${Math.round(bytesMax / 2 ** 20)} MB`)
      }
      chunks.push(Buffer.from(chunk))
    },
    finish: () => {
      const text = Buffer.concat(chunks).toString('utf8')
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch {
        const start = text.trimStart()
        if (/^[{[]/.test(start)) throw new WrongContent('is cut short: its JSON does not end', true)
        throw new WrongContent(`is no JSON; it begins with ${shown(start)}`)
      }
      const judged = judge(value)
      if (typeof judged === 'string') throw new WrongContent(judged)
      return judged
    },
  }
}
