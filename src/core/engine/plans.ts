import type {
  DuckDBConnection,
  DuckDBPreparedStatement,
  DuckDBResultReader,
} from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import type { Params, Value } from './sql.ts'

/** More than a session uses; an evicted plan is only made again. */
const MOST_PLANS = 1_000

/** Sets of values after which a statement is taken to vary: its plans are not cached. */
const MOST_VALUES = 12

/** Runs after which a plan is made again, as tables may have grown, and plans made at a time. */
const RUNS_OF_A_PLAN = 20
const RENEWED_AT_ONCE = 8

/** Statements of one connection that are planned once and run many times. */
export type Plans = {
  /** Runs a statement for its effect; returns the number of changed rows. */
  readonly run: (sql: string, params?: Params) => Promise<number>
  /** Runs a query and reads all its rows. */
  readonly read: (sql: string, params?: Params) => Promise<DuckDBResultReader>
  /** Makes plans for statements without a runnable one, while idle. */
  readonly planAhead: () => Promise<void>
  readonly close: () => void
}

/**
 * Optimizers that a plan with several runs must not use: they depend on the contents of the tables
 * when it was made, or on filters that its joins found in the previous run.
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

/** Prepares a connection so that its plans can be cached. */
export async function prepareForPlans(connection: DuckDBConnection): Promise<void> {
  await planForAnyRows(connection)
  await allowLargeRangeJoins(connection, false)
  await connection.run('set asof_loop_join_threshold = 0')
}

/** An AsOfJoin fails in the second run of a plan like an IEJoin. */
const ONE_RUN_JOINS = /ASOF_JOIN/

/** A plan's facts about a file hold for one run: the next one may find another file. */
const FILE_READERS = /READ_[A-Z]+|PARQUET_[A-Z]+/

/** How often a plan may run. */
type Runs = 'often' | 'once' | 'never'

type Plan = {
  readonly runs: Runs
  /** Without parameters. */
  readonly text: string
  readonly statement: DuckDBPreparedStatement | null
  /** State of the tables when it was made. */
  readonly stamp: string
  readonly ranTimes: number
}

/**
 * Caches the plans of a connection. The engine plans a statement with parameters again at every run
 * (duckdb#20885), so they become variables, whose values are part of the plan: one plan for each
 * set of values. Values that change at every run belong in a table. Once a table of a database that
 * a statement reads was made, the engine plans the statement again at every run: `stamp` changes
 * then, and the statement is prepared again.
 */
export function plansOn(connection: DuckDBConnection, stamp: () => string): Plans {
  const cached = openPlanCache(connection, stamp)
  const bound = openVariables(connection)
  /** Number of sets of values of each statement. */
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
  /** Returns the plan of a key, made again if the engine would not run it. */
  readonly get: (key: string) => Promise<Plan | null>
  readonly make: (text: string) => Promise<Plan>
  /** Stores a plan as the most recently used; the least recently used is evicted. */
  readonly put: (key: string, plan: Plan) => void
  /** Makes plans again that the engine would not run, and some that ran often. */
  readonly renewAll: () => Promise<void>
  readonly forgetAll: () => void
}

function openPlanCache(connection: DuckDBConnection, stamp: () => string): PlanCache {
  const cached = new LRUCache<string, Plan>({
    max: MOST_PLANS,
    dispose: ({ statement }) => statement?.destroySync(),
    // an entry that is put again still has its statement, or lost it when it was renewed
    noDisposeOnSet: true,
  })

  const prepared = async (runs: Runs, text: string): Promise<Plan> => {
    const statement = runs === 'never' ? null : await connection.prepare(text)
    return { runs, text, statement, stamp: stamp(), ranTimes: 0 }
  }

  /** Returns the same plan, or a new one if the engine would not run it. */
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
      // least recently used first: each is put last, so the order does not change
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
  // one for each value: the engine reads them again when it makes another plan
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
