import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { SQL_FOLDER } from './sql.ts'

/** A file of macros. */
type MacroFile = {
  readonly text: string
  /** Files whose macros it names. */
  readonly needs: ReadonlySet<MacroFile>
}

/** The macros of a connection's database: made when they are named, or all ahead. */
export type Macros = {
  /** The connection, on which each statement finds the macros it names. */
  readonly connection: DuckDBConnection
  /** Makes the macros that are not there yet. */
  readonly makeAll: () => Promise<void>
}

/** Methods of a connection whose first argument is the text of statements. */
const RUNS_SQL = /^(run|stream|start|prepare|extractStatements)/

const WORD = /[a-z_]\w*/gi

let all: { readonly files: readonly MacroFile[]; readonly byName: Map<string, MacroFile> } | null =
  null

/**
 * Makes macros as statements name them: to make all of them takes longer than to open the engine.
 * For the one connection of a database; before it has others, or plans to cache, make all.
 */
export function openMacros(connection: DuckDBConnection): Macros {
  const { files, byName } = readMacros()
  const made = new Set<MacroFile>()
  const make = async (wanted: ReadonlySet<MacroFile>) => {
    const missing = files.filter(file => wanted.has(file) && !made.has(file))
    if (missing.length === 0) return
    // in one text: each call costs as much as a macro
    await connection.run(missing.map(({ text }) => text).join('\n'))
    for (const file of missing) made.add(file)
  }
  const makeNamed = (sql: string) => make(findNeeded(findNamed(sql, byName)))
  return {
    connection: new Proxy(connection, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (!RUNS_SQL.test(String(name))) return value.bind(target)
        return async (sql: unknown, ...others: unknown[]) => {
          if (typeof sql === 'string' && made.size < files.length) await makeNamed(sql)
          return value.call(target, sql, ...others)
        }
      },
    }),
    makeAll: () => make(new Set(files)),
  }
}

/** Reads the files of macros, once a process. */
function readMacros() {
  if (all) return all
  // listed by a call that fails on errors: an engine without macros would be cached
  const names = readdirSync(join(SQL_FOLDER, 'macros')).filter(name => name.endsWith('.sql'))
  const read = names.sort().map(name => {
    const text = readFileSync(join(SQL_FOLDER, 'macros', name), 'utf8').trimEnd()
    return { text: `${text.replace(/;$/, '')};`, needs: new Set<MacroFile>() }
  })
  const byName = new Map<string, MacroFile>()
  for (const file of read) {
    for (const [, name] of file.text.matchAll(/^create or replace macro (\w+)/gm)) {
      byName.set(name!.toLowerCase(), file)
    }
  }
  for (const file of read) {
    for (const needed of findNamed(file.text, byName)) file.needs.add(needed)
  }
  all = { files: read, byName }
  return all
}

/** Files of the macros that a text may call: a word of the same name is enough. */
function findNamed(sql: string, byName: ReadonlyMap<string, MacroFile>): Set<MacroFile> {
  const named = new Set<MacroFile>()
  for (const [word] of sql.matchAll(WORD)) {
    const file = byName.get(word.toLowerCase())
    if (file) named.add(file)
  }
  return named
}

/** The files, and those they need. */
function findNeeded(named: ReadonlySet<MacroFile>): Set<MacroFile> {
  const needed = new Set(named)
  // what is added to a set is visited as well
  for (const file of needed) for (const other of file.needs) needed.add(other)
  return needed
}
