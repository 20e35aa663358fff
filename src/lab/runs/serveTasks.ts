import { setPriority } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { endWithParent, STOP_SIGNALS } from '../../core/stop.ts'
import { DTE_MAX, type LabMarket } from '../market/session.ts'
import { findFurthestDte } from '../verdict/leg.ts'
import { buildPlan, findSeal } from '../verdict/plan.ts'
import { RunRefused, type RunRequest } from '../verdict/request.ts'
import type { OnProgress } from '../verdict/run.ts'
import type { RunEngine } from './engine.ts'
import { summarizeResult } from './summary.ts'
import type { ComputedRun, Task, TaskReport, TaskRequest } from './tasks.ts'
import { writeTrades, writeWholeTrades } from './tradesFile.ts'
import { sealTradeRows, tradeRows } from './tradeTable.ts'

/** Niceness of the process: its work yields to the server's own (nice(2)). */
const NICE = 10
/** Number of progress steps reported per run. */
const REPORTED_STEPS = 100

/**
 * Computes the tasks of the parent process in a child process, one after the other, and exits with
 * the parent.
 */
export function serveTasks(engine: RunEngine, dataFolder: string): void {
  setPriority(NICE)
  endWithParent({ isRequested: true })
  // a terminal and systemd signal all processes; the server ends this one when it stops
  for (const signal of STOP_SIGNALS) process.on(signal, () => {})
  // a server that just exited receives nothing; this process then exits as well
  const report = (message: TaskReport) => process.send?.(message, undefined, undefined, () => {})
  const handle = async ({ id, task }: TaskRequest) => {
    try {
      const begin = () => report({ id, isComputing: true })
      const onProgress = inSteps((done, total) => report({ id, done, total }))
      report({ id, value: await perform(task, { engine, dataFolder, begin, onProgress }) })
    } catch (error) {
      if (error instanceof RunRefused) report({ id, refusal: error.message })
      else report({ id, error: error instanceof Error ? (error.stack ?? '') : String(error) })
    }
  }
  let last = Promise.resolve()
  process.on('message', message => {
    last = last.then(() => handle(message as TaskRequest))
  })
}

type Doing = {
  readonly engine: RunEngine
  readonly dataFolder: string
  readonly begin: () => void
  readonly onProgress: OnProgress
}

async function perform(task: Task, doing: Doing): Promise<unknown> {
  const { engine, dataFolder, begin, onProgress } = doing
  const { through } = task
  const wanted =
    task.do === 'warm'
      ? { dteMax: 0, isBackwards: task.isBackwards }
      : { dteMax: findDteMax(task.request) }
  const market = await engine.readMarket({ dataFolder, through, ...wanted })
  begin()
  if (task.do === 'warm') return null
  if (task.do === 'rows') {
    const { part, of } = task
    return engine.variantRows(market, task.request, { part, of }, onProgress)
  }
  const { result, sealed, ledger } = engine.computeRun(market, task.request, task.rows, onProgress)
  // if the server has exited meanwhile, the next one writes them
  await setImmediate()
  await setImmediate()
  const { job } = task.request
  const rows = tradeRows(ledger, {
    dates: market.sessions.map(({ date }) => date),
    holdout: result.holdout,
    firstTestedTo: findSeal(market, task.request).firstTestedTo,
  })
  const range = sealed.sealed ?? null
  return {
    result: JSON.stringify(sealed),
    summary: JSON.stringify(summarizeResult(sealed)),
    tradesSha256: writeTrades(dataFolder, job, sealTradeRows(rows, range)).sha256,
    variants: result.optimize?.variants_tried ?? 1,
    // a rule alone sees no holdout, and still fixes it
    holdoutFrom: findHoldoutFrom(market, task.request),
    testedTo: market.sessions.at(-1)!.date,
    testedKind: market.kind,
    sealed: range && {
      to: range.to,
      whole: JSON.stringify(result),
      tradesKey: writeWholeTrades(dataFolder, job, rows).key,
    },
  } satisfies ComputedRun
}

function findHoldoutFrom(market: LabMarket, request: RunRequest): string | null {
  const { holdout } = buildPlan(market, { ...request, kind: 'backtest' })
  const fixed = findSeal(market, request).holdoutFrom
  return fixed ?? (holdout && market.sessions[holdout.from]!.date)
}

/** Furthest expiry that a run needs; variants of a later one are capped at the maximum. */
function findDteMax({ kind, spec }: RunRequest): number {
  const own = findFurthestDte(spec)
  return kind === 'quant' && own > 0 ? DTE_MAX : own
}

function inSteps(onProgress: OnProgress): OnProgress {
  let reportedStep = -1
  return (done, total) => {
    const step = Math.floor((REPORTED_STEPS * done) / total)
    if (step === reportedStep) return
    reportedStep = step
    onProgress(done, total)
  }
}
