import type { LabDatabase } from './ideas.ts'
import type { DeskIdea, LabStore } from './types.ts'

/** Operations on the desk ideas of all accounts. */
export function deskOperations({ reader }: LabDatabase) {
  return {
    listDeskIdeas: async atMs => {
      const rows = await reader
        .selectFrom('lab_ideas')
        .innerJoin('lab_versions', join =>
          join
            .onRef('lab_versions.idea_id', '=', 'lab_ideas.id')
            .onRef('lab_versions.version', '=', 'lab_ideas.version'),
        )
        .innerJoin('account_products as held', join =>
          join.onRef('held.account_id', '=', 'lab_ideas.account_id').on('held.product', '=', 'lab'),
        )
        .select(['lab_ideas.id', 'lab_ideas.account_id', 'alert', 'on_at'])
        .select(['spec', 'rule_hash', 'say'])
        .where('stage', '=', 'desk')
        .where('is_on', '=', 1)
        .where('deleted_at', 'is', null)
        .where('held.from_at', '<=', atMs)
        .where(({ or, eb }) => or([eb('held.until_at', 'is', null), eb('until_at', '>', atMs)]))
        .orderBy('lab_ideas.account_id')
        .orderBy('lab_ideas.number')
        .execute()
      return rows.map(row => ({
        id: row.id,
        accountId: row.account_id,
        rule: { spec: row.spec, ruleHash: row.rule_hash, say: row.say },
        alert: row.alert as DeskIdea['alert'],
        onSinceMs: Number(row.on_at ?? 0),
      }))
    },
  } satisfies Partial<LabStore>
}
