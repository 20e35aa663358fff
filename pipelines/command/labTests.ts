import { UsageError } from '../../src/core/command.ts'
import { ENGINE_MODULE } from '../../src/lab/area.ts'
import type { LabDeps, LabRequester } from '../../src/lab/ask.ts'
import { lastSessionAt } from '../../src/lab/runs/lastSession.ts'
import { parseAction, parseRun, type RunInput } from '../../src/lab/runs/parseRuns.ts'
import { openPool } from '../../src/lab/runs/pool.ts'
import {
  act,
  awaitRun,
  beginRun,
  doneRun,
  formatRunResponse,
  readIdeaResult,
} from '../../src/lab/runs/queryRuns.ts'
import { renderTrades, TRADE_FORMS } from '../../src/lab/runs/renderTrades.ts'
import { openRunner } from '../../src/lab/runs/runner.ts'
import type { StoredRun } from '../../src/lab/store/runTypes.ts'
import { systemTimers } from '../../src/outbox/sending/timers.ts'
import { type LabValues, runAsAccount } from './labAccount.ts'

type Test = {
  readonly id: string | undefined
  /** Kind of a test, or the action on an idea. */
  readonly kind: string | undefined
  readonly values: LabValues
}

/** Runs `lab run`, `result` and `idea`. Fails with one sentence. */
export async function runTestVerb(
  verb: 'run' | 'result' | 'idea',
  { id, kind, values }: Test,
): Promise<object> {
  if (id === undefined || kind === undefined) {
    const good = verb === 'idea' ? 'desk' : 'backtest'
    throw new UsageError(`lab ${verb} takes an idea and what: lab ${verb} i_4fQ8sK2mZx0T ${good}.`)
  }
  if (verb === 'idea') {
    const { draw, alert } = values
    const input = parseAction(JSON.stringify({ id, action: kind, ...parseOn(values), draw, alert }))
    return await runAsAccount(values, (deps, requester) => act(deps, requester, input))
  }
  const input = parseRun(JSON.stringify({ id, kind, drop: values.drop }))
  const response = await runAsAccount(values, (deps, requester) =>
    verb === 'result'
      ? readIdeaResult(deps, requester, input)
      : runHere(deps, requester, { input, values }),
  )
  return JSON.parse(response) as object
}

/** The trades of a job, as the API sends them. Fails with one sentence. */
export function readTrades(values: LabValues, job: string): Promise<Uint8Array> {
  const { format = 'json', data } = values
  const form = TRADE_FORMS.find(known => known === format)
  if (!form) throw new UsageError(`--format is ${format}; give ${TRADE_FORMS.join(', ')}.`)
  return runAsAccount(values, async (deps, requester) => {
    const { tradesSha256: sha256, tradesKey: key } = await doneRun(deps, requester, job)
    const all = { start: 0, count: Number.MAX_SAFE_INTEGER }
    return renderTrades(data, { runId: job, sha256, key, form, ...all })
  })
}

type Here = { readonly input: RunInput; readonly values: LabValues }

/** Tests an idea in child processes of this command, however long it takes. */
async function runHere(
  deps: LabDeps,
  requester: LabRequester,
  { input, values }: Here,
): Promise<string> {
  const run = (await openRun(deps, requester, input)) ?? (await begin(deps, requester, input))
  return await withRunner(deps, { run, values }, async runner => {
    const { signal } = new AbortController()
    const waiting = { ...deps, runner, timers: systemTimers }
    const ended = await awaitRun(waiting, run, { waitMs: null, signal })
    return await formatRunResponse(deps, requester, ended!)
  })
}

/** Finds the same test in progress: an interrupted command has left it. */
async function openRun({ accounts }: LabDeps, { accountId }: LabRequester, { id, kind }: RunInput) {
  const { run } = await accounts.lab.conveyor(accountId)
  return run?.ideaId === id && run.kind === kind ? run : null
}

async function begin(deps: LabDeps, requester: LabRequester, input: RunInput): Promise<StoredRun> {
  // it is looked for below
  const runner = { wake: () => {} }
  return (await beginRun({ ...deps, runner }, requester, input, null)).run
}

async function withRunner<Result>(
  { accounts, nowMs }: LabDeps,
  { run, values }: { readonly run: StoredRun; readonly values: LabValues },
  use: (runner: ReturnType<typeof openRunner>) => Promise<Result>,
): Promise<Result> {
  const runner = openRunner({
    store: accounts.lab,
    only: run.id,
    nowMs,
    timers: systemTimers,
    pool: openPool(ENGINE_MODULE, values.data),
    lastSession: () => lastSessionAt(nowMs()),
    log: { info: () => {}, error: ({ err }: { err?: string }) => process.stderr.write(`${err}\n`) },
  })
  try {
    await runner.sweep()
    return await use(runner)
  } finally {
    await runner.stop()
  }
}

/** Parses `--on true` as a boolean; any other word is refused by its reader. */
const parseOn = ({ on }: LabValues) =>
  on === undefined ? {} : { on: on === 'true' ? true : on === 'false' ? false : on }
