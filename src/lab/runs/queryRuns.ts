import type { Repeat } from '../../accounts/repeats.ts'
import { type LabDeps, type LabRequester, state } from '../ask.ts'
import { ASSUMED } from '../engine/trade.ts'
import { sayRule } from '../language/say.ts'
import { canonicalJson, ruleHash } from '../language/spec.ts'
import type { ActionResponse } from '../runSchema.ts'
import type { LabJob, LabState } from '../schema.ts'
import type { RunStart, StoredRun } from '../store/runTypes.ts'
import { ideaWire, jobWire } from '../wire.ts'
import { areRelated } from './families.ts'
import { lastSessionAt } from './lastSession.ts'
import type { ActionInput, RunInput, StructInput } from './parseRuns.ts'
import { failedRun, noSuchIdea, noSuchJob, noSuchResult, notNow, notStarted } from './refusals.ts'
import type { Runner } from './runner.ts'
import { type WaitDeps, waitFor } from './waiting.ts'

/** Operations on tests of ideas, shared by the API, the command line and the pages. */

export type BeginDeps = LabDeps & { readonly runner: Pick<Runner, 'wake'> }

export type RunDeps = LabDeps & {
  readonly runner: Pick<Runner, 'wake' | 'end' | 'isReading' | 'onEnded'>
  readonly timers: WaitDeps['timers']
}

export type Begun = {
  readonly run: StoredRun
  /** True when the same request began it earlier. */
  readonly isReplay: boolean
}

/** Begins a test of an idea without waiting for it. Fails with the API's errors. */
export function beginRun(
  deps: BeginDeps,
  { accountId }: LabRequester,
  { id, kind, drop = null }: RunInput,
  repeat: Repeat | null,
): Promise<Begun> {
  const assume = JSON.stringify(ASSUMED)
  const start = {
    accountId,
    repeat,
    assume,
    kind,
    ideaId: id,
    drop,
    atMs: deps.nowMs(),
    areRelated,
  }
  return begin(deps, start, id)
}

/** Begins to compute a rule without an idea. Fails with the API's errors. */
export function beginStruct(
  deps: BeginDeps,
  { accountId }: LabRequester,
  { spec, assume }: StructInput,
  repeat: Repeat | null,
): Promise<Begun> {
  const rule = { spec: canonicalJson(spec), say: sayRule(spec), ruleHash: ruleHash(spec) }
  const request = { accountId, repeat, assume: JSON.stringify(assume), atMs: deps.nowMs() }
  return begin(deps, { ...request, kind: 'struct', rule, areRelated }, '')
}

async function begin({ accounts, runner }: BeginDeps, start: RunStart, id: string): Promise<Begun> {
  const started = await accounts.lab.startRun(start)
  if (!('run' in started)) throw notStarted(started, id)
  runner.wake()
  return { run: started.run, isReplay: started.kind === 'replayed' }
}

/**
 * Waits for a test, up to its time limit if one is given. Null when the client disconnected; the
 * test continues. Fails with the error of the test, its credit refunded.
 */
export async function awaitRun(
  { accounts, runner, timers }: RunDeps,
  run: StoredRun,
  wait: { readonly waitMs: number | null; readonly signal: AbortSignal },
): Promise<StoredRun | null> {
  const ended = await waitFor({ store: accounts.lab, runner, timers }, run, wait)
  if (ended?.state === 'failed') throw failedRun(ended)
  return ended
}

/** Formats the response of a finished test, as JSON of `RunAnswer`. */
export async function formatRunResponse(
  deps: LabDeps,
  requester: LabRequester,
  run: StoredRun,
): Promise<string> {
  const now = await state(deps, requester)
  const idea = now.ideas.find(({ id }) => id === run.ideaId) ?? null
  const result = await deps.accounts.lab.readResult(requester.accountId, run.id)
  // the stored text of a result is sent as it is, because it is long
  return `{"idea":${JSON.stringify(idea)},"result":${result},"state":${JSON.stringify(now)}}`
}

/** Formats a test in progress and the state of the account. */
export async function jobBegun(
  deps: LabDeps,
  requester: LabRequester,
  run: StoredRun,
): Promise<{ readonly job: LabJob; readonly state: LabState }> {
  return { job: jobWire(run), state: await state(deps, requester) }
}

/** Puts an idea on the desk, drops, deletes or sets it. Fails with the API's errors. */
export async function act(
  deps: LabDeps,
  requester: LabRequester,
  { id, action }: ActionInput,
): Promise<ActionResponse> {
  const { lab } = deps.accounts
  const { accountId } = requester
  const atMs = deps.nowMs()
  const stored = action === 'open' ? { open: lastSessionAt(atMs) } : action
  const changed = await lab.changeIdea({ accountId, ideaId: id, action: stored, atMs })
  if (changed.kind === 'no_idea') throw noSuchIdea(id)
  if (changed.kind !== 'changed') throw notNow(changed)
  const now = await state(deps, requester)
  const done = changed.idea ? await lab.listDone(accountId) : []
  return { idea: changed.idea && ideaWire(changed.idea, done), state: now }
}

/**
 * Returns the newest result of an idea, as JSON of `LabResult`. Fails with 404 when there is none.
 */
export async function readIdeaResult(
  { accounts }: LabDeps,
  { accountId }: LabRequester,
  { id, kind }: Pick<RunInput, 'id' | 'kind'>,
): Promise<string> {
  if (!(await accounts.lab.findIdea(accountId, id))) throw noSuchIdea(id)
  const run = await accounts.lab.findDone(accountId, id, kind)
  if (!run) throw noSuchResult(id, kind)
  return (await accounts.lab.readResult(accountId, run.id))!
}

/** Returns any job of the account, as JSON of `JobAnswer`. Fails with 404 when there is none. */
export async function readAccountJob(
  { accounts }: LabDeps,
  { accountId }: LabRequester,
  id: string,
): Promise<string> {
  const run = await accounts.lab.findRun(accountId, id)
  if (!run) throw noSuchJob(id)
  const result = await accounts.lab.readResult(accountId, id)
  return `{"job":${JSON.stringify(jobWire(run))}${result ? `,"result":${result}` : ''}}`
}

/** Returns a job of the account whose trades can be read. Fails with 404 when there is none. */
export async function doneRun(
  { accounts }: LabDeps,
  { accountId }: LabRequester,
  id: string,
): Promise<StoredRun & { readonly tradesSha256: string; readonly tradesKey: string | null }> {
  const run = await accounts.lab.findRun(accountId, id)
  if (!run || run.tradesSha256 === null) throw noSuchJob(id)
  const tradesKey = await accounts.lab.findTradesKey(accountId, id)
  return { ...run, tradesSha256: run.tradesSha256, tradesKey }
}
