/** CPU time of the process while each model of a build runs alone. */

import type { Clock } from '../../src/core/clock.ts'
import type { Database, SeparateDatabase, SeparateOptions } from '../../src/core/engine/database.ts'
import { alignColumns } from '../../src/data/published/analyst.ts'
import type { Progress } from '../command/progress.ts'

/** Cost of a model in one build; a model of the fold's ladder is built once a pass. */
export type ModelCost = {
  /** Such as 'book/scan_sums'; '(publish)' for statements of no model, by the step they are of. */
  readonly model: string
  readonly runs: number
  /** CPU seconds of all cores together. */
  readonly cpuSeconds: number
  readonly wallSeconds: number
  /** Rows made by all runs; null for a view, whose readers do its work, and for statements. */
  readonly rows: number | null
}

/** Costs of the models of one process. */
export type Profile = {
  /**
   * Returns the same database, whose models and queries run one after another, also those of its
   * other connections, and are measured.
   */
  readonly watch: (db: Database) => Database
  /** Returns the same progress, whose steps name the statements that make no model. */
  readonly nameSteps: (progress: Progress) => Progress
  /** Lists the costs so far, dearest first. */
  readonly costs: () => readonly ModelCost[]
  /** Formats the costs as a table, with a line on the rest of the process. */
  readonly table: () => string
}

/** Begins a profile: what the process took before is no part of it. */
export function openProfile(clock: Clock): Profile {
  const costs = new Map<string, ModelCost>()
  const cpuBefore = process.cpuUsage()
  const inTurn = queueOne()
  let step = 'before the first step'

  const statement = <T>(work: () => Promise<T>): Promise<T> => measured(`(${step})`, work)

  /** Runs work alone, and adds its cost to that of a model. */
  const measured = <T>(
    model: string,
    work: () => Promise<T>,
    countRows: () => Promise<number | null> = async () => null,
  ): Promise<T> =>
    inTurn(async () => {
      const startMs = clock.nowMs()
      const before = process.cpuUsage()
      const result = await work()
      const { user, system } = process.cpuUsage(before)
      const wallSeconds = (clock.nowMs() - startMs) / 1000
      const rows = await countRows()
      const earlier = costs.get(model)
      costs.set(model, {
        model,
        runs: (earlier?.runs ?? 0) + 1,
        cpuSeconds: (earlier?.cpuSeconds ?? 0) + (user + system) / MICROSECONDS,
        wallSeconds: (earlier?.wallSeconds ?? 0) + wallSeconds,
        rows: rows === null ? (earlier?.rows ?? null) : (earlier?.rows ?? 0) + rows,
      })
      return result
    })

  const watchPart = <Part extends Omit<Database, 'close'>>(db: Part): Part => ({
    ...db,
    run: (sql, params) => statement(() => db.run(sql, params)),
    rows: (sql, params) => statement(() => db.rows(sql, params)),
    query: (path, params) => measured(path, () => db.query(path, params)),
    refill: (table, sql, params) => statement(() => db.refill(table, sql, params)),
    make: (table, sql, params) => statement(() => db.make(table, sql, params)),
    append: (table, sql) => statement(() => db.append(table, sql)),
    repeat: sql => statement(() => db.repeat(sql)),
    build: (model, params, table = model.replace('/', '.')) =>
      measured(
        model,
        () => db.build(model, params, table),
        () => countRows(db, table),
      ),
    add: async (model, params, table) => {
      const before = await inTurn(() => countRows(db, table))
      await measured(
        model,
        () => db.add(model, params, table),
        async () => (await countRows(db, table)) - before,
      )
    },
    view: model => measured(model, () => db.view(model)),
    openConnection: async () => watchPart(await db.openConnection()),
    openSeparate: async (name: string, options?: SeparateOptions): Promise<SeparateDatabase> =>
      watchPart(await db.openSeparate(name, options)),
  })

  const listCosts = () => [...costs.values()].sort((a, b) => b.cpuSeconds - a.cpuSeconds)
  return {
    watch: watchPart,
    nameSteps: progress => ({
      ...progress,
      step: (what, work) => {
        step = what
        return progress.step(what, work)
      },
    }),
    costs: listCosts,
    table: () => {
      const { user, system } = process.cpuUsage(cpuBefore)
      return describeCosts(listCosts(), (user + system) / MICROSECONDS)
    },
  }
}

const MICROSECONDS = 1e6

/** Runs works one after another, in the order of their calls; a failed one stops no other. */
function queueOne() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}

async function countRows(db: Pick<Database, 'query'>, table: string): Promise<number> {
  const [counted] = await db.query('measure/row_count', { table })
  return Number(counted!.row_count)
}

/** Formats costs as a table; `wholeSeconds` is the CPU time of the process. */
function describeCosts(costs: readonly ModelCost[], wholeSeconds: number): string {
  const measuredSeconds = costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  const share = (seconds: number) => `${((100 * seconds) / wholeSeconds).toFixed(1)}`
  const lines = costs.map(({ model, runs, cpuSeconds, wallSeconds, rows }) => [
    model,
    cpuSeconds.toFixed(3),
    share(cpuSeconds),
    wallSeconds.toFixed(3),
    String(runs),
    rows === null ? '' : String(rows),
  ])
  const rest = wholeSeconds - measuredSeconds
  const table = alignColumns([['model', 'CPU s', '%', 'seconds', 'runs', 'rows'], ...lines])
  return (
    `${table}\nmodels and queries ${measuredSeconds.toFixed(1)} CPU s, and ${rest.toFixed(1)} s ` +
    `for the rest of the process (modules, texts, files); together ${wholeSeconds.toFixed(1)} s`
  )
}
