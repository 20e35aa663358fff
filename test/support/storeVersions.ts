// Versions of a session as a build publishes them, copied where a test needs no build.

import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256, writeAtomically } from '../../src/core/disk/files.ts'
import { publishedFiles, readManifest } from '../../src/data/published/manifest.ts'

/** Session of the folders that `makeVersions` makes. */
export const VERSION_DATE = '2026-10-15'

/** Makes the folders `v1`, `v2` and so on, each with one version of a session more. */
export async function makeVersions(root: string, count: number): Promise<void> {
  const { openVersions } = await import('./versions.ts')
  for (let version = 1; version <= count; version++) {
    const folder = join(root, `v${version}`)
    if (version > 1) {
      cpSync(join(root, `v${version - 1}`), folder, { recursive: true, preserveTimestamps: true })
    }
    const versions = await openVersions(folder, VERSION_DATE)
    await versions.publish(version)
    versions.close()
  }
}

/** Publishes a version as a session of any date, with the bytes of its folder. */
export function copyVersion(root: string, version: number, folder: string, date: string): void {
  const from = join(root, `v${version}`)
  for (const { file } of publishedFiles(readManifest(from, VERSION_DATE)!)) {
    const to = join(folder, 'published', file.replace(VERSION_DATE, date))
    if (!existsSync(to)) cpSync(join(from, 'published', file), to)
  }
  const path = join(folder, `published/manifests/${date}.json`)
  if (existsSync(path)) {
    const old = readFileSync(path)
    const superseded = `published/superseded/${date}.${sha256(old).slice(0, 16)}.json`
    writeAtomically(join(folder, superseded), old)
  }
  const manifest = join(from, `published/manifests/${VERSION_DATE}.json`)
  writeAtomically(path, readFileSync(manifest, 'utf8').replaceAll(VERSION_DATE, date))
}
