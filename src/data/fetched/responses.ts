/**
 * Responses of vendors as they were sent: `inbox/<source>/<day>/<file>` in a data folder, each with
 * a record of its request in `records/` next to it. A file without a record does not exist for a
 * reader. The records lie in a folder of their own, so that `feed --spool` can take the files.
 */

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../../core/disk/files.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { parseJson } from '../dictionary/manifestText.ts'

const ResponseRecordFile = z.object({
  format: z.literal(1),
  source: z.string(),
  /** The day or year it belongs to, as its folder is named. */
  day: z.string(),
  /** Name of the file in its folder; it begins with the format that imports it. */
  file: z.string(),
  /** Method, address and fields of the request, without secrets. */
  request: z.string(),
  /** When its last byte came, ISO 8601 UTC. */
  fetched_at: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  /** Version of the file by the vendor, such as an ETag; null where it gives none. */
  version: z.string().nullable(),
  /** Lines below the header of a table, contracts of a chain; 0 for an empty one. */
  rows: z.int(),
  /** When its rows were imported, ISO 8601 UTC; null before. */
  imported_at: z.string().nullable(),
  /** The vendor's newer version that was seen since, not fetched; null where there is none. */
  restated_as: z.string().nullable(),
  /** Remarks of the vendor on a success, such as symbols that it does not know; a sentence each. */
  remarks: z.array(z.string()).default([]),
  /** True where the vendor calls the data of that day degraded. */
  is_degraded: z.boolean().default(false),
  /** When the imported file was removed for its age, ISO 8601 UTC; null: it is there. */
  collected_at: z.string().nullable().default(null),
})

/** Record of one response: its request without secrets, its size, hash and rows. */
export type ResponseRecord = z.infer<typeof ResponseRecordFile>

/** Folder of a source's responses for a day or a year. */
export const responseFolder = (dataFolder: string, source: string, day: string): string =>
  join(dataFolder, 'inbox', source, day)

/** Path of a response. */
export const responsePath = (
  dataFolder: string,
  { source, day, file }: Pick<ResponseRecord, 'source' | 'day' | 'file'>,
): string => join(responseFolder(dataFolder, source, day), file)

const recordPath = (
  dataFolder: string,
  { source, day, file }: Pick<ResponseRecord, 'source' | 'day' | 'file'>,
): string => join(responseFolder(dataFolder, source, day), 'records', `${file}.json`)

/**
 * Returns the record of a stored response; null where there is none, or where its file is missing
 * or has another size, unless it was removed for its age. Fails with a Refusal where the record is damaged.
 */
export function readResponse(
  dataFolder: string,
  key: Pick<ResponseRecord, 'source' | 'day' | 'file'>,
): ResponseRecord | null {
  const path = responsePath(dataFolder, key)
  const record = recordPath(dataFolder, key)
  if (!existsSync(record)) return null
  const parsed = ResponseRecordFile.safeParse(parseJson(readFileSync(record, 'utf8')))
  if (!parsed.success) {
    throw new Refusal(
      `inbox/${key.source}/${key.day}/records/${key.file}.json is damaged; remove it, and fetch again.`,
    )
  }
  const isWithoutFile = parsed.data.rows === 0 && parsed.data.bytes === 0
  if (isWithoutFile || parsed.data.collected_at !== null) return parsed.data
  return statSync(path, { throwIfNoEntry: false })?.size === parsed.data.bytes ? parsed.data : null
}

/** Names of the files of a day that have a record; `readResponse` says which of them are there. */
export function listRecorded(dataFolder: string, source: string, day: string): Set<string> {
  const folder = join(responseFolder(dataFolder, source, day), 'records')
  if (!existsSync(folder)) return new Set()
  return new Set(readdirSync(folder).map(name => name.replace(/\.json$/, '')))
}

/** Stores the record of a response: from then on the response exists. */
export function writeResponse(
  dataFolder: string,
  record: z.input<typeof ResponseRecordFile>,
): void {
  writeAtomically(recordPath(dataFolder, record), `${JSON.stringify(record, null, 2)}\n`)
}

/** Removes the record of a response: from then on it does not exist. */
export const removeRecord = (
  dataFolder: string,
  key: Pick<ResponseRecord, 'source' | 'day' | 'file'>,
): void => rmSync(recordPath(dataFolder, key), { force: true })

/** Removes a response, its record first. */
export function removeResponse(
  dataFolder: string,
  key: Pick<ResponseRecord, 'source' | 'day' | 'file'>,
): void {
  removeRecord(dataFolder, key)
  rmSync(responsePath(dataFolder, key), { force: true })
}

const SourceStateFile = z.object({
  format: z.literal(1),
  source: z.string(),
  /** Time of the last request, ISO 8601 UTC. */
  requested_at: z.string(),
  /** Time of the last success, also one without data, ISO 8601 UTC; null: never. */
  responded_at: z.string().nullable(),
  /** The day or year of its newest response; null: none. */
  newest_day: z.string().nullable(),
  /** Why the last request failed, one sentence; null where it did not. */
  problem: z.string().nullable(),
  /** When the next response is due, ISO 8601 UTC; null where none is expected. */
  due_at: z.string().nullable(),
  /** Time by which its rows are late by themselves, in seconds. */
  delay_s: z.int(),
})

/** How a source responded last, for `sources` and the status. */
export type SourceState = z.infer<typeof SourceStateFile>

const statePath = (dataFolder: string, source: string): string =>
  join(dataFolder, 'inbox', source, 'state.json')

/** Returns the state of a source; null where it was never used or its file is damaged. */
export function readSourceState(dataFolder: string, source: string): SourceState | null {
  const path = statePath(dataFolder, source)
  if (!existsSync(path)) return null
  const parsed = SourceStateFile.safeParse(parseJson(readFileSync(path, 'utf8')))
  return parsed.success ? parsed.data : null
}

/** Stores how a source responded. */
export function writeSourceState(dataFolder: string, state: SourceState): void {
  writeAtomically(statePath(dataFolder, state.source), `${JSON.stringify(state, null, 2)}\n`)
}

/** States of all sources that were ever used in a data folder, by name. */
export function listSourceStates(dataFolder: string): SourceState[] {
  const folder = join(dataFolder, 'inbox')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap(name => readSourceState(dataFolder, name) ?? [])
}
