import type { SessionDate } from '../../src/core/market/calendar.ts'
import { areaDuties } from '../../src/data/areaDuties.ts'
import type { Progress } from '../command/progress.ts'

/**
 * Makes the columns that LAB replays of a session that was just published, so that no test of an
 * idea waits for them. Returns an error as a sentence, or null: the session is published all the
 * same, and LAB makes missing columns when it reads the session.
 */
export async function makeLabColumns(
  dataFolder: string,
  date: SessionDate,
): Promise<string | null> {
  try {
    await (await areaDuties()).makeColumns(dataFolder, date)
    return null
  } catch (error) {
    const [why] = (error as Error).message.split('\n')
    return `${date} is published, but LAB has no columns of it yet and makes them later: ${why}`
  }
}

/** The same as a step of a command, which reports errors on standard error. */
export async function runLabColumnsStep(
  dataFolder: string,
  date: SessionDate,
  progress: Progress,
): Promise<void> {
  const wrong = await progress.step('make the columns that LAB replays', () =>
    makeLabColumns(dataFolder, date),
  )
  if (wrong !== null) process.stderr.write(`tapefold: ${wrong}\n`)
}
