import type { Transaction } from 'kysely'
import { refundCredit } from './credits.ts'
import { readIdea } from './ideas.ts'
import { freeConveyor, messageCount, readConveyorHolder, readOpenRun, readRun } from './runRows.ts'
import type { IdeaAction, IdeaChanged, RunEnd, StoredRun } from './runTypes.ts'
import type { LabDatabaseTables } from './schema.ts'
import type { IdeaStage } from './types.ts'

type Trx = Transaction<LabDatabaseTables>

/** Stage that a run of each kind leads to. */
const STAGE_AFTER = { backtest: 'tested', quant: 'ready' } as const

type Ended = {
  readonly id: string
  readonly worker: string | null
  readonly atMs: number
  readonly end: RunEnd
}

/** Ends an open run, in a transaction that is exclusive for its account. */
export async function endOpenRun(
  trx: Trx,
  { id, worker, atMs, end }: Ended,
): Promise<StoredRun | null> {
  const run = await readRun(trx, id)
  if (run?.state !== 'queued' && run?.state !== 'running') return run
  if (worker !== null && run.worker !== worker) return run
  const over = { worker: null, leased_until: null, ended_at: atMs }
  const row = trx.updateTable('lab_runs').where('id', '=', id)
  if (end.state === 'failed') {
    const { error, isRefusal } = end
    const failed = { state: 'failed', error, is_refusal: isRefusal ? 1 : 0, refunded: 1 }
    await row.set({ ...over, ...failed }).execute()
    await refundCredit(trx, { accountId: run.accountId, runId: id, atMs })
    if (run.kind === 'backtest') await freeConveyor(trx, run.accountId, run.ideaId!)
  } else {
    const { result, summary, variants, tradesSha256 } = end
    const done = { state: 'done', summary, variants, trades_sha256: tradesSha256 }
    await row.set({ ...over, ...done }).execute()
    await trx.insertInto('lab_results').values({ run_id: id, result }).execute()
    if (run.ideaId !== null && run.kind !== 'struct') await advance(trx, run, end, atMs)
  }
  return await readRun(trx, id)
}

/** Advances a tested idea to its next stage, unless it got a message meanwhile. */
async function advance(
  trx: Trx,
  { id, ideaId, kind }: StoredRun,
  end: Extract<RunEnd, { state: 'done' }>,
  atMs: number,
): Promise<void> {
  const { messages } = await trx
    .selectFrom('lab_runs')
    .select('messages')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const isSame = (await messageCount(trx, ideaId!)) === messages
  const idea = trx.updateTable('lab_ideas').where('id', '=', ideaId)
  if (isSame && kind !== 'struct') {
    await idea.set({ stage: STAGE_AFTER[kind], updated_at: atMs }).execute()
  }
  await seal(trx, ideaId!, end)
}

/**
 * Fixes the sealed sessions at the first test, and never moves them. A test on simulated sessions
 * does not bind real ones: the first test on those fixes them again.
 */
async function seal(
  trx: Trx,
  ideaId: string,
  { holdoutFrom, testedTo, testedKind }: Extract<RunEnd, { state: 'done' }>,
): Promise<void> {
  const row = () => trx.updateTable('lab_ideas').where('id', '=', ideaId)
  const whole = { holdout_from: holdoutFrom, first_tested_to: testedTo, sealed_kind: testedKind }
  await row().set(whole).where('first_tested_to', 'is', null).execute()
  if (testedKind === 'real') {
    await row().set(whole).where('sealed_kind', '=', 'simulated').execute()
  }
  // adds a holdout when there was none; older tests did not record the kind
  await row()
    .set({ holdout_from: holdoutFrom })
    .where('holdout_from', 'is', null)
    .where(({ eb, or }) => or([eb('sealed_kind', 'is', null), eb('sealed_kind', '=', testedKind)]))
    .execute()
}

type Change = {
  readonly accountId: string
  readonly ideaId: string
  readonly action: IdeaAction
  readonly atMs: number
}

/** Applies an action to an idea, in a transaction that is exclusive for its account. */
export async function applyAction(trx: Trx, change: Change): Promise<IdeaChanged> {
  const { accountId, ideaId, action, atMs } = change
  const idea = await readIdea(trx, accountId, ideaId)
  if (!idea) return { kind: 'no_idea' }
  const row = trx.updateTable('lab_ideas').where('id', '=', ideaId)
  if (typeof action === 'object') {
    if (idea.stage !== 'desk') return await outOfOrder(trx, accountId, ideaId, idea.stage)
    const { isOn = idea.isOn, draw = idea.draw, alert = idea.alert } = action.set
    const since = isOn && !idea.isOn ? { on_at: atMs } : {}
    await row.set({ is_on: isOn ? 1 : 0, draw, alert, updated_at: atMs, ...since }).execute()
    return { kind: 'changed', idea: await readIdea(trx, accountId, ideaId) }
  }
  const open = await readOpenRun(trx, accountId)
  if (open?.ideaId === ideaId) return { kind: 'held', holder: ideaId, job: open.id }
  if (action === 'desk' && idea.stage !== 'ready') {
    return await outOfOrder(trx, accountId, ideaId, idea.stage)
  }
  await freeConveyor(trx, accountId, ideaId)
  const stage = action === 'desk' ? 'desk' : 'rule'
  const deleted = action === 'delete' ? { deleted_at: atMs } : {}
  await row.set({ stage, is_on: 0, updated_at: atMs, ...deleted }).execute()
  return { kind: 'changed', idea: await readIdea(trx, accountId, ideaId) }
}

/** Reports a step out of order, or which other idea holds the conveyor. */
async function outOfOrder(
  trx: Trx,
  accountId: string,
  ideaId: string,
  stage: IdeaStage,
): Promise<IdeaChanged> {
  const holder = await readConveyorHolder(trx, accountId)
  if (stage === 'rule' && holder !== null && holder !== ideaId) {
    return { kind: 'held', holder, job: (await readOpenRun(trx, accountId))?.id ?? null }
  }
  return { kind: 'out_of_order', stage }
}
