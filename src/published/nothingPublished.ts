import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { liveFolder } from './liveManifest.ts'
import { publishedSessions } from './manifest.ts'

/** Where the demo keeps its data unless it is told otherwise. */
export const DEMO_FOLDER = join('data', 'demo')

/**
 * What a person is told who asks a data folder in which nothing is published, and where the demo's
 * data are if there are any; null where something is published.
 */
export function nothingPublished(dataFolder: string): string | null {
  if (hasSessions(dataFolder)) return null
  const isDemo = resolve(dataFolder) === resolve(DEMO_FOLDER)
  const demo = isDemo ? null : demoHint()
  return `nothing is published in ${dataFolder}${demo === null ? '' : `; ${demo}`}.`
}

/** Where the demo's data are, if it has any; else null. */
export const demoHint = (): string | null =>
  hasSessions(DEMO_FOLDER)
    ? `the demo's data are in ${DEMO_FOLDER}: add --data ${DEMO_FOLDER}`
    : null

function hasSessions(dataFolder: string): boolean {
  if (publishedSessions(dataFolder).length > 0) return true
  const running = join(liveFolder(dataFolder), 'manifests')
  return existsSync(running) && readdirSync(running).some(name => name.endsWith('.json'))
}
