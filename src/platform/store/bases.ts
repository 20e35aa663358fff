import { existsSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../../core/disk/files.ts'
import { parseJson } from '../../data/dictionary/manifestText.ts'
import type { ManifestName } from './kinds.ts'
import type { Pointer } from './pointers.ts'

/**
 * The pointer that a manifest of this folder was last equal to: a push expects it, so that a machine
 * that built from an older manifest is refused.
 */
const BaseFile = z.looseObject({ sha256: z.string(), seq: z.int(), bytes: z.int() })
export type Base = z.infer<typeof BaseFile>

export const basePath = (dataFolder: string, { kind, key }: ManifestName): string =>
  join(dataFolder, 'store', kind, `${key}.json`)

/** Reads the base of a manifest; null where this folder never had one of the store. */
export function readBase(dataFolder: string, name: ManifestName): Base | null {
  const path = basePath(dataFolder, name)
  if (!existsSync(path)) return null
  const parsed = BaseFile.safeParse(parseJson(readFileSync(path, 'utf8')))
  return parsed.success ? parsed.data : null
}

/**
 * Writes the base after the manifest: killed in between, the folder counts as older than it is. One
 * that another process has set from a later pointer stays.
 */
export function writeBase(dataFolder: string, { kind, key, ...pointer }: Pointer): void {
  const { sha256, seq, bytes } = pointer
  if ((readBase(dataFolder, { kind, key })?.seq ?? 0) > seq) return
  writeAtomically(
    basePath(dataFolder, { kind, key }),
    `${JSON.stringify({ sha256, seq, bytes })}\n`,
  )
}

/** Marks a manifest as used, so that its session stays in the cache. UTC milliseconds. */
export function touchBase(dataFolder: string, name: ManifestName, nowMs: number): void {
  const path = basePath(dataFolder, name)
  if (existsSync(path)) utimesSync(path, nowMs / 1000, nowMs / 1000)
}
