import { join } from 'node:path'
import { sha256 } from '../core/disk/files.ts'
import { retryLater } from '../platform/http/error.ts'
import { openCache } from '../platform/pool/cache.ts'
import { openThread } from '../platform/pool/thread.ts'

/** About 200 pictures. */
const CACHE_MAX_BYTES = 16 * 1024 * 1024
/** Maximum number of pictures waiting for the thread. */
const WAITING_MAX = 8
const SCRIPT = join(import.meta.dirname, 'shareThread.ts')

/** Renders SVG to PNG concurrently with other work. */
export type SharePictures = {
  /** Fails with `unavailable` when too many others wait. */
  readonly renderPng: (svg: string) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

/** Opens the renderer; its thread starts with the first picture. */
export function openSharePictures(): SharePictures {
  const thread = openThread<string, Uint8Array>({ script: SCRIPT, workerData: null })
  const cache = openCache<Uint8Array>(CACHE_MAX_BYTES)
  const making = new Map<string, Promise<Uint8Array>>()
  const make = async (key: string, svg: string) => {
    const png = await thread.query(svg)
    cache.put(key, png, png.byteLength)
    return png
  }
  return {
    renderPng: async svg => {
      const key = sha256(Buffer.from(svg))
      const known = cache.get(key) ?? making.get(key)
      if (known) return known
      if (making.size >= WAITING_MAX) throw busy()
      const made = make(key, svg).finally(() => making.delete(key))
      making.set(key, made)
      return made
    },
    close: thread.close,
  }
}

const busy = () => retryLater('unavailable', 'many pictures are being made', 2)
