// A server of the DNS on this machine, which responds as configured, or not at all.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Addresses of a name, or 'missing': there is no such name; 'broken': the server failed. */
export type Zone = Readonly<Record<string, readonly string[] | 'missing' | 'broken' | 'silent'>>

export type DnsServer = {
  /** As `setServers` takes it. */
  readonly address: string
  readonly requested: string[]
  readonly close: () => Promise<void>
}

const TYPES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 }

export async function openDns(range: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const requested: string[] = []
  socket.on('message', (message, from) => {
    const { name, type, end } = findQuestion(message)
    requested.push(`${name} ${type}`)
    const found = range[name] ?? 'missing'
    if (found === 'silent') return
    const family = TYPES[type]
    const addresses =
      typeof found === 'string' ? [] : found.filter(one => (one.includes(':') ? 6 : 4) === family)
    const code = found === 'missing' ? 3 : found === 'broken' ? 2 : 0
    const head = Buffer.from(message.subarray(0, 12))
    head.writeUInt16BE(0x8180 | code, 2)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt32BE(0, 8)
    const responses = addresses.map(address => findRecord(type, listBytes(address)))
    socket.send(Buffer.concat([head, message.subarray(12, end), ...responses]), from.port)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    requested,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function findQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** The name is a pointer to the question; the record has a lifetime of zero. */
function findRecord(type: number, bytes: Buffer): Buffer {
  const head = Buffer.from('c00c0000000100000000' + '0000', 'hex')
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

function listBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [left = '', right = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter(group => group !== '')
  const zeros = 8 - groups(left).length - groups(right).length
  const all = [...groups(left), ...Array.from({ length: zeros }, () => '0'), ...groups(right)]
  return Buffer.from(all.map(group => group.padStart(4, '0')).join(''), 'hex')
}
