import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { liveFolder } from './liveManifest.ts'
import { publishedSessions } from './manifest.ts'

/** Default data folder of the demo. */
export const DEMO_FOLDER = join('data', 'demo')

/**
 * Returns the message for a data folder without published sessions, with the location of the demo's
 * data if there are any; null when something is published.
 */
export function nothingPublished(dataFolder: string): string | null {
  if (hasSessions(dataFolder)) return null
  const isDemo = resolve(dataFolder) === resolve(DEMO_FOLDER)
  const demo = isDemo ? null : demoHint()
  return `nothing is published in ${dataFolder}${demo === null ? '' : `; ${demo}`}.`
}

/**
 * Warns on standard error, separate from the output, that the data folder has nothing published.
 */
export function warnNothingPublished(dataFolder: string): void {
  const nothing = nothingPublished(dataFolder)
  if (nothing !== null) process.stderr.write(`tapefold: ${nothing}\n`)
}

/** Location of the demo's data, if it has any; else null. */
export const demoHint = (): string | null =>
  hasSessions(DEMO_FOLDER)
    ? `the demo's data are in ${DEMO_FOLDER}: add --data ${DEMO_FOLDER}`
    : null

function hasSessions(dataFolder: string): boolean {
  if (publishedSessions(dataFolder).length > 0) return true
  const running = join(liveFolder(dataFolder), 'manifests')
  return existsSync(running) && readdirSync(running).some(name => name.endsWith('.json'))
}
