/** Objects of an S3 bucket, or of a store that speaks S3, under a prefix. */

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { sha256, sha256File } from '../../core/disk/files.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { openAgents } from '../../core/proxy.ts'
import { DamagedObject, MissingObject, readFault, StoreAway } from './faults.ts'
import type { StoreAddress } from './names.ts'

const CONNECT_TIMEOUT_MS = 5_000

/** Time limit of a connection on which nothing moves. */
const IDLE_TIMEOUT_MS = 30_000

/** Attempts of a request by the client, the first included. */
const ATTEMPTS = 4

/** Size up to which a file is sent from memory, so that the client itself can repeat it. */
const MEMORY_MAX_BYTES = 8 * 1024 * 1024

/** Attempts of a larger file: the client cannot rewind a stream. */
const STREAM_ATTEMPTS = 3
const STREAM_PAUSE_MS = 500

/** The client would warn of each stream on standard error. */
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/** Size of one plain PUT of S3 at most. */
const PUT_MAX_BYTES = 5 * 1024 ** 3

export type StoredObject = {
  readonly name: string
  readonly bytes: number
  /** Instant at which it was stored, by the clock of the store. UTC milliseconds. */
  readonly storedAtMs: number
}

/** Names are relative to the prefix of the store. Each call fails with a sentence of `readFault`. */
export type Blobs = {
  /** Stores a file whose hash is known; fails with a Refusal when the file differs from it. */
  readonly putFile: (name: string, path: string, hash: string) => Promise<void>
  readonly putText: (name: string, text: string) => Promise<void>
  /**
   * Writes an object to a new file and flushes it to disk. Fails with DamagedObject when its bytes
   * differ from the hash, and with MissingObject when it does not exist; the file is then useless.
   */
  readonly getFile: (name: string, path: string, hash: string) => Promise<void>
  /** Fails as `getFile` does. */
  readonly getText: (name: string, hash: string) => Promise<string>
  /** Size in bytes; null when there is no such object. */
  readonly findBytes: (name: string) => Promise<number | null>
  /** Objects whose name begins so, in the order of their names. */
  readonly list: (start: string) => AsyncGenerator<StoredObject>
  /** Removes an object; one that is not there is no error. */
  readonly remove: (name: string) => Promise<void>
  readonly close: () => void
}

/**
 * Opens a store; keys, region and endpoint are read by the client from its environment. Most stores
 * other than Amazon's need `isPathStyle`: the bucket is then in the path, not in the host name.
 */
export function openBlobs({ bucket, prefix }: StoreAddress, isPathStyle: boolean): Blobs {
  const client = new S3Client({
    forcePathStyle: isPathStyle,
    maxAttempts: ATTEMPTS,
    // every PUT is signed with the SHA-256 of its bytes, and every GET is hashed here: the CRC32
    // trailers are not needed, and some stores refuse them
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: SILENT,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      ...openAgents(),
    },
  })

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw readFault(error, bucket)
    }
  }

  const put = (name: string, body: Readable | Uint8Array, bytes: number, hash: string) => {
    const Key = prefix + name
    const command = new PutObjectCommand({ Bucket: bucket, Key, Body: body, ContentLength: bytes })
    // the signature covers it, so that the store verifies the bytes on their way in
    command.middlewareStack.add(
      next => args => {
        const { headers } = args.request as { headers: Record<string, string> }
        headers['x-amz-content-sha256'] = hash
        return next(args)
      },
      { step: 'build', name: 'signBodyHash' },
    )
    return run(() => client.send(command))
  }

  const get = (name: string) =>
    run(async () => {
      try {
        const found = await client.send(
          new GetObjectCommand({ Bucket: bucket, Key: prefix + name }),
        )
        return found.Body as Readable
      } catch (error) {
        if ((error as Error).name !== 'NoSuchKey') throw error
        throw new MissingObject(`the store has no object ${name}; push its session again.`)
      }
    })

  return {
    putFile: async (name, path, hash) => {
      const { size } = statSync(path)
      if (size > PUT_MAX_BYTES)
        throw new Refusal(`a file of ${size} bytes is too large for one PUT`)
      if ((await sha256File(path)) !== hash) {
        throw new Refusal(
          `a file does not match its hash ${hash.slice(0, 16)}; repair its session.`,
        )
      }
      if (size <= MEMORY_MAX_BYTES) {
        await put(name, await readFile(path), size, hash)
        return
      }
      for (let attempt = 1; ; attempt++) {
        try {
          await put(name, createReadStream(path), size, hash)
          return
        } catch (error) {
          if (!(error instanceof StoreAway) || attempt === STREAM_ATTEMPTS) throw error
          await sleep(STREAM_PAUSE_MS * attempt)
        }
      }
    },
    putText: async (name, text) => {
      const bytes = Buffer.from(text)
      await put(name, bytes, bytes.byteLength, sha256(bytes))
    },
    getFile: async (name, path, hash) => {
      const body = await get(name)
      const digest = createHash('sha256')
      const hashed = async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          digest.update(chunk)
          yield chunk
        }
      }
      await run(() => pipeline(body, hashed, createWriteStream(path, { flush: true })))
      refuseOther(name, hash, digest.digest('hex'))
    },
    getText: async (name, hash) => {
      const body = await get(name)
      const chunks: Uint8Array[] = []
      await run(async () => {
        for await (const chunk of body) chunks.push(chunk as Uint8Array)
      })
      const bytes = Buffer.concat(chunks)
      refuseOther(name, hash, sha256(bytes))
      return bytes.toString('utf8')
    },
    findBytes: name =>
      run(async () => {
        try {
          const head = new HeadObjectCommand({ Bucket: bucket, Key: prefix + name })
          return (await client.send(head)).ContentLength ?? 0
        } catch (error) {
          const { name: kind, $metadata } = error as { name: string; $metadata?: object }
          const isMissing = kind === 'NotFound' || kind === 'NoSuchKey'
          if (isMissing && $metadata !== undefined) return null
          // the refusal of a HEAD has no body: that of a list says why
          const list = { Bucket: bucket, Prefix: prefix + name, MaxKeys: 1 }
          await client.send(new ListObjectsV2Command(list))
          throw error
        }
      }),
    list: async function* (start) {
      for (let token: string | undefined; ; ) {
        const page = await run(() =>
          client.send(
            new ListObjectsV2Command({
              Bucket: bucket,
              Prefix: prefix + start,
              ...(token !== undefined && { ContinuationToken: token }),
            }),
          ),
        )
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          const storedAtMs = LastModified?.getTime() ?? 0
          yield { name: Key!.slice(prefix.length), bytes: Size ?? 0, storedAtMs }
        }
        if (!page.IsTruncated) return
        token = page.NextContinuationToken
      }
    },
    remove: async name => {
      await run(() => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: prefix + name })))
    },
    close: () => client.destroy(),
  }
}

function refuseOther(name: string, hash: string, found: string): void {
  if (found === hash) return
  throw new DamagedObject(
    `object ${name} of the store is damaged: its sha256 is ${found.slice(0, 16)}, not ${hash.slice(0, 16)}; ` +
      'delete it there, and push its session again from a machine that has it.',
  )
}
