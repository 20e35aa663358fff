import type { Transaction } from 'kysely'
import type { Lineage } from './runTypes.ts'
import type { LabDatabaseTables } from './schema.ts'

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
export async function readLineage(
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
