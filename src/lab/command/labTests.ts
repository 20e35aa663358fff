import type { CommandWork } from '../../accounts/commandContext.ts'
import type { Input } from '../../core/commandRow.ts'
import { writeOutput } from '../../core/disk/files.ts'
import { systemTimers } from '../../outbox/sending/timers.ts'
import { ENGINE_MODULE } from '../area.ts'
import type { LabDeps, LabRequester } from '../ask.ts'
import { lastSessionAt } from '../runs/lastSession.ts'
import { parseAction, parseRun, type RunInput } from '../runs/parseRuns.ts'
import { openPool } from '../runs/pool.ts'
import {
  act,
  awaitRun,
  beginRun,
  doneRun,
  formatRunResponse,
  readIdeaResult,
} from '../runs/queryRuns.ts'
import { renderTrades } from '../runs/renderTrades.ts'
import { openRunner } from '../runs/runner.ts'
import type { StoredRun } from '../store/runTypes.ts'
import type { LabAccounts } from '../store/store.ts'
import { printJson, runAsAccount } from './lab.ts'
import type { LAB } from './rows.ts'

type Run<Name extends string> = CommandWork<typeof LAB, Name, LabAccounts>

/** Runs `tapefold lab idea`. */
export const labIdeaCommand: Run<'lab idea'> = async (input, context) => {
  const [id, action] = input.words
  const { draw, alert } = input
  const change = parseAction(JSON.stringify({ id, action, ...parseOn(input), draw, alert }))
  const ask = runAsAccount(input, context, (deps, requester) => act(deps, requester, change))
  printJson(input.out, await ask)
}

/** Runs `tapefold lab run`: tests an idea, however long it takes. */
export const labRunCommand: Run<'lab run'> = async (input, context) => {
  const [id, kind] = input.words
  const run = parseRun(JSON.stringify({ id, kind, drop: input.drop }))
  const response = await runAsAccount(input, context, (deps, requester) =>
    runHere(deps, requester, { input: run, data: input.data }),
  )
  printJson(input.out, JSON.parse(response))
}

/** Runs `tapefold lab result`. */
export const labResultCommand: Run<'lab result'> = async (input, context) => {
  const [id, kind] = input.words
  const run = parseRun(JSON.stringify({ id, kind }))
  const response = await runAsAccount(input, context, (deps, requester) =>
    readIdeaResult(deps, requester, run),
  )
  printJson(input.out, JSON.parse(response))
}

/** Runs `tapefold lab trades`: the trades of a job, as the API sends them. */
export const labTradesCommand: Run<'lab trades'> = async (input, context) => {
  const [job] = input.words
  const bytes = await runAsAccount(input, context, async (deps, requester) => {
    const { tradesSha256: sha256, tradesKey: key } = await doneRun(deps, requester, job)
    const all = { start: 0, count: Number.MAX_SAFE_INTEGER }
    return renderTrades(input.data, { runId: job, sha256, key, form: input.format, ...all })
  })
  writeOutput(input.out, bytes)
}

type Here = { readonly input: RunInput; readonly data: string }

/** Tests an idea in child processes of this command, however long it takes. */
async function runHere(
  deps: LabDeps,
  requester: LabRequester,
  { input, data }: Here,
): Promise<string> {
  const run = (await openRun(deps, requester, input)) ?? (await begin(deps, requester, input))
  return await withRunner(deps, { run, data }, async runner => {
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
  { run, data }: { readonly run: StoredRun; readonly data: string },
  use: (runner: ReturnType<typeof openRunner>) => Promise<Result>,
): Promise<Result> {
  const runner = openRunner({
    store: accounts.lab,
    only: run.id,
    nowMs,
    timers: systemTimers,
    pool: openPool(ENGINE_MODULE, data),
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
const parseOn = ({ on }: Input<typeof LAB, 'lab idea'>) =>
  on === undefined ? {} : { on: on === 'true' ? true : on === 'false' ? false : on }
