import type { Transaction } from 'kysely'
import { randomBase62 } from '../../accounts/apiKey.ts'
import type { Write } from '../../accounts/repeats.ts'
import { creditsAt, spendCredit } from './credits.ts'
import { readIdea } from './ideas.ts'
import { freeConveyor, messageCount, readConveyorHolder, readOpenRun } from './runRows.ts'
import {
  type Lineage,
  type RunRule,
  type RunStart,
  type StartRefused,
  WAITING_MAX,
  WAITING_OF_ACCOUNT_MAX,
} from './runTypes.ts'
import type { LabDatabaseTables } from './schema.ts'

type Trx = Transaction<LabDatabaseTables>

/** Stage that each kind of run requires. */
const STAGE_OF = { backtest: 'rule', quant: 'tested' } as const

/** Decides on a requested run; its write starts it and returns its id. */
export async function takeRun(trx: Trx, start: RunStart): Promise<Write | StartRefused> {
  const { accountId, atMs } = start
  const credits = await creditsAt(trx, { accountId, atMs })
  if (credits.monthly + credits.purchased <= 0) return { kind: 'no_credits' }
  const chosen = start.kind === 'struct' ? await ofRule(trx, start) : await ofIdea(trx, start)
  if ('kind' in chosen) return chosen
  if (await isFull(trx, accountId)) return { kind: 'full' }
  return async () => {
    if (start.kind !== 'struct' && start.drop != null) {
      await dropHolder(trx, start, start.drop)
    }
    if (start.kind === 'backtest') {
      await trx
        .insertInto('lab_conveyor')
        .values({ account_id: accountId, idea_id: start.ideaId })
        .onConflict(conflict => conflict.column('account_id').doNothing())
        .execute()
    }
    const id = `j_${randomBase62(12)}`
    await insertRun(trx, start, id, chosen)
    await spendCredit(trx, { accountId, runId: id, atMs }, credits)
    return id
  }
}

type Chosen = {
  readonly rule: RunRule
  readonly messages: number
  readonly sealed: {
    readonly holdout_from: string | null
    readonly first_tested_to: string | null
    readonly sealed_kind: string | null
  }
}

const ofRule = async (
  trx: Trx,
  { accountId, rule }: Extract<RunStart, { rule: RunRule }>,
): Promise<Chosen> => ({ rule, messages: 0, sealed: await readSeal(trx, accountId) })

/** Seal of an account's real sessions; until there is one, of its simulated ones. */
async function readSeal(trx: Trx, accountId: string): Promise<Chosen['sealed']> {
  const rows = await trx
    .selectFrom('lab_seals')
    .select(['kind as sealed_kind', 'holdout_from', 'first_tested_to'])
    .where('account_id', '=', accountId)
    .execute()
  const none = { holdout_from: null, first_tested_to: null, sealed_kind: null }
  return rows.find(row => row.sealed_kind === 'real') ?? rows[0] ?? none
}

/** Returns the rule of an idea that may run now, or the reason why it may not. */
async function ofIdea(
  trx: Trx,
  { accountId, ideaId, kind, drop }: Extract<RunStart, { ideaId: string }>,
): Promise<Chosen | StartRefused> {
  const idea = await readIdea(trx, accountId, ideaId)
  if (!idea) return { kind: 'no_idea' }
  const [holder, open] = [
    await readConveyorHolder(trx, accountId),
    await readOpenRun(trx, accountId),
  ]
  if (open) return { kind: 'held', holder: open.ideaId!, job: open.id }
  if (holder !== null && holder !== ideaId && holder !== drop) {
    return { kind: 'held', holder, job: null }
  }
  if (idea.stage !== STAGE_OF[kind]) return { kind: 'out_of_order', stage: idea.stage }
  if (!idea.current) return { kind: 'no_rule' }
  const sealed = await readSeal(trx, accountId)
  return { rule: idea.current, messages: await messageCount(trx, ideaId), sealed }
}

/** Takes another idea off the conveyor, if it is on it, back to its beginning. */
async function dropHolder(
  trx: Trx,
  { accountId, ideaId, atMs }: Extract<RunStart, { ideaId: string }>,
  drop: string,
): Promise<void> {
  if (drop === ideaId || (await readConveyorHolder(trx, accountId)) !== drop) return
  await freeConveyor(trx, accountId, drop)
  await trx
    .updateTable('lab_ideas')
    .set({ stage: 'rule', is_on: 0, updated_at: atMs })
    .where('id', '=', drop)
    .where('account_id', '=', accountId)
    .execute()
}

/** True when the queue is at its limit, of all accounts or of this one. */
async function isFull(trx: Trx, accountId: string): Promise<boolean> {
  const waiting = await trx
    .selectFrom('lab_runs')
    .select('account_id')
    .where('state', '=', 'queued')
    .execute()
  const own = waiting.filter(row => row.account_id === accountId)
  return waiting.length >= WAITING_MAX || own.length >= WAITING_OF_ACCOUNT_MAX
}

async function insertRun(
  trx: Trx,
  start: RunStart,
  id: string,
  { rule, messages, sealed }: Chosen,
): Promise<void> {
  const { accountId, kind, assume, atMs, areRelated } = start
  const ideaId = start.kind === 'struct' ? null : start.ideaId
  const { spec, say, ruleHash } = rule
  const isRelated = (other: string) => areRelated(spec, other)
  const lineage = await readLineage(trx, { accountId, ideaId, ruleHash, isRelated })
  await trx
    .insertInto('lab_runs')
    .values({
      id,
      account_id: accountId,
      idea_id: ideaId,
      kind,
      state: 'queued',
      messages,
      spec,
      say,
      rule_hash: ruleHash,
      assume,
      lineage: JSON.stringify(lineage),
      ...sealed,
      variants: 1,
      done: 0,
      total: 0,
      error: null,
      is_refusal: 0,
      refunded: 0,
      worker: null,
      leased_until: null,
      tries: 0,
      created_at: atMs,
      ended_at: null,
      trades_sha256: null,
      summary: null,
      tested_to: null,
      sealed_to: null,
    })
    .execute()
}

/**
 * Counts earlier tests of a rule: a trial is a computed rule, a look one that was judged on the
 * sealed sessions. Failed runs yield nothing and count as neither.
 */

type Counted = {
  readonly accountId: string
  /** Null: a struct, which judges nothing on the sealed sessions. */
  readonly ideaId: string | null
  readonly ruleHash: string
  /** True for rules of its family, as JSON. */
  readonly isRelated: (spec: string) => boolean
}

/** Counts all tests so far, with this run as one more trial. */
async function readLineage(
  trx: Transaction<LabDatabaseTables>,
  { accountId, ideaId, ruleHash, isRelated }: Counted,
): Promise<Lineage> {
  const rows = await trx
    .selectFrom('lab_runs')
    .select(['idea_id', 'kind', 'rule_hash', 'variants', 'spec'])
    .where('account_id', '=', accountId)
    .where('state', '!=', 'failed')
    .execute()
  type Row = (typeof rows)[number]
  const relatedSpecs = new Set([...new Set(rows.map(({ spec }) => spec))].filter(isRelated))
  const isJudged = ({ kind }: Row) => kind !== 'struct'
  const trials = (some: readonly Row[]) => some.reduce((sum, row) => sum + row.variants, 1)
  const looks = (some: readonly Row[]) =>
    new Set([...some.filter(isJudged).map(row => row.rule_hash), ...(ideaId ? [ruleHash] : [])])
      .size
  const ofIdea = ideaId === null ? [] : rows.filter(row => row.idea_id === ideaId)
  const ofFamily = rows.filter(({ spec }) => relatedSpecs.has(spec))
  return {
    versions: ideaId === null ? 1 : await versionCount(trx, ideaId),
    trials: trials(ofIdea),
    looks: looks(ofIdea),
    familyTrials: trials(ofFamily),
    familyLooks: looks(ofFamily),
  }
}

async function versionCount(trx: Transaction<LabDatabaseTables>, ideaId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('lab_versions')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('idea_id', '=', ideaId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
