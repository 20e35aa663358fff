import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/**
 * A file of named columns of numbers: any of them, or a part of one, can be read without the rest.
 * What was damaged is found by its checksums.
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
  /** Bytes that have a checksum of their own; all of the block where it has no parts. */
  readonly part: number
  readonly sums: readonly number[]
}
type Head = {
  readonly bytes: number
  readonly about: unknown
  readonly blocks: Readonly<Record<string, Block>>
}

/** A block to write: in parts, where each is to be read alone. */
export type BlockDraft = { readonly values: BlockArray; readonly parts?: number }

const MAGIC = Buffer.from('tapelab\n')
/** Magic, length of the head, checksum of the head. */
const PREFIX_BYTES = MAGIC.length + 8
/** All columns begin at a multiple of it, and so can be looked at where they are read to. */
const ALIGNMENT = 8

/** The bytes of a file; `about` is JSON. */
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
  // offsets are counted from the end of the head, whose length is known last
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

/** A file of which the head and some of its blocks were read. */
export type BlockFile = {
  readonly about: unknown
  /** Those that were asked for when it was opened. */
  readonly first: Readonly<Record<string, BlockArray>>
  /** A whole block. Fails with DamagedBlocks when it is not as it was written. */
  readonly read: (name: string) => BlockArray
  /** One part of a block that has parts. */
  readonly readPart: (name: string, part: number) => BlockArray
}

/** Columns as a file of them would be, where none is kept. */
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

/** A file that is not as it was written; it is gone now, and is made anew when it is asked for. */
export class DamagedBlocks extends Error {
  override name = 'DamagedBlocks'
}

let damageCount = 0

/** How many damaged files this process has met: a market from before the last one is not whole. */
export const damagesMet = (): number => damageCount

/** What is read at once: usually the head and the blocks that are wanted first. */
const FIRST_BYTES = 64 * 1024

/**
 * Opens a file and reads the blocks of the names that it has; null when there is no file, or
 * another one than was written.
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

/** The numbers of a block or of a part of it; null when they are not those that were written. */
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

/** Bytes of their own from a place of a file; fewer where it ends before. */
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
