import { join } from 'node:path'
import { openGate } from '../../core/disk/closing.ts'
import { writeAtomically } from '../../core/disk/files.ts'
import { type Database, openDatabase } from '../../core/engine/database.ts'
import { findTradingSession } from '../../core/market/calendar.ts'
import { labFile, labRevision } from '../../data/published/labFiles.ts'
import type { PublishedManifest } from '../../data/published/manifest.ts'
import { type BlockFile, encodeBlocks, openBlocks } from './blocks.ts'
import { buildSession } from './buildSession.ts'
import { FIRST_BLOCKS } from './storedSession.ts'

/** Columns of sessions, stored under `lab` of a data folder. */
export type LabColumns = {
  /**
   * Returns the files of a session that has everything LAB replays, for each dte up to a maximum;
   * missing ones are built. Fails with DamagedFile when a published file does not match its
   * manifest.
   */
  readonly openFiles: (manifest: PublishedManifest, dteMax: number) => Promise<BlockFile[]>
  readonly close: () => void
}

/** Opens the columns of a data folder, and a database once columns must be built. */
export function openColumns(dataFolder: string): LabColumns {
  let opened: Database | null = null
  const gate = openGate('the columns of LAB')
  const make = async (manifest: PublishedManifest, dtes: readonly number[]) => {
    gate.pass()
    opened ??= await openDatabase({ threads: 2, memoryLimit: '1GB' })
    const session = findTradingSession(manifest.session_date)!
    const drafts = await buildSession({ db: opened, dataFolder, manifest, session }, dtes)
    for (const [index, { about, blocks }] of drafts.entries()) {
      writeAtomically(
        columnFilePath(dataFolder, manifest, dtes[index]!),
        encodeBlocks(about, blocks),
      )
    }
  }
  return {
    openFiles: async (manifest, dteMax) => {
      const all = Array.from({ length: dteMax + 1 }, (_, dte) => dte)
      const open = (dte: number) =>
        openBlocks(columnFilePath(dataFolder, manifest, dte), FIRST_BLOCKS)
      const known = all.map(open)
      const missing = all.filter(dte => known[dte] === null)
      if (missing.length > 0) await make(manifest, missing)
      return all.map(dte => known[dte] ?? open(dte)!)
    },
    close: () => {
      gate.close()
      opened?.close()
    },
  }
}

const columnFilePath = (dataFolder: string, manifest: PublishedManifest, dte: number): string =>
  join(dataFolder, labFile(manifest.session_date, labRevision(manifest)!, dte))
