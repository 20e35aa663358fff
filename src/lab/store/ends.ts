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
    const { result, summary, variants, tradesSha256, testedTo, testedKind, sealed } = end
    const done = { state: 'done', summary, variants, trades_sha256: tradesSha256 }
    const seen = { tested_to: testedTo, sealed_kind: testedKind, sealed_to: sealed?.to ?? null }
    await row.set({ ...over, ...done, ...seen }).execute()
    const whole = { whole: sealed?.whole ?? null, trades_key: sealed?.tradesKey ?? null }
    await trx
      .insertInto('lab_results')
      .values({ run_id: id, result, ...whole })
      .execute()
    await seal(trx, run, end)
    if (run.ideaId !== null && run.kind !== 'struct') await advance(trx, run, atMs)
  }
  return await readRun(trx, id)
}

/** Advances a tested idea to its next stage, unless it got a message meanwhile. */
async function advance(trx: Trx, { id, ideaId, kind }: StoredRun, atMs: number): Promise<void> {
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
}

/**
 * Fixes the sealed sessions of an account at its first test, of an idea or of a rule alone, and
 * never moves them. Simulated sessions do not bind real ones.
 */
async function seal(
  trx: Trx,
  { accountId, firstTestedTo }: StoredRun,
  { holdoutFrom, testedTo, testedKind }: Extract<RunEnd, { state: 'done' }>,
): Promise<void> {
  const row = { account_id: accountId, kind: testedKind, opened_to: null }
  await trx
    .insertInto('lab_seals')
    .values({ ...row, holdout_from: holdoutFrom, first_tested_to: testedTo })
    .onConflict(conflict => conflict.columns(['account_id', 'kind']).doNothing())
    .execute()
  if (firstTestedTo === null) return
  // adds a holdout when there was none, unless another one was opened meanwhile
  await trx
    .updateTable('lab_seals')
    .set({ holdout_from: holdoutFrom })
    .where('account_id', '=', accountId)
    .where('kind', '=', testedKind)
    .where('holdout_from', 'is', null)
    .where('first_tested_to', '=', firstTestedTo)
    .execute()
}

/**
 * Opens the sealed sessions of an idea on the desk. From then on no rule of the account is judged on
 * them: its next holdout is of sessions that come later.
 */
async function openSeal(
  trx: Trx,
  { accountId, ideaId }: Pick<Change, 'accountId' | 'ideaId'>,
  newest: string,
): Promise<void> {
  const runs = await trx
    .selectFrom('lab_runs')
    .select(['idea_id', 'sealed_kind', 'sealed_to', 'tested_to'])
    .where('account_id', '=', accountId)
    .where('state', '=', 'done')
    .orderBy('ended_at', 'desc')
    .execute()
  const own = runs.find(row => row.idea_id === ideaId && row.sealed_to !== null)
  if (!own) return
  const ofKind = runs.filter(row => row.sealed_kind === own.sealed_kind)
  const shown = ofKind.flatMap(row => row.tested_to ?? [])
  const openedTo = [...shown, ...(own.sealed_kind === 'real' ? [newest] : [])].sort().at(-1)!
  await trx
    .updateTable('lab_seals')
    .set({ holdout_from: null, first_tested_to: openedTo, opened_to: openedTo })
    .where('account_id', '=', accountId)
    .where('kind', '=', own.sealed_kind)
    // opened twice, it is opened once
    .where(({ eb, or }) => or([eb('opened_to', 'is', null), eb('opened_to', '<', own.sealed_to)]))
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
    if ('open' in action) {
      const running = await readOpenRun(trx, accountId)
      if (running) return { kind: 'held', holder: running.ideaId!, job: running.id }
      await openSeal(trx, change, action.open)
      return { kind: 'changed', idea }
    }
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
