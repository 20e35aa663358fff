// PostgreSQL servers, each in a temporary folder, on a socket there.

import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const ROOT = '/usr/lib/postgresql'

/** Folder of the newest server's programs, or null on a machine without one. */
function binFolder(): string | null {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).sort((a, b) => Number(b) - Number(a)) : []
  const folders = versions.map(version => join(ROOT, version, 'bin'))
  return folders.find(folder => existsSync(join(folder, 'initdb'))) ?? null
}

export const hasPostgres = binFolder() !== null

/** The server refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid!() !== 0) return null
  const findId = (option: string) => Number(execFileSync('id', [option, 'nobody']))
  return { uid: findId('-u'), gid: findId('-g') }
}

export type PostgresServer = {
  readonly url: string
  /** The address of a new, empty database. */
  readonly newDatabase: () => Promise<string>
  /** Ends the server at once: with an immediate shutdown, or as a kill of the system does. */
  readonly crash: (signal?: 'SIGQUIT' | 'SIGKILL') => Promise<void>
  /** Starts the server again after a crash. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

let shared: Promise<PostgresServer> | null = null

/** The worker's one server, for tests that need databases of their own: it ends with the run. */
export const sharePostgres = (): Promise<PostgresServer> => (shared ??= startPostgres())

export async function startPostgres(): Promise<PostgresServer> {
  const bin = binFolder()!
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-postgres-'))
  const user = unprivileged()
  if (user) chownSync(folder, user.uid, user.gid)
  const options = { cwd: folder, ...user }
  const data = join(folder, 'data')
  const make = ['-D', data, '-U', 'tapefold', '-A', 'trust', '--no-sync', '--no-instructions']
  execFileSync(join(bin, 'initdb'), make, { ...options, stdio: 'ignore' })
  const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=100']
  const url = `postgresql://tapefold@localhost/postgres?host=${folder}`
  const launch = async () => {
    const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, ...settings], {
      ...options,
      stdio: 'ignore',
    })
    server.unref()
    const ended = new Promise<void>(resolve => server.on('exit', () => resolve()))
    await untilResponds(url, () => server.exitCode !== null)
    return { server, ended }
  }
  let running = await launch()
  const crash = async (signal: 'SIGQUIT' | 'SIGKILL' = 'SIGQUIT') => {
    running.server.kill(signal)
    await running.ended
  }
  let databaseCount = 0
  return {
    url,
    newDatabase: async () => {
      const name = `test_${++databaseCount}`
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return url.replace('/postgres?', `/${name}?`)
    },
    crash,
    restart: async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          running = await launch()
          return
        } catch (error) {
          // connections of a server that was killed end a little later
          if (attempt === RESTARTS_MAX) throw error
          await new Promise(resolve => setTimeout(resolve, 200))
        }
      }
    },
    stop: async () => {
      await crash()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Attempts to start a server again. */
const RESTARTS_MAX = 100

/** Waits for a server as long as its process runs. */
async function untilResponds(url: string, hasEnded: () => boolean): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (hasEnded()) throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}
