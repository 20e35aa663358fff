import { readFileSync } from 'node:fs'
import { crc32, inflateRawSync } from 'node:zlib'
import { Refusal } from '../../src/core/disk/refusal.ts'

/** Maximum size of a zip, packed or unpacked: 1 GiB. */
const BYTES_MAX = 2 ** 30

const DIRECTORY_ENTRY = 0x02014b50
const DIRECTORY_END = 0x06054b50
const STORED = 0
const DEFLATED = 8

export type Member = { readonly name: string; readonly bytes: Buffer }

/** The members of a zip file, each checked against its length and CRC-32. */
export function readZip(path: string, label: string): { bytes: Buffer; members: Member[] } {
  const zip = readFileSync(path)
  const damaged = () => new Refusal(`${label} is a damaged zip file: its directory cannot be read.`)
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > zip.length || zip.readUInt32LE(end) !== DIRECTORY_END) throw damaged()
  const members: Member[] = []
  let at = zip.readUInt32LE(end + 16)
  let total = 0
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (at + 46 > end || zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw damaged()
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    total += zip.readUInt32LE(at + 24)
    if (total > BYTES_MAX) throw new Refusal(`${label} unpacks to more than 1 GiB.`)
    if (!name.endsWith('/')) members.push({ name, bytes: readMember(zip, at, label, name) })
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return { bytes: zip, members }
}

function readMember(zip: Buffer, entry: number, label: string, name: string): Buffer {
  const [method, checksum] = [zip.readUInt16LE(entry + 10), zip.readUInt32LE(entry + 16)]
  const [packed, unpacked] = [zip.readUInt32LE(entry + 20), zip.readUInt32LE(entry + 24)]
  const header = zip.readUInt32LE(entry + 42)
  try {
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    const body = zip.subarray(start, start + packed)
    if (method !== STORED && method !== DEFLATED) throw new Error(`method ${method}`)
    const bytes =
      method === STORED ? body : inflateRawSync(body, { maxOutputLength: Math.max(unpacked, 1) })
    if (bytes.length !== unpacked || crc32(bytes) !== checksum) throw new Error('checksum')
    return bytes
  } catch {
    throw new Refusal(`${label} is a damaged zip file: ${name} in it cannot be unpacked.`)
  }
}
