import type { Repeat } from '../../accounts/repeats.ts'
import { type LabDeps, type LabRequester, state } from '../ask.ts'
import { ASSUMED } from '../engine/trade.ts'
import { sayRule } from '../language/say.ts'
import {
  canonicalJson,
  type RuleCore,
  RuleSpec,
  type RuleStructure,
  ruleHash,
  WEEKDAYS,
} from '../language/spec.ts'
import type { ActionResponse } from '../runSchema.ts'
import type { LabJob, LabState } from '../schema.ts'
import type { RunStart, StoredRun } from '../store/runTypes.ts'
import { listLegs } from '../verdict/leg.ts'
import { ideaWire, jobWire } from '../wire.ts'
import { lastSessionAt } from './lastSession.ts'
import type { ActionInput, RunInput, StructInput } from './parseRuns.ts'
import { failedRun, noSuchIdea, noSuchJob, noSuchResult, notNow, notStarted } from './refusals.ts'
import type { Runner } from './runner.ts'
import { type WaitDeps, waitFor } from './waiting.ts'

/** Families of rules: those whose looks at the holdout share one budget, as their trades overlap. */

/** Options of a structure without its strikes: type, and whether it is the nearer or the wing. */
const OPTIONS: Readonly<Record<RuleStructure, readonly string[]>> = {
  put_spread: ['P near', 'P wing'],
  call_spread: ['C near', 'C wing'],
  iron_condor: ['P near', 'P wing', 'C near', 'C wing'],
  iron_butterfly: ['P near', 'P wing', 'C near', 'C wing'],
  strangle: ['P near', 'C near'],
  straddle: ['P near', 'C near'],
}

/** Share of the trades, or of the days, from which two rules are of one family. */
const OVERLAP_MIN = 0.5

/**
 * True when a look at one rule, as JSON, counts for another one: a trade of both has the same action
 * and expiry, and either the same structure, or half of the larger one's options and half of the
 * days of the one with fewer days.
 */
export function areRelated(one: string, other: string): boolean {
  const [a, b] = [RuleSpec.parse(JSON.parse(one)), RuleSpec.parse(JSON.parse(other))]
  return listLegs(a).some(({ core }) =>
    listLegs(b).some(leg => overlap(core, leg.core, isOnSameDays(a, b))),
  )
}

function overlap(a: RuleCore, b: RuleCore, isOnSame: boolean): boolean {
  if (a.action !== b.action || a.dte !== b.dte) return false
  if (a.structure === b.structure) return true
  const [own, others] = [OPTIONS[a.structure], OPTIONS[b.structure]]
  const common = own.filter(option => others.includes(option)).length
  return isOnSame && common >= OVERLAP_MIN * Math.max(own.length, others.length)
}

function isOnSameDays(a: RuleSpec, b: RuleSpec): boolean {
  const [own, others] = [a.days ?? WEEKDAYS, b.days ?? WEEKDAYS]
  const common = own.filter(day => others.includes(day)).length
  return common >= OVERLAP_MIN * Math.min(own.length, others.length)
}

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
