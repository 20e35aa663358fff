/** Variables that hold lists of texts: a view takes no parameters, but it may read a variable. */

import { type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api'

/** The lists of an engine, each on every connection to its database. */
export type Lists = {
  readonly set: (on: ListOwner, name: string, items: readonly string[]) => Promise<void>
  /** Gives another connection the lists of its database. */
  readonly copyTo: (on: ListOwner) => Promise<void>
}

type ListOwner = { readonly connection: DuckDBConnection; readonly database: string }

export function openLists(): Lists {
  const lists = new Map<string, Map<string, readonly string[]>>()
  const setOn = async (connection: DuckDBConnection, name: string, items: readonly string[]) => {
    const values = { items: listValue([...items]) }
    await connection.run(`set variable ${name} = $items`, values, { items: LIST(VARCHAR) })
  }
  return {
    set: async ({ connection, database }, name, items) => {
      await setOn(connection, name, items)
      const own = lists.get(database) ?? new Map<string, readonly string[]>()
      lists.set(database, own.set(name, items))
    },
    copyTo: async ({ connection, database }) => {
      for (const [name, items] of lists.get(database) ?? []) await setOn(connection, name, items)
    },
  }
}
