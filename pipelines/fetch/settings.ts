/** Keys and addresses of sources: from the environment, else from `sources.toml` of the data folder. */

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { findProxy, type WebProxy } from '../../src/core/proxy.ts'
import type { DataSource, Setting } from './source.ts'

/** Settings of one source; `keys` by their names. */
export type SourceSettings = {
  readonly origin: URL
  readonly keys: Readonly<Record<string, string>>
  /** Proxy through which it is reached; null: none. */
  readonly proxy: WebProxy | null
}

type Environment = Readonly<Record<string, string | undefined>>
type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const FILE = 'sources.toml'

/** The variable that replaces the address of a source. */
export const addressVariable = ({ name }: Pick<DataSource, 'name'>): string =>
  `TAPEFOLD_${name.toUpperCase().replaceAll('-', '_')}_URL`

/** Reads the settings of a source. Fails with a Refusal that names what is missing or wrong. */
export function readSettings(
  source: DataSource,
  dataFolder: string,
  environment: Environment,
): SourceSettings {
  const table = readTables(dataFolder)[source.name] ?? {}
  const origin = readOrigin(source, environment[addressVariable(source)] ?? table.address)
  const keys = Object.fromEntries(
    source.keys.map(key => [key.name, readKey(source, key, environment, table)]),
  )
  return { origin, keys, proxy: findProxy(origin, environment) }
}

/** True where all keys of a source are set. Fails with a Refusal where the file is damaged. */
export function hasKeys(source: DataSource, dataFolder: string, environment: Environment): boolean {
  const table = readTables(dataFolder)[source.name] ?? {}
  return source.keys.every(({ name, variable }) => (environment[variable] ?? table[name]) != null)
}

function readTables(dataFolder: string): Tables {
  const path = join(dataFolder, FILE)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return {}
  if ((stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8).padStart(3, '0')
    throw new Refusal(
      `${FILE} of the data folder has mode ${mode}, so others may read its keys: run chmod 600 on it.`,
    )
  }
  const broken = (why: string) =>
    new Refusal(
      `${FILE} of the data folder ${why}; give tables such as [databento] with key = "db-…".`,
    )
  let value: Readonly<Record<string, unknown>>
  try {
    value = parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // the library's message repeats the line, and a line may hold a key
    const { line } = error as { line?: number }
    throw broken(line === undefined ? 'is not TOML' : `is not TOML: its line ${line} is wrong`)
  }
  for (const [name, table] of Object.entries(value)) {
    if (typeof table !== 'object' || table === null || Array.isArray(table))
      throw broken(`has "${name.slice(0, 40)}" outside of any table`)
  }
  return value as Tables
}

function readKey(
  source: DataSource,
  { name, variable, example }: Setting,
  environment: Environment,
  table: Readonly<Record<string, unknown>>,
): string {
  const value = environment[variable] ?? table[name]
  if (value === undefined || value === '') {
    throw new Refusal(
      `${source.name} needs a key: set ${variable}, or ${name} under [${source.name}] in ${FILE} ` +
        `of the data folder (mode 600), such as ${example}.`,
    )
  }
  // a line break would begin a header of its own
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(value)) {
    throw new Refusal(
      `the ${name} of ${source.name} is no key: give visible characters without spaces, such as ` +
        `${example}.`,
    )
  }
  return value
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|localhost)$/

function readOrigin(source: DataSource, given: unknown): URL {
  if (given === undefined || given === '') return new URL(source.address)
  const shape = `give one without a path, such as ${source.address}`
  if (typeof given !== 'string' || !URL.canParse(given))
    throw new Refusal(`the address of ${source.name} is no address: ${shape}.`)
  const url = new URL(given)
  const isPlain = url.protocol === 'http:' && LOOPBACK.test(url.hostname)
  if (url.protocol !== 'https:' && !isPlain) {
    throw new Refusal(
      `the address of ${source.name} is ${url.protocol}//${url.host}; only https:// is taken, and ` +
        'http:// of this machine.',
    )
  }
  if (url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '')
    throw new Refusal(
      `the address of ${source.name} has more than a host and a port: ${shape}; keys have settings ` +
        'of their own.',
    )
  return url
}
