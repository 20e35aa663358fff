import type { Kysely, Selectable, Transaction } from 'kysely'
import type { ChangingDatabase } from '../../accounts/repeats.ts'
import type { LabDatabaseTables, LabTables } from './schema.ts'
import type { IdeaMessage, IdeaStage, LabStore, StoredIdea } from './types.ts'

export type LabDatabase = ChangingDatabase<LabDatabaseTables>

export type IdeaReader = Kysely<LabDatabaseTables> | Transaction<LabDatabaseTables>

/** The ideas of accounts, with their versions and messages. */
export function ideaOperations({ reader }: Pick<LabDatabase, 'reader'>) {
  return {
    listIdeas: accountId => readIdeas(reader, accountId),
    findIdea: (accountId, id) => readIdea(reader, accountId, id),
    listMessages: async ideaId => {
      const messages = reader.selectFrom('lab_messages').selectAll().where('idea_id', '=', ideaId)
      return (await messages.orderBy('n').execute()).map(toMessage)
    },
  } satisfies Partial<LabStore>
}

const ideaRows = (db: IdeaReader, accountId: string) =>
  db
    .selectFrom('lab_ideas')
    .leftJoin('lab_versions', join =>
      join
        .onRef('lab_versions.idea_id', '=', 'lab_ideas.id')
        .onRef('lab_versions.version', '=', 'lab_ideas.version'),
    )
    .select(['lab_ideas.id', 'name', 'stage', 'lab_ideas.version', 'draft', 'missing'])
    .select(['parent', 'spec', 'rule_hash', 'say', 'is_on', 'draw', 'alert'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)

async function readIdeas(db: IdeaReader, accountId: string): Promise<StoredIdea[]> {
  return (await ideaRows(db, accountId).orderBy('number').execute()).map(toIdea)
}

/** Reads an idea that is not deleted; null when the account has no such one. */
export async function readIdea(
  db: IdeaReader,
  accountId: string,
  id: string,
): Promise<StoredIdea | null> {
  const row = await ideaRows(db, accountId).where('lab_ideas.id', '=', id).executeTakeFirst()
  return row ? toIdea(row) : null
}

type IdeaRow = Pick<
  Selectable<LabTables['lab_ideas']>,
  'id' | 'name' | 'stage' | 'version' | 'draft' | 'missing' | 'is_on' | 'draw' | 'alert'
> & {
  readonly [Name in 'parent' | 'spec' | 'rule_hash' | 'say']: LabTables['lab_versions'][Name] | null
}

function toIdea({ id, name, stage, draft, missing, draw, alert, ...rule }: IdeaRow): StoredIdea {
  const { spec, rule_hash: ruleHash, say } = rule
  const hasRule = spec !== null && ruleHash !== null && say !== null
  const numbers = { version: Number(rule.version), parent: numberOrNull(rule.parent) }
  return {
    id,
    name,
    draft,
    stage: stage as IdeaStage,
    current: hasRule ? { ...numbers, spec, ruleHash, say } : null,
    missing: JSON.parse(missing) as string[],
    isOn: Number(rule.is_on) === 1,
    draw: draw as StoredIdea['draw'],
    alert: alert as StoredIdea['alert'],
  }
}

// PostgreSQL returns big integers as text
export const numberOrNull = (value: number | null) => (value === null ? null : Number(value))

function toMessage(row: Selectable<LabTables['lab_messages']>): IdeaMessage {
  const { sender, text, kind, rule_hash: ruleHash } = row
  const list = (value: string | null) => (value === null ? null : (JSON.parse(value) as string[]))
  return {
    n: Number(row.n),
    atMs: Number(row.at),
    text,
    kind,
    ruleHash,
    sender: sender as IdeaMessage['sender'],
    version: numberOrNull(row.version),
    missing: list(row.missing),
    errors: list(row.errors),
  }
}
