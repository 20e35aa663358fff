import type { Blobs } from './blobs.ts'
import { isKey, isKind, namedFiles } from './kinds.ts'
import { parseManifestObject, type Store } from './mirror.ts'
import { blobName } from './names.ts'
import type { Pointer } from './pointers.ts'

export type Checked = {
  readonly pointers: number
  /** Files that the manifests of the pointers name, each once, and their size. */
  readonly files: number
  readonly bytes: number
  /** Blobs that no pointer's manifest names: of earlier versions, or of killed pushes. */
  readonly unnamedFiles: number
  /** Faults, a sentence each. */
  readonly findings: readonly string[]
}

/**
 * Checks that the manifest of every pointer is in the store and every file that it names, with its
 * size, and that no manifest is newer than its pointer. Hashes of files are not computed.
 */
export async function checkStore({ blobs, pointers }: Store): Promise<Checked> {
  const rows = await pointers.listSince(0)
  const newest = await newestManifests(blobs)
  const stored = new Map<string, number>()
  for await (const { name, bytes } of blobs.list('blobs/')) stored.set(name, bytes)
  const findings: string[] = []
  const named = new Map<string, number>()
  for (const row of rows) {
    const what = `${row.kind} ${row.key}`
    const last = newest.get(what)
    if (last && last.object > row.object) {
      findings.push(`${what}: its pointer is not at the newest manifest, ${last.object}`)
    }
    newest.delete(what)
    let text: string
    try {
      text = await blobs.getText(row.object, row.sha256)
    } catch (error) {
      findings.push(`${what}: ${(error as Error).message}`)
      continue
    }
    findings.push(...checkFiles(row, text, stored, named).map(each => `${what}: ${each}`))
  }
  for (const [what, { object }] of newest) findings.push(`${what}: no pointer is at ${object}`)
  return {
    pointers: rows.length,
    files: named.size,
    bytes: [...named.values()].reduce((sum, bytes) => sum + bytes, 0),
    unnamedFiles: [...stored.keys()].filter(name => !named.has(name)).length,
    findings,
  }
}

/** Faults of the files of one manifest; adds those that are there to `named`. */
function checkFiles(
  row: Pointer,
  text: string,
  stored: ReadonlyMap<string, number>,
  named: Map<string, number>,
): string[] {
  const findings: string[] = []
  let sum = 0
  const files = new Map(namedFiles(row, text).map(file => [file.file, file]))
  for (const { file, sha256, bytes } of files.values()) {
    const size = stored.get(blobName(sha256))
    if (size === undefined) findings.push(`${file} is missing`)
    else if (bytes !== null && size !== bytes)
      findings.push(`${file} has ${size} bytes, not ${bytes}`)
    if (size !== undefined) named.set(blobName(sha256), size)
    sum += size ?? 0
  }
  if (findings.length === 0 && sum !== row.bytes) {
    findings.push(`its files have ${sum} bytes, not ${row.bytes}`)
  }
  return findings
}

/**
 * Makes the table of pointers again from the newest manifest of each session in the store; returns
 * their number. Where a publish was killed between its manifest and its pointer, that manifest
 * counts: its files are complete.
 */
export async function rebuildPointers({ blobs, pointers }: Store): Promise<number> {
  const newest = [...(await newestManifests(blobs)).values()].sort((a, b) => a.number - b.number)
  const rows = newest.map(({ number: _, ...row }) => row)
  await pointers.replaceAll(rows, newest.at(-1)?.number ?? 0)
  return rows.length
}

type NewestManifest = Omit<Pointer, 'seq'> & { readonly number: number }

/** The manifest with the highest number of each kind and key. */
async function newestManifests(blobs: Blobs): Promise<Map<string, NewestManifest>> {
  const newest = new Map<string, NewestManifest>()
  // in the order of names: the last of a session is its newest
  for await (const { name: object } of blobs.list('manifests/')) {
    const parsed = parseManifestObject(object)
    if (!parsed || !isKind(parsed.kind) || !isKey(parsed.key)) continue
    newest.set(`${parsed.kind} ${parsed.key}`, { ...parsed, kind: parsed.kind, object })
  }
  return newest
}
