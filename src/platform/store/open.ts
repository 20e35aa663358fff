import { openBlobs } from './blobs.ts'
import type { Store } from './mirror.ts'
import type { StoreAddress } from './names.ts'
import { openPointers } from './pointers.ts'

export type StoreSettings = {
  readonly address: StoreAddress
  /** True for stores that have the bucket in the path of an address, as most but Amazon's. */
  readonly isPathStyle: boolean
  /** Size that the sessions of the data folder may have; null: any. */
  readonly cacheBytes: number | null
}

/** Opens a store, and the database that has its pointers. */
export async function openStore(
  { address, isPathStyle }: StoreSettings,
  databaseUrl: string,
): Promise<Store> {
  const pointers = await openPointers(databaseUrl)
  const blobs = openBlobs(address, isPathStyle)
  return {
    blobs,
    pointers,
    close: async () => {
      blobs.close()
      await pointers.close()
    },
  }
}
