// An S3 emulator in this process, on loopback: it stores in memory and verifies no signature.

import { startFauxqs } from 'fauxqs'
import { openStore } from '../../src/platform/store/open.ts'
import { sharePostgres } from './postgres.ts'

export const BUCKET = 'tapefold-tests'

/** Keys and address, as the AWS client reads them from its environment. */
export const storeEnvironment = (endpoint: string): Record<string, string> => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test-key',
  AWS_SECRET_ACCESS_KEY: 'test-secret',
})

export type ObjectStore = {
  readonly endpoint: string
  readonly newBucket: () => string
  readonly stop: () => Promise<void>
}

/** Starts the emulator, and gives the AWS client of this process its address. */
export async function startObjectStore(): Promise<ObjectStore> {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false })
  const endpoint = `http://127.0.0.1:${server.port}`
  Object.assign(process.env, storeEnvironment(endpoint))
  let count = 0
  return {
    endpoint,
    newBucket: () => server.createBucket(`${BUCKET}-${++count}`).bucketName,
    stop: async () => {
      for (const name of Object.keys(storeEnvironment(endpoint))) delete process.env[name]
      await server.stop()
    },
  }
}

/** A store with a bucket and a database of its own. */
export async function newStore(objects: ObjectStore, prefix = 'a/b/') {
  const bucket = objects.newBucket()
  const databaseUrl = await (await sharePostgres()).newDatabase()
  const settings = { address: { bucket, prefix }, isPathStyle: true, cacheBytes: null }
  return { bucket, databaseUrl, settings, store: await openStore(settings, databaseUrl) }
}
