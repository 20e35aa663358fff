import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/**
 * A file of named numeric columns; any column, or part of one, can be read without the rest.
 * Checksums detect damage.
 */

const ARRAYS = {
  f64: Float64Array,
  i32: Int32Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
} as const
type BlockType = keyof typeof ARRAYS
export type BlockArray =
  | Float64Array<ArrayBufferLike>
  | Int32Array<ArrayBufferLike>
  | Uint32Array<ArrayBufferLike>
  | Uint16Array<ArrayBufferLike>
  | Uint8Array<ArrayBufferLike>

type Block = {
  readonly type: BlockType
  readonly offset: number
  readonly count: number
  /** Size in bytes of a separately checksummed part; the whole block when it has no parts. */
  readonly part: number
  readonly sums: readonly number[]
}
type Head = {
  readonly bytes: number
  readonly about: unknown
  readonly blocks: Readonly<Record<string, Block>>
}

/** A block to write, split into parts when each must be readable alone. */
export type BlockDraft = { readonly values: BlockArray; readonly parts?: number }

const MAGIC = Buffer.from('tapelab\n')
/** Magic, length of the header, checksum of the header. */
const PREFIX_BYTES = MAGIC.length + 8
/**
 * Alignment of all columns, so that typed arrays can view them in the buffer they are read into.
 */
const ALIGNMENT = 8

/** Encodes a file; `about` is JSON. */
export function encodeBlocks(about: unknown, drafts: Readonly<Record<string, BlockDraft>>): Buffer {
  const blocks: Record<string, Block> = {}
  const bodies: Buffer[] = []
  let offset = 0
  for (const [name, { values, parts = 1 }] of Object.entries(drafts)) {
    const body = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
    const part = parts === 0 ? 0 : body.length / parts
    const sums = Array.from({ length: parts }, (_, index) =>
      crc32(body.subarray(index * part, (index + 1) * part)),
    )
    blocks[name] = { type: findBlockType(values), offset, count: values.length, part, sums }
    const padded = aligned(body.length)
    bodies.push(body, Buffer.alloc(padded - body.length))
    offset += padded
  }
  // offsets count from the end of the header, whose length is known last
  const head = (bytes: number) => Buffer.from(JSON.stringify({ bytes, about, blocks }))
  const headBytes = aligned(PREFIX_BYTES + head(2 ** 40).length)
  const text = head(headBytes + offset)
  const filler = Buffer.alloc(headBytes - PREFIX_BYTES - text.length, ' ')
  const json = Buffer.concat([text, filler])
  const prefix = Buffer.alloc(8)
  prefix.writeUInt32LE(json.length, 0)
  prefix.writeUInt32LE(crc32(json), 4)
  return Buffer.concat([MAGIC, prefix, json, ...bodies])
}

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

const findBlockType = (values: BlockArray): BlockType =>
  (Object.keys(ARRAYS) as BlockType[]).find(type => values instanceof ARRAYS[type])!

/** An open file with its header and the blocks read so far. */
export type BlockFile = {
  readonly about: unknown
  /** Blocks requested at opening. */
  readonly first: Readonly<Record<string, BlockArray>>
  /** Reads a whole block. Fails with DamagedBlocks when its checksum does not match. */
  readonly read: (name: string) => BlockArray
  /** Reads one part of a block that has parts. */
  readonly readPart: (name: string, part: number) => BlockArray
}

/** Returns the same view of columns without a stored file. */
export function blocksInMemory(
  about: unknown,
  drafts: Readonly<Record<string, BlockDraft>>,
): BlockFile {
  const read = (name: string) => {
    const draft = drafts[name]
    if (!draft) throw new DamagedBlocks(`there is no column ${name}`)
    return draft.values
  }
  return {
    about,
    first: Object.fromEntries(Object.entries(drafts).map(([name, { values }]) => [name, values])),
    read,
    readPart: (name, part) => {
      const values = read(name)
      const count = values.length / (drafts[name]!.parts ?? 1)
      return values.slice(part * count, (part + 1) * count)
    },
  }
}

/**
 * Raised for a file that fails its checksums; the file has been deleted and is rebuilt on demand.
 */
export class DamagedBlocks extends Error {
  override name = 'DamagedBlocks'
}

let damageCount = 0

/**
 * Number of damaged files this process has found: a market read before the last one is incomplete.
 */
export const damagesMet = (): number => damageCount

/** Size of the first read: usually the header and the blocks wanted first. */
const FIRST_BYTES = 64 * 1024

/**
 * Opens a file and reads those of the named blocks that it has; null when there is no file, or it
 * is not the one that was written.
 */
export function openBlocks(path: string, names: readonly string[]): BlockFile | null {
  const file = openFile(path)
  if (file === null) return null
  try {
    const start = readBytes(file, 0, Math.min(FIRST_BYTES, fstatSync(file).size))
    const head = readHead(file, start)
    if (!head) return null
    const first: Record<string, BlockArray> = {}
    for (const name of names) {
      const block = head.blocks[name]
      if (!block) continue
      const bytes = countBytes(block)
      const from = head.start + block.offset
      const isThere = from + bytes <= start.length
      const body = isThere ? start.slice(from, from + bytes) : readBytes(file, from, bytes)
      const values = decodeArray(block, body, block.sums)
      if (!values) return null
      first[name] = values
    }
    return { about: head.about, first, ...createReaders(path, head) }
  } finally {
    closeSync(file)
  }
}

type KnownHead = Head & { readonly start: number }

function createReaders(path: string, head: KnownHead): Pick<BlockFile, 'read' | 'readPart'> {
  const readFrom = (
    block: Block | undefined,
    from: number,
    bytes: number,
    sums: readonly number[],
  ) => {
    const file = block ? openFile(path) : null
    const values =
      file === null ? null : readClosing(file, head.start + block!.offset + from, bytes)
    const array = values && decodeArray(block!, values, sums)
    if (array) return array
    rmSync(path, { force: true })
    damageCount += 1
    throw new DamagedBlocks(`${path} is damaged or gone: it is made anew at the next run`)
  }
  return {
    read: name => {
      const block = head.blocks[name]
      return readFrom(block, 0, block ? countBytes(block) : 0, block?.sums ?? [])
    },
    readPart: (name, part) => {
      const block = head.blocks[name]
      const bytes = block?.part ?? 0
      return readFrom(block, part * bytes, bytes, block ? [block.sums[part]!] : [])
    },
  }
}

/** Decodes a block or a part of it; null when its checksums do not match. */
function decodeArray({ type, part }: Block, body: Uint8Array, sums: readonly number[]) {
  for (const [index, sum] of sums.entries()) {
    const bytes = body.subarray(index * part, (index + 1) * part)
    if (bytes.length !== part || crc32(bytes) !== sum) return null
  }
  return new ARRAYS[type](body.buffer as ArrayBuffer)
}

const countBytes = ({ type, count }: Block) => count * ARRAYS[type].BYTES_PER_ELEMENT

function readHead(file: number, start: Uint8Array): KnownHead | null {
  const prefix = Buffer.from(start.subarray(0, PREFIX_BYTES))
  if (prefix.length < PREFIX_BYTES || !prefix.subarray(0, MAGIC.length).equals(MAGIC)) return null
  const length = prefix.readUInt32LE(MAGIC.length)
  const end = PREFIX_BYTES + length
  if (end > fstatSync(file).size) return null
  const body =
    end <= start.length ? start.subarray(PREFIX_BYTES, end) : readBytes(file, PREFIX_BYTES, length)
  if (crc32(body) !== prefix.readUInt32LE(MAGIC.length + 4)) return null
  const head = JSON.parse(Buffer.from(body).toString()) as Head
  return fstatSync(file).size === head.bytes ? { ...head, start: end } : null
}

/** Reads bytes at an offset into a new buffer; fewer when the file ends earlier. */
function readBytes(file: number, from: number, count: number): Uint8Array {
  const bytes = new Uint8Array(count)
  let read = 0
  while (read < count) {
    const more = readSync(file, bytes, read, count - read, from + read)
    if (more === 0) return bytes.slice(0, read)
    read += more
  }
  return bytes
}

function readClosing(file: number, from: number, count: number): Uint8Array {
  try {
    return readBytes(file, from, count)
  } finally {
    closeSync(file)
  }
}

function openFile(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
