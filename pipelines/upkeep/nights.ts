import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../../src/core/disk/files.ts'

/** Work that is done once a night. */
const NIGHT_WORK = ['verify', 'months', 'forget'] as const
export type NightWork = (typeof NIGHT_WORK)[number]

/** The last night, by its ET date, of which each work is done. */
export type Nights = {
  readonly last: (work: NightWork) => string | null
  readonly store: (work: NightWork, night: string) => void
}

const NightsFile = z.partialRecord(z.enum(NIGHT_WORK), z.string())

/** The nights of a data folder. A damaged file names none: a night's work may be done twice. */
export function openNights(dataFolder: string): Nights {
  const path = join(dataFolder, 'work', 'nights.json')
  const read = () => {
    if (!existsSync(path)) return {}
    try {
      return NightsFile.parse(JSON.parse(readFileSync(path, 'utf8')))
    } catch {
      return {}
    }
  }
  return {
    last: work => read()[work] ?? null,
    store: (work, night) => writeAtomically(path, JSON.stringify({ ...read(), [work]: night })),
  }
}
