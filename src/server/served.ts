/** Where the server of a data folder listens, for other processes that print its address. */

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../core/disk/files.ts'
import { isRunning, machineTag } from '../core/disk/process.ts'
import { type Config, siteUrl } from '../platform/config.ts'

const Served = z.object({ url: z.string(), machine: z.string(), pid: z.int() })

const servedPath = (dataFolder: string): string => join(dataFolder, 'work', 'served.json')

/**
 * Stores the address of the pages of this server; of several the last one counts. Returns what removes
 * it. A folder that cannot be written is left alone: the configured address is printed then.
 */
export function storeServed(dataFolder: string, url: string): () => void {
  const path = servedPath(dataFolder)
  const text = JSON.stringify({ url, machine: machineTag(), pid: process.pid })
  try {
    writeAtomically(path, text)
  } catch {
    return () => {}
  }
  return () => {
    if (readText(path) === text) rmSync(path, { force: true })
  }
}

/**
 * Returns the address of the pages: the public one, else that of the server which runs on the data
 * folder on this machine, else the configured one.
 */
export function findSiteUrl(config: Pick<Config, 'dataFolder' | 'publicUrl' | 'host' | 'port'>) {
  if (config.publicUrl !== null) return config.publicUrl
  try {
    const { url, machine, pid } = Served.parse(JSON.parse(readText(servedPath(config.dataFolder))))
    return machine === machineTag() && isRunning(pid) ? url : siteUrl(config)
  } catch {
    // no server has written it, or one of another version
    return siteUrl(config)
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
