/** Names in the store; separate from its client, which is slow to load. */

export type StoreAddress = { readonly bucket: string; readonly prefix: string }

/** Parses `s3://bucket/prefix`; null for any other text. */
export function parseStoreAddress(text: string): StoreAddress | null {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*))?\/?$/
  const [, bucket, path] = match.exec(text) ?? []
  if (bucket === undefined || path?.split('/').some(part => /^\.+$/.test(part))) return null
  return { bucket, prefix: path === undefined ? '' : `${path}/` }
}

/** Name of the blob with a hash. */
export const blobName = (hash: string): string => `blobs/${hash.slice(0, 2)}/${hash}`
