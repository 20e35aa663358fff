import type {
  DuckDBConnection,
  DuckDBPreparedStatement,
  DuckDBResultReader,
} from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import type { Params, Value } from './sql.ts'

/** More than a session uses; one that is not kept any more is only planned again. */
const MOST_PLANS = 1_000

/** From so many sets of values on, a statement has others each time: its plans are not kept. */
const MOST_VALUES = 12

/** After so many runs a plan is made again, for the tables may have grown; so many at a time. */
const RUNS_OF_A_PLAN = 20
const RENEWED_AT_ONCE = 8

/** Statements of one connection that are planned once and run many times. */
export type Plans = {
  /** Runs a statement for its effect; answers how many rows it changed. */
  readonly run: (sql: string, params?: Params) => Promise<number>
  /** Runs a query and reads all its rows. */
  readonly read: (sql: string, params?: Params) => Promise<DuckDBResultReader>
  /** Plans again what has no plan that can run, while nobody waits for it. */
  readonly planAhead: () => Promise<void>
  readonly close: () => void
}

/**
 * What a plan that outlives its first run must not rest on: what the tables held when it was made,
 * and filters that its joins found in the run before.
 */
const ONE_RUN_OPTIMIZERS = [
  'statistics_propagation',
  'compressed_materialization',
  'join_filter_pushdown',
  'top_n',
]

/** Makes plans of an engine good for any rows. */
export const planForAnyRows = (connection: DuckDBConnection) =>
  connection.run(`set disabled_optimizers = '${ONE_RUN_OPTIMIZERS.join(',')}'`)

/**
 * Leaves large joins on two ranges to the engine for one run, or keeps them out of plans that run
 * again: an IEJoin numbers its inputs once and fails in the second run (DuckDB 1.5.5).
 */
export const allowLargeRangeJoins = (connection: DuckDBConnection, isAllowed: boolean) =>
  connection.run(`set merge_join_threshold = ${isAllowed ? 1_000 : Number.MAX_SAFE_INTEGER}`)

/** Makes a connection plan in one way whenever it plans a statement that it keeps. */
export async function prepareForPlans(connection: DuckDBConnection): Promise<void> {
  await planForAnyRows(connection)
  await allowLargeRangeJoins(connection, false)
  await connection.run('set asof_loop_join_threshold = 0')
}

/** An AsOfJoin fails in the second run of a plan like an IEJoin. */
const ONE_RUN_JOINS = /ASOF_JOIN/

/** What a plan knows of a file holds for one run: the next one may find another file. */
const FILE_READERS = /READ_[A-Z]+|PARQUET_[A-Z]+/

/** How often a plan may run. */
type Runs = 'often' | 'once' | 'never'

type Plan = {
  readonly runs: Runs
  /** Without parameters. */
  readonly text: string
  readonly statement: DuckDBPreparedStatement | null
  /** Which tables there were when it was made. */
  readonly stamp: string
  readonly ranTimes: number
}

/**
 * Keeps the plans of a connection. The engine plans a statement with parameters anew at every run
 * (duckdb#20885), so they become variables, whose values are part of the plan: one plan for each
 * set of values. What changes at every run belongs in a table. When any table of a database that a
 * statement reads was made, the engine plans it anew, and from then on at every run: `stamp` tells
 * of that, and the statement is prepared again.
 */
export function plansOn(connection: DuckDBConnection, stamp: () => string): Plans {
  const cached = openPlanCache(connection, stamp)
  const bound = openVariables(connection)
  /** How many sets of values each statement had. */
  const values = new Map<string, number>()

  /** Runs a statement by its plan, or else by its text. */
  const execute = async <T>(
    sql: string,
    params: Params,
    byPlan: (statement: DuckDBPreparedStatement) => Promise<T>,
    byText: (text: string, params?: Params) => Promise<T>,
  ): Promise<T> => {
    const key = `${sql}\n${JSON.stringify(params)}`
    const held = await cached.get(key)
    if (!held && (values.get(sql) ?? 0) >= MOST_VALUES) return byText(sql, params)
    if (!held) values.set(sql, (values.get(sql) ?? 0) + 1)
    const entry = held ?? (await cached.make(await bound(sql, params)))
    const { runs, text, statement } = entry
    const result = await (statement ? byPlan(statement) : byText(text))
    if (runs === 'once') statement?.destroySync()
    // nor is it with other values
    if (runs === 'never') values.set(sql, MOST_VALUES)
    const ranTimes = entry.ranTimes + 1
    cached.put(key, { ...entry, ranTimes, statement: runs === 'once' ? null : statement })
    return result
  }

  return {
    run: async (sql, params = {}) => {
      const { rowsChanged } = await execute<{ readonly rowsChanged: number }>(
        sql,
        params,
        statement => statement.run(),
        (text, values) => connection.run(text, values as never),
      )
      return rowsChanged
    },
    read: (sql, params = {}) =>
      execute(
        sql,
        params,
        statement => statement.runAndReadAll(),
        (text, values) => connection.runAndReadAll(text, values as never),
      ),
    planAhead: cached.renewAll,
    close: cached.forgetAll,
  }
}

type PlanCache = {
  /** The plan of a key, made anew if the engine would not run it as it stands. */
  readonly get: (key: string) => Promise<Plan | null>
  readonly make: (text: string) => Promise<Plan>
  /** Keeps a plan as the one used last; the one not used for longest goes. */
  readonly put: (key: string, plan: Plan) => void
  /** Makes those anew that the engine would not run, and some of those that ran often. */
  readonly renewAll: () => Promise<void>
  readonly forgetAll: () => void
}

function openPlanCache(connection: DuckDBConnection, stamp: () => string): PlanCache {
  const cached = new LRUCache<string, Plan>({
    max: MOST_PLANS,
    dispose: ({ statement }) => statement?.destroySync(),
    // an entry that is put again has its statement still, or lost it when it was renewed
    noDisposeOnSet: true,
  })

  const prepared = async (runs: Runs, text: string): Promise<Plan> => {
    const statement = runs === 'never' ? null : await connection.prepare(text)
    return { runs, text, statement, stamp: stamp(), ranTimes: 0 }
  }

  /** The same plan, or one made anew if the engine would not run it as it stands. */
  const renewed = async (entry: Plan): Promise<Plan> => {
    const { runs, text, statement } = entry
    if (runs === 'never' || (statement && entry.stamp === stamp())) return entry
    statement?.destroySync()
    return prepared(runs, text)
  }

  return {
    get: async key => {
      const entry = cached.get(key)
      return entry ? renewed(entry) : null
    },
    make: async text => prepared(await prepareRuns(connection, text), text),
    put: (key, entry) => {
      cached.set(key, entry)
    },
    renewAll: async () => {
      let left = RENEWED_AT_ONCE
      // those used longest ago first: each is put last, so all keep their order
      for (const key of [...cached.rkeys()]) {
        const entry = cached.peek(key)!
        const isOld = entry.ranTimes >= RUNS_OF_A_PLAN && left > 0
        if (isOld) left--
        cached.set(key, await renewed(isOld ? { ...entry, stamp: '' } : entry))
      }
    },
    forgetAll: () => cached.clear(),
  }
}

/** Writes the parameters of a statement as variables: its text then stands for its values too. */
function openVariables(connection: DuckDBConnection) {
  // one for each value: the engine reads them again when it plans anew
  const names = new Map<string, Promise<string>>()
  const nameValue = (value: Value): Promise<string> => {
    const key = JSON.stringify(value)
    const known = names.get(key)
    if (known) return known
    // taken before it is set: statements that begin together must not get one name for two values
    const name = `value_${names.size + 1}`
    const set = connection.run(`set variable ${name} = $value`, { value } as never).then(() => name)
    names.set(key, set)
    return set
  }
  return async (sql: string, params: Params): Promise<string> => {
    let text = sql
    for (const [name, value] of Object.entries(params)) {
      const variable = await nameValue(value)
      text = text.replace(new RegExp(`\\$${name}\\b`, 'g'), `getvariable('${variable}')`)
    }
    return text
  }
}

async function prepareRuns(connection: DuckDBConnection, sql: string): Promise<Runs> {
  const explained = String(
    (await connection.runAndReadAll(`explain (format json) ${sql}`)).getRows(),
  )
  if (FILE_READERS.test(explained)) return 'never'
  return ONE_RUN_JOINS.test(explained) ? 'once' : 'often'
}
